internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherService
internal import HTTPWire

/// The third of the three caches: responses to polls by GET and to requests for flags. A repeated request costs one
/// look-up.
///
/// Key: 128 bits of a hash over the request line, the fields that the response depends on, and the body. Bound: number,
/// and bytes with the messages and features that responses keep alive; a full cache starts empty again. Owner: one
/// worker's thread. Invalidation: a response is valid until its decision's `validUntil`, and while the rows of its
/// client and of the client's user have the same versions. Every publish and every change of tokens or settings empties
/// the cache. The cache never changes a response.
final class ResponseCache {
    private var responses: BoundedCache<RequestDigest, CachedResponse>
    /// The number of times that the cache was emptied.
    private var era = 0

    init(capacity: Int, bytes: Int) { responses = BoundedCache(capacity: capacity, bytes: bytes) }

    func removeAll() {
        responses.removeAll()
        era += 1
    }

    /// The key of a request; nil if its response is never cached.
    func key(for request: Request) -> ResponseKey? {
        // The digest does not contain the names of a client's certificate.
        guard request.clientNames.isEmpty else { return nil }
        return RequestDigest(request).map { ResponseKey(digest: $0, era: era) }
    }

    /// The cached response to the same request, if there is one. The caller checks that it is still valid.
    func find(_ key: ResponseKey) -> CachedResponse? { key.era == era ? responses[key.digest] : nil }

    /// Caches the response to a request, unless the cache was emptied since the request came.
    func keep(_ kept: CachedResponse, as key: ResponseKey?) {
        // A session's responses are not cached. A session may end at any time, and the daemon checks for each request
        // whether the page may use the session.
        guard kept.principal?.session == nil else { return }
        guard let key, key.era == era, kept.made < kept.end else { return }
        responses.keep(kept, size: kept.size(), for: key.digest)
    }
}

/// The key of a cached response. A response is not cached if the cache was emptied after its request began. So a
/// request may wait in between.
struct ResponseKey {
    fileprivate let digest: RequestDigest
    fileprivate let era: Int
}

/// A response, and the facts that decide whether it may be sent again.
struct CachedResponse {
    let body: CachedBody
    /// The index of the response's route in `Routes.all`.
    let endpoint: Int
    /// The rows that were read: the row of the client, and the row of the user as whom the client was identified.
    let rows: ReadRows
    let principal: Principal?
    /// The key of the client's rate limit; 0 if there is no limit.
    let client: UInt64
    let ignoredAttributes: Int
    let made: Timestamp
    /// The time at which the decision or the token expires, exclusive.
    let end: Timestamp

    /// The longest validity, in seconds.
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
        made = call.arrived
        end = min(validUntil, principal?.expires ?? validUntil, made.adding(seconds: Self.longest))
    }

    /// The size of the response's own parts, and of the messages and features that no other cached response holds.
    fileprivate func size() -> Int {
        MemoryLayout<CachedResponse>.stride + rows.nameBytes + Self.partBytes + body.uncountedSize()
    }

    /// Whether the response is valid. After the clock was set back, no response is valid before it was made.
    func holds(at now: Timestamp) -> Bool { made <= now && now < end }
}

/// A request whose response may be cached.
protocol CacheableRequest {
    var call: Call { get }
    /// How many attributes of the request are not declared in the manifest.
    var ignoredAttributes: Int { get }
}

extension PollHandler: CacheableRequest {}

extension FlagHandler: CacheableRequest {}

/// The body of a cached response.
enum CachedBody {
    case poll(PollResponse)
    case flags(FlagResponse)

    func response(to request: Request, counting meter: WorkerMeter) -> Response {
        switch self {
        case .poll(let response): response.response(to: request, counting: meter)
        case .flags(let response): response.response(to: request)
        }
    }

    /// The bytes of messages and features that no other cached response holds.
    func uncountedSize() -> Int {
        switch self {
        case .poll(let response): response.items.reduce(0) { $0 + $1.message.uncountedSize() }
        case .flags(let response):
            response.features.reduce(response.eventStreams.count) { $0 + $1.uncountedSize() }
        }
    }
}

/// A poll by GET or a request for flags, as it was sent: the target, the fields that its response depends on, and the
/// body.
struct RequestDigest: Hashable {
    private let first: UInt64
    private let second: UInt64

    private static let path = Array("/messages".utf8)
    /// The maximum bytes of a hashed body. The response to a longer body is not cached.
    private static let maximumBody = 4096

    /// Nil for any other request.
    init?(_ request: Request) {
        switch request.method {
        case .get:
            guard request.query != nil, request.path.suffix(Self.path.count).elementsEqual(Self.path) else {
                return nil
            }
            (first, second) = request.digest(with: .authorization, .acceptLanguage)
        case .post:
            // A query names the publication that the client knows (docs/reference/streams.md#openfeature).
            guard FlagRoutes.isFlagRequest(request), request.query == nil, request.body.count <= Self.maximumBody
            else { return nil }
            (first, second) = request.digest(with: .authorization, .apiKey, .acceptLanguage, .contentEncoding)
        default: return nil
        }
    }

    /// The digest already is a seeded hash.
    func hash(into hasher: inout Hasher) { hasher.combine(first) }
}
