internal import BellwetherCore
internal import Dispatch
internal import Logging

/// Recipes begin and end by the daemon's clock, also when nobody publishes.
extension Publisher {
    /// Looks at the clock every second from now on: it may be set, and a publish may bring a date that is near. What
    /// was replaced is let go of on the way.
    public func followDates() {
        tidy()
        if isDue { follow {} }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in self?.followDates() }
    }

    /// Does what is due; `completion` is called once every worker serves it.
    public func follow(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            do {
                guard let snapshot = try dueSnapshot() else { return completion() }
                deliver(snapshot, completion)
            } catch {
                logger.error("a recipe's date could not be followed", metadata: ["error": "\(error)"])
                completion()
            }
        }
    }
}
