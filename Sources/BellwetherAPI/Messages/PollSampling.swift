internal import BellwetherBase
internal import BellwetherCore
import BellwetherJSON
internal import BellwetherService

/// Selects the polls of a worker that are offered to the sample of contexts. Any other poll costs one subtraction.
final class PollSampling {
    /// The number of polls of one app until the next offered poll.
    final class Countdown {
        fileprivate var left = 1
    }

    private let samples: ContextSamples
    private var countdowns: [Identifier: Countdown] = [:]

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

/// Counts the outcome of every message for a sample of a worker's polls, for `/metrics`. The counts show the reasons
/// that keep messages from clients. A poll outside the sample costs one subtraction; a sampled poll costs an evaluation
/// of its messages.
final class SampledExplanations {
    /// One poll in this many is sampled, beginning with the first.
    static let period = 4096
    /// The maximum number of evaluated messages, in the order of selection. It bounds the cost of a sampled poll.
    static let messages = 256

    private var left = 1

    /// Counts a poll whose response is cached. Returns false if the poll is due for the sample, and must be decided
    /// again.
    func passesOver() -> Bool {
        left -= 1
        return left > 0
    }

    /// Notes the start of a poll. If the client's state is not in memory, `noteRead` notes the poll after the state was
    /// read.
    func note(_ polling: PollHandler) {
        left -= 1
        guard left <= 0 else { return }
        switch polling.call.services.persistence.lookUp(polling.poll.client) {
        case .known(let held): if let state = held.state { explain(polling, state) }
        case .absent: explain(polling, ClientState())
        case .notLoaded: break
        }
    }

    /// Notes a poll after the state of its client was read.
    func noteRead(_ polling: PollHandler, _ state: ClientState) { if left <= 0 { explain(polling, state) } }

    private func explain(_ polling: PollHandler, _ state: ClientState) {
        left = Self.period
        polling.call.worker.meter.count(
            polling.app.compiledApp.verdicts(polling.poll.query, state: state, bound: Self.messages))
    }
}
