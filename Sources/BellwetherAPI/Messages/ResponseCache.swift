internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherService
internal import HTTPWire

/// The third of the three memories: what a poll by GET or a question for flags was answered, so that a client that asks
/// the same again costs a look-up.
///
/// Key: 128 bits of a hash over the request line, the fields that the answer depends on, and the body. Bound: number,
/// and bytes with the messages and features that answers keep alive; when it is full it starts again. Owner: one
/// worker's thread. Invalidation: an answer holds while the rows of its client, and of the user that the client was
/// identified with, have the same versions and before its decision's `validUntil`; every publish and every change of
/// tokens or settings empties it. Without it every answer is the same.
final class ResponseCache {
    private var answers: BoundedCache<RequestDigest, CachedResponse>
    /// Grows each time that the cache is emptied.
    private var era = 0

    init(capacity: Int, bytes: Int) { answers = BoundedCache(capacity: capacity, bytes: bytes) }

    func removeAll() {
        answers.removeAll()
        era += 1
    }

    /// Nil: the answer to the request is never kept.
    func key(for request: Request) -> ResponseKey? {
        RequestDigest(request).map { ResponseKey(question: $0, era: era) }
    }

    /// The answer to the same request, if there is one; the caller checks that it still holds.
    func find(_ key: ResponseKey) -> CachedResponse? { key.era == era ? answers[key.question] : nil }

    /// Keeps what a request is answered, unless the cache was emptied since the request came.
    func keep(_ kept: CachedResponse, as key: ResponseKey?) {
        // Of a session nothing is kept: it may end by itself, and whether a page may use it is looked at each time.
        guard kept.principal?.session == nil else { return }
        guard let key, key.era == era, kept.made < kept.end else { return }
        answers.keep(kept, size: kept.size(), for: key.question)
    }
}

/// Under which an answer is kept. What is answered from something that was served before the cache was emptied is not
/// kept, so that an exchange may wait in between.
struct ResponseKey {
    fileprivate let question: RequestDigest
    fileprivate let era: Int
}

/// An answer, and what it takes to give it again.
struct CachedResponse {
    let answer: CachedBody
    /// The route that gave it, by its position in `Routes.all`.
    let endpoint: Int
    /// Those that were looked at: who asks, and the user that the client is.
    let rows: ReadRows
    let principal: Principal?
    /// By which the client's requests are limited; 0 where they are not.
    let client: UInt64
    let ignoredAttributes: Int
    /// Of the app's polls; nil for what is no poll.
    let countdown: PollSampling.Countdown?
    let made: Timestamp
    /// Exclusive: when the decision or the token expires.
    let end: Timestamp

    /// Seconds.
    private static let longest: Int64 = 3600
    /// Of an answer's list of messages or features, about.
    static let partBytes = 128

    init(_ answer: CachedBody, to question: some CacheableRequest, from rows: ReadRows, validUntil: Timestamp) {
        let call = question.call
        self.answer = answer
        endpoint = call.endpoint.position
        self.rows = rows
        principal = call.principal
        client = call.worker.rates.isSet(.client) ? RateGate.key(rows.client.app, rows.client.id) : 0
        ignoredAttributes = question.ignoredAttributes
        countdown = question.countdown
        made = call.arrived
        end = min(validUntil, principal?.expires ?? validUntil, made.adding(seconds: Self.longest))
    }

    /// With the answer's own parts, and those that no other kept answer holds.
    fileprivate func size() -> Int {
        MemoryLayout<CachedResponse>.stride + rows.nameBytes + Self.partBytes + answer.uncountedSize()
    }

    /// A clock that was set back makes no answer hold before it was made.
    func holds(at now: Timestamp) -> Bool { made <= now && now < end }
}

/// A question whose answer may be kept.
protocol CacheableRequest {
    var call: Call { get }
    /// How many attributes of the question the manifest does not declare.
    var ignoredAttributes: Int { get }
    /// Of the app's polls; nil for what is no poll.
    var countdown: PollSampling.Countdown? { get }
}

extension PollHandler: CacheableRequest {
    var countdown: PollSampling.Countdown? { context.countdown }
}

extension FlagHandler: CacheableRequest {
    var countdown: PollSampling.Countdown? { nil }
}

/// What may be given again.
enum CachedBody {
    case poll(PollResponse)
    case flags(FlagResponse)

    func response(to request: Request, counting meter: WorkerMeter) -> Response {
        switch self {
        case .poll(let answer): answer.response(to: request, counting: meter)
        case .flags(let answer): answer.response(to: request)
        }
    }

    /// Bytes of what no other kept answer holds.
    func uncountedSize() -> Int {
        switch self {
        case .poll(let answer): answer.items.reduce(0) { $0 + $1.message.uncountedSize() }
        case .flags(let answer): answer.features.reduce(0) { $0 + $1.uncountedSize() }
        }
    }
}

/// A poll by GET or a question for flags as it was sent: the target, those fields that its answer depends on, and the
/// body.
struct RequestDigest: Hashable {
    private let first: UInt64
    private let second: UInt64

    private static let path = Array("/messages".utf8)
    /// Bytes of a body: a longer one is not worth hashing.
    private static let maximumBody = 4096

    /// Nil: it is something else.
    init?(_ request: Request) {
        switch request.method {
        case .get:
            guard request.query != nil, request.path.suffix(Self.path.count).elementsEqual(Self.path) else {
                return nil
            }
            (first, second) = request.question(with: .authorization, .acceptLanguage)
        case .post:
            guard FlagRoutes.isQuestion(request), request.body.count <= Self.maximumBody else { return nil }
            (first, second) = request.question(with: .authorization, .apiKey, .acceptLanguage, .contentEncoding)
        default: return nil
        }
    }

    /// The digest is a seeded hash already.
    func hash(into hasher: inout Hasher) { hasher.combine(first) }
}
