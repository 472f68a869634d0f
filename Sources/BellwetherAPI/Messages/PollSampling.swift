internal import BellwetherBase
internal import BellwetherCore
import BellwetherJSON
internal import BellwetherService

/// Offers the clients that poll to the sample of clients. A client that was offered is not offered again in the same
/// hour and publication, unless one of the others has taken its place in the table. Any other poll costs a hash.
///
/// A repeated poll is not offered. Its response is valid for an hour at most, so the next poll is decided again.
final class PollSampling {
    private static let places = 16_384
    /// The hashes of offered clients, each in the place of its remainder.
    private var offered = [UInt64](repeating: 0, count: places)
    /// The largest hash of a client that an app's sample takes.
    private var bounds: [Identifier: UInt64] = [:]
    private var hour: Int64 = 0
    private let samples: ClientSamples

    init(samples: ClientSamples) { self.samples = samples }

    /// Notes a poll after its decision.
    ///
    /// - Parameter state: the client's state, joined with its user's, after the poll.
    func note(_ polling: PollHandler, _ state: ClientState) {
        let (app, now) = (polling.app.name, polling.call.arrived)
        if now.hour != hour { begin(now.hour) }
        let hash = ClientSamples.hash(of: polling.poll.client)
        let place = Int(hash % UInt64(Self.places))
        guard offered[place] != hash, hash <= bounds[app] ?? .max else { return }
        offered[place] = hash
        bounds[app] = samples.offer(polling.context.targeting, state, hash: hash, of: app, at: now)
    }

    /// Offers all clients again. A sample's bound may have risen.
    private func begin(_ hour: Int64) {
        self.hour = hour
        bounds = [:]
        for place in offered.indices { offered[place] = 0 }
    }

    /// Follows a publication: its recipes may enroll clients that were offered in this hour.
    func follow(_ snapshot: Snapshot) {
        begin(hour)
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
