internal import BellwetherService
internal import Dispatch
internal import Logging

/// Checks every second whether the store accepts writes, and how far its clock differs from the process' clock. Each
/// change is logged.
///
/// A failing store tries a small write at each health check. So it becomes healthy soon after its disk does, even
/// without write requests.
final class StoreWatch {
    private let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "bellwether.store.watch"))

    init(persistence: Persistence, logger: Logger) {
        source.schedule(deadline: .now(), repeating: .seconds(1))
        var last = StoreHealth.healthy
        var lastLevel = ClockDifference.Level.small
        var wasCurrent = true
        source.setEventHandler {
            let clock = persistence.feed.clockDifference
            if clock.level != lastLevel { Self.tell(clock, logger) }
            lastLevel = clock.level
            let isCurrent = persistence.feed.isCurrent
            switch (wasCurrent, isCurrent) {
            case (true, false):
                let reason = persistence.feed.reasonBehind ?? "the store answers slowly"
                logger.error("changes of other nodes cannot be read", metadata: ["reason": "\(reason)"])
            case (false, true): logger.notice("changes of other nodes are read again")
            default: break
            }
            wasCurrent = isCurrent
            let health = persistence.store.health
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

    private static func tell(_ clock: ClockDifference, _ logger: Logger) {
        switch clock.level {
        case .small: logger.notice("this machine's clock is within 1 s of the database's again")
        case .noted: logger.warning("\(clock.sentence)")
        case .tooLarge: logger.error("\(clock.sentence)")
        }
    }

    func cancel() { source.cancel() }
}
