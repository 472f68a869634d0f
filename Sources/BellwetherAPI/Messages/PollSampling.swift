internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherService

/// Decides which polls of a worker are offered to the sample of contexts. Any other poll costs a subtraction.
final class PollSampling {
    /// One app's polls until the next that is offered.
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

    /// Counts a poll whose response is cached. False when it is due for the sample, and has to be decided again.
    func passesOver(_ countdown: Countdown) -> Bool {
        countdown.left -= 1
        return countdown.left > 0
    }

    func note(_ context: PollContext, at now: Timestamp) {
        let countdown = context.countdown
        countdown.left -= 1
        if countdown.left <= 0 { countdown.left = samples.offer(context.targeting, of: context.app.name, at: now) }
    }

    /// Forgets apps that are gone.
    func keep(_ snapshot: Snapshot) {
        countdowns = countdowns.filter { snapshot.apps[$0.key] != nil }
        samples.keep(only: snapshot.apps.keys)
    }
}
