internal import BellwetherCore
internal import BellwetherService

/// Tells for a sample of a worker's polls what became of every message, for `/metrics`: which reasons keep messages from
/// clients. A poll that is not in the sample costs a subtraction; one that is, an evaluation of what it asked.
final class SampledExplanations {
    /// One poll of so many, the first among them.
    static let period = 1024
    /// Messages looked at, in the order of selection: what a sampled poll may cost is bounded.
    static let messages = 256

    private var left = 1

    /// A client whose state is not in memory is passed over for the next one.
    func note(_ polling: PollAnswering) {
        left -= 1
        guard left <= 0 else { return }
        let state: ClientState
        switch polling.call.services.store.lookUp(polling.client) {
        case .known(let held):
            guard let known = held.state else { return }
            state = known
        case .absent: state = ClientState()
        case .notLoaded: return
        }
        left = Self.period
        polling.call.worker.meter.count(
            polling.app.edition.verdicts(polling.poll.query, state: state, bound: Self.messages))
    }
}
