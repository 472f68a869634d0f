internal import BellwetherService
internal import Dispatch
internal import Logging

/// Checks every second whether the store takes writes, and logs each change.
///
/// A store that fails tries a small write whenever its health is asked for: so it is well again soon after its disk is,
/// also without requests that write.
final class StoreWatch {
    private let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "bellwether.store.watch"))

    init(store: any Store, logger: Logger) {
        source.schedule(deadline: .now(), repeating: .seconds(1))
        var last = StoreHealth.healthy
        source.setEventHandler {
            let health = store.health
            switch (last, health) {
            case (.healthy, .failing(let reason)):
                logger.error("the store takes no writes", metadata: ["reason": "\(reason)"])
            case (.failing, .healthy): logger.notice("the store takes writes again")
            default: break
            }
            last = health
        }
        source.resume()
    }

    func cancel() { source.cancel() }
}
