internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherService
internal import HTTPWire

/// The third of the three memories: what a poll by GET was answered, so that a client that asks the same again costs a
/// look-up.
///
/// Key: 128 bits of a hash over the request line and the fields that the answer depends on. Bound: number, and bytes of
/// the messages that answers keep alive; when it is full it starts again. Owner: one worker's thread. Invalidation: an
/// answer holds while its client's row has the same version and before its decision's `validUntil`; every
/// publish and every change of tokens or settings empties it. Without it every answer is the same.
final class AnswerCache {
    private var answers: BoundedCache<PollDigest, KeptAnswer>
    /// Of the request at hand, so that `keep` need not compute it again.
    private var asked: PollDigest?

    init(capacity: Int, bytes: Int) { answers = BoundedCache(capacity: capacity, bytes: bytes) }

    func removeAll() {
        answers.removeAll()
        asked = nil
    }

    /// The answer to the same request, if there is one; the caller checks that it still holds.
    func find(_ request: Request) -> KeptAnswer? {
        asked = PollDigest(request)
        return asked.flatMap { answers[$0] }
    }

    /// Keeps what the request at hand is answered.
    func keep(_ kept: KeptAnswer) {
        guard let asked, kept.made < kept.end else { return }
        answers.keep(kept, size: kept.answer.items.reduce(0) { $0 + $1.message.uncountedSize() }, for: asked)
    }
}

/// A poll's answer, and what it takes to give it again.
struct KeptAnswer {
    let answer: PollAnswer
    let asker: ClientReference
    let principal: Principal?
    /// By which the client's requests are limited; 0 where they are not.
    let client: UInt64
    let ignoredAttributes: Int
    let countdown: PollSampling.Countdown
    /// Of the client's row that was looked at; 0: it had none.
    let version: UInt64
    let made: Timestamp
    /// Exclusive: when the decision or the token expires.
    let end: Timestamp

    /// Seconds.
    private static let longest: Int64 = 3600

    init(_ answer: PollAnswer, to polling: PollAnswering, version: UInt64, validUntil: Timestamp) {
        self.answer = answer
        let call = polling.call
        asker = ClientReference(app: polling.app.name, id: polling.clientID)
        principal = call.principal
        client = call.worker.rates.isSet(.client) ? RateGate.key(polling.app.name, polling.clientID) : 0
        ignoredAttributes = polling.ignoredAttributes
        countdown = polling.context.countdown
        self.version = version
        made = call.arrived
        end = min(validUntil, principal?.expires ?? validUntil, made.adding(seconds: Self.longest))
    }

    /// A clock that was set back makes no answer hold before it was made.
    func holds(at now: Timestamp) -> Bool { made <= now && now < end }
}

/// A poll by GET as it was sent: the target, and those fields that its answer depends on.
struct PollDigest: Hashable {
    private let first: UInt64
    private let second: UInt64

    private static let path = Array("/messages".utf8)

    /// Nil: it is something else.
    init?(_ request: Request) {
        guard request.method == .get, request.query != nil,
            request.path.suffix(Self.path.count).elementsEqual(Self.path)
        else { return nil }
        (first, second) = request.question(with: .authorization, .acceptLanguage)
    }

    /// The digest is a seeded hash already.
    func hash(into hasher: inout Hasher) { hasher.combine(first) }
}
