internal import BellwetherService
internal import Dispatch

/// Deletes drafts that were left alone, at the start and then once a day (docs/reference/surveys.md#clean-up).
final class DraftTimer {
    private static let seconds = 86_400

    private let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "bellwether.drafts"))

    /// - Parameter apps: the names of the apps that are published.
    init(persistence: Persistence, apps: @escaping @Sendable () -> [String]) {
        source.schedule(deadline: .now() + .seconds(60), repeating: .seconds(Self.seconds))
        source.setEventHandler { CleanUpDrafts(in: persistence, now: Clock.system.now()).run(apps: apps()) }
        source.resume()
    }

    func cancel() { source.cancel() }
}
