internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherService

/// Selects the polls of a worker that are offered to the sample of contexts. Any other poll costs one subtraction.
final class PollSampling {
    /// The number of polls of one app until the next offered poll.
    final class Countdown {
        fileprivate var left = 1
    }

    private let samples: ContextSamples
    private var countdowns: [String: Countdown] = [:]

    init(samples: ContextSamples) { self.samples = samples }

    func countdown(of app: AppSnapshot) -> Countdown {
        if let known = countdowns[app.name] { return known }
        let countdown = Countdown()
        countdowns[app.name] = countdown
        return countdown
    }

    /// Counts a poll whose response is cached. Returns false if the poll is due for the sample, and must be decided
    /// again.
    func passesOver(_ countdown: Countdown) -> Bool {
        countdown.left -= 1
        return countdown.left > 0
    }

    func note(_ context: PollContext, at now: Timestamp) {
        let countdown = context.countdown
        countdown.left -= 1
        if countdown.left <= 0 { countdown.left = samples.offer(context.targeting, of: context.app.name, at: now) }
    }

    /// Removes apps that are no longer published.
    func keep(_ snapshot: Snapshot) {
        countdowns = countdowns.filter { snapshot.apps[$0.key] != nil }
        samples.keep(only: snapshot.apps.keys)
    }
}
