internal import BellwetherCore
internal import BellwetherService

/// Counts for a sample of a worker's polls the outcome of every message, for `/metrics`: which reasons keep messages
/// from clients. A poll that is not in the sample costs a subtraction; one that is, an evaluation of its messages.
final class SampledExplanations {
    /// One poll of so many, the first among them.
    static let period = 4096
    /// Messages looked at, in the order of selection: what a sampled poll may cost is bounded.
    static let messages = 256

    private var left = 1

    /// Counts a poll whose response is cached. False when it is due for the sample, and has to be decided again.
    func passesOver() -> Bool {
        left -= 1
        return left > 0
    }

    /// Notes that a poll begins. If the client's state is not in memory, the poll is noted again when that was read.
    func note(_ polling: PollHandler) {
        left -= 1
        guard left <= 0 else { return }
        switch polling.call.services.persistence.lookUp(polling.poll.client) {
        case .known(let held): if let state = held.state { explain(polling, state) }
        case .absent: explain(polling, ClientState())
        case .notLoaded: break
        }
    }

    /// The state of a poll's client was read.
    func noteRead(_ polling: PollHandler, _ state: ClientState) { if left <= 0 { explain(polling, state) } }

    private func explain(_ polling: PollHandler, _ state: ClientState) {
        left = Self.period
        polling.call.worker.meter.count(
            polling.app.compiledApp.verdicts(polling.poll.query, state: state, bound: Self.messages))
    }
}
