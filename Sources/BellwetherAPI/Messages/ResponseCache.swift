internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherService
internal import HTTPWire

/// The third of the three memories: responses to polls by GET and to requests for flags, so that a client that repeats
/// a request costs a look-up.
///
/// Key: 128 bits of a hash over the request line, the fields that the response depends on, and the body. Bound: number,
/// and bytes with the messages and features that responses keep alive; when it is full it starts again. Owner: one
/// worker's thread. Invalidation: a response holds while the rows of its client, and of the user that the client was
/// identified with, have the same versions and before its decision's `validUntil`; every publish and every change of
/// tokens or settings empties it. Without it every response is the same.
final class ResponseCache {
    private var responses: BoundedCache<RequestDigest, CachedResponse>
    /// Grows each time that the cache is emptied.
    private var era = 0

    init(capacity: Int, bytes: Int) { responses = BoundedCache(capacity: capacity, bytes: bytes) }

    func removeAll() {
        responses.removeAll()
        era += 1
    }

    /// Nil: the response to the request is never kept.
    func key(for request: Request) -> ResponseKey? {
        RequestDigest(request).map { ResponseKey(digest: $0, era: era) }
    }

    /// The response to the same request, if there is one; the caller checks that it still holds.
    func find(_ key: ResponseKey) -> CachedResponse? { key.era == era ? responses[key.digest] : nil }

    /// Keeps the response to a request, unless the cache was emptied since the request came.
    func keep(_ kept: CachedResponse, as key: ResponseKey?) {
        // A session's responses are not cached: a session may end by itself, and the right of a page to use it is
        // checked each time.
        guard kept.principal?.session == nil else { return }
        guard let key, key.era == era, kept.made < kept.end else { return }
        responses.keep(kept, size: kept.size(), for: key.digest)
    }
}

/// The key of a cached response. A response whose request began before the cache was emptied is not kept, so that an
/// exchange may wait in between.
struct ResponseKey {
    fileprivate let digest: RequestDigest
    fileprivate let era: Int
}

/// A response, and the facts that decide whether it may be sent again.
struct CachedResponse {
    let body: CachedBody
    /// The route that gave it, by its position in `Routes.all`.
    let endpoint: Int
    /// The rows that were read: of the client, and of the user that it was identified with.
    let rows: ReadRows
    let principal: Principal?
    /// The key by which the client's requests are limited; 0 where they are not.
    let client: UInt64
    let ignoredAttributes: Int
    /// The countdown of the app's polls; nil for a request that is no poll.
    let countdown: PollSampling.Countdown?
    let made: Timestamp
    /// Exclusive: when the decision or the token expires.
    let end: Timestamp

    /// Seconds.
    private static let longest: Int64 = 3600
    /// The approximate bytes of a response's list of messages or features.
    static let partBytes = 128

    init(_ body: CachedBody, to request: some CacheableRequest, from rows: ReadRows, validUntil: Timestamp) {
        let call = request.call
        self.body = body
        endpoint = call.endpoint.position
        self.rows = rows
        principal = call.principal
        client = call.worker.rates.isSet(.client) ? RateGate.key(rows.client.app, rows.client.id) : 0
        ignoredAttributes = request.ignoredAttributes
        countdown = request.countdown
        made = call.arrived
        end = min(validUntil, principal?.expires ?? validUntil, made.adding(seconds: Self.longest))
    }

    /// With the response's own parts, and those that no other kept response holds.
    fileprivate func size() -> Int {
        MemoryLayout<CachedResponse>.stride + rows.nameBytes + Self.partBytes + body.uncountedSize()
    }

    /// A clock that was set back makes no response hold before it was made.
    func holds(at now: Timestamp) -> Bool { made <= now && now < end }
}

/// A request whose response may be cached.
protocol CacheableRequest {
    var call: Call { get }
    /// How many attributes of the request the manifest does not declare.
    var ignoredAttributes: Int { get }
    /// The countdown of the app's polls; nil for a request that is no poll.
    var countdown: PollSampling.Countdown? { get }
}

extension PollHandler: CacheableRequest {
    var countdown: PollSampling.Countdown? { context.countdown }
}

extension FlagHandler: CacheableRequest {
    var countdown: PollSampling.Countdown? { nil }
}

/// The body of a response that may be sent again.
enum CachedBody {
    case poll(PollResponse)
    case flags(FlagResponse)

    func response(to request: Request, counting meter: WorkerMeter) -> Response {
        switch self {
        case .poll(let response): response.response(to: request, counting: meter)
        case .flags(let response): response.response(to: request)
        }
    }

    /// The bytes of messages and features that no other kept response holds.
    func uncountedSize() -> Int {
        switch self {
        case .poll(let response): response.items.reduce(0) { $0 + $1.message.uncountedSize() }
        case .flags(let response): response.features.reduce(0) { $0 + $1.uncountedSize() }
        }
    }
}

/// A poll by GET or a request for flags as it was sent: the target, those fields that its response depends on, and the
/// body.
struct RequestDigest: Hashable {
    private let first: UInt64
    private let second: UInt64

    private static let path = Array("/messages".utf8)
    /// The bound of a body's bytes: a longer one is not worth hashing.
    private static let maximumBody = 4096

    /// Nil: it is something else.
    init?(_ request: Request) {
        switch request.method {
        case .get:
            guard request.query != nil, request.path.suffix(Self.path.count).elementsEqual(Self.path) else {
                return nil
            }
            (first, second) = request.digest(with: .authorization, .acceptLanguage)
        case .post:
            guard FlagRoutes.isFlagRequest(request), request.body.count <= Self.maximumBody else { return nil }
            (first, second) = request.digest(with: .authorization, .apiKey, .acceptLanguage, .contentEncoding)
        default: return nil
        }
    }

    /// The digest is a seeded hash already.
    func hash(into hasher: inout Hasher) { hasher.combine(first) }
}
