internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// A request to a route, with what it is judged by. A `Call` is on its worker's thread, a `BackgroundCall` is outside
/// the event loops.
protocol RoutedRequest {
    var request: Request { get }
    var endpoint: Endpoint { get }
    var parameters: PathParameters { get }
    /// The principal; nil before it is looked up, and on routes that need no token.
    var principal: Principal? { get }
    /// The time at which the handling of the request began, in the clock's nanoseconds.
    var began: Int64 { get }
    var snapshot: Snapshot { get }
    var settings: APISettings { get }
    var services: APIServices { get }
    var meter: WorkerMeter { get }
    var expandedBytes: ExpandedBytes { get }
    /// The trace of the client's request, also if another route asks for it; nil if there is none.
    var trace: TraceContext? { get }
}

extension RoutedRequest {
    var now: Timestamp { services.clock.now() }
    /// The time at which the handling of the request began. All decisions for the request use this time.
    var arrived: Timestamp { Timestamp(nanoseconds: began) }

    /// The author and the time of a change, for the audit.
    var origin: ChangeOrigin { ChangeOrigin(author: author, at: arrived) }
    /// The name of the token; empty without one.
    var author: String { principal?.name.text ?? "" }

    func parameter(_ name: String) -> Identifier { optionalParameter(name) ?? "" }
    func optionalParameter(_ name: String) -> Identifier? { parameters[name].map { Identifier($0) } }

    /// The app in the path.
    func app() throws(APIError) -> AppSnapshot {
        let name = parameter("app")
        guard let app = snapshot.apps[name] else { throw .notFound("There is no app \"\(name)\".") }
        return app
    }

    /// The query's items, in order.
    func query(plus: PlusSign = .space) throws(APIError) -> [QueryItem] {
        guard let raw = request.query else { return [] }
        do {
            return try QueryItems.parse(raw, plus: plus)
        } catch {
            throw .badRequest("query", error.message)
        }
    }

    /// The limits of JSON in the body. The body's bytes were limited at reception.
    var jsonLimits: JSONLimits {
        var limits = JSONLimits.standard
        limits.depth = settings.jsonDepth
        limits.bytes = max(limits.bytes, request.body.count)
        return limits
    }

    /// The body as JSON.
    func json() throws(APIError) -> JSONValue {
        try MediaType.requireJSON(request)
        try requireLength()
        do {
            return try JSONValue(parsing: request.body, limits: jsonLimits)
        } catch {
            throw .notJSON(error)
        }
    }

    /// A response that the client may cache and revalidate: 304 if the client has the one with this tag (RFC 9110
    /// 13.1.2).
    func conditional(_ tag: String, _ make: () -> Response) -> Response {
        let isKnown = request.header(.ifNoneMatch).map { EntityTag.matches(ifNoneMatch: $0, etag: tag) } ?? false
        var response = isKnown ? Response(304) : make()
        response.add("ETag", tag)
        response.add("Cache-Control", "private, no-cache")
        return response
    }

    /// The same for a response whose bytes are needed for its entity tag.
    func conditional(_ json: JSONValue) -> Response { conditional(json.encoded, as: "application/json") }

    func conditional(_ body: [UInt8], as mediaType: String) -> Response {
        conditional("\"\(Digest.hex(Digest.sha256(body).prefix(12)))\"") {
            var response = Response(200, body: .bytes(body))
            response.add("Content-Type", mediaType)
            return response
        }
    }

    /// The request with its expanded body, and the share of the expanded bytes; nil if the body is not compressed.
    func expandedRequest() throws(APIError) -> (Request, ExpandedBytes.Share)? {
        guard let request = try BodyExpansion.expand(request, limit: endpoint.body.limit(settings)) else { return nil }
        guard let share = expandedBytes.take(request.body.count) else { throw .store(.overloaded) }
        return (request, share)
    }

    /// Throws if the request has no length. Such a request has no body, which differs from an empty body (RFC 9112
    /// 6.3).
    func requireLength() throws(APIError) {
        let isAnnounced = request.header(.contentLength) != nil || request.header(.transferEncoding) != nil
        if !isAnnounced, request.body.isEmpty { throw .lengthRequired }
    }
}

extension Request {
    /// The trace that the request belongs to; nil if it names none, or if it names several
    /// (docs/reference/http-api.md#traces).
    var trace: TraceContext? {
        guard let parent = header(.traceParent), !isRepeated(.traceParent) else { return nil }
        return TraceContext(parent: parent, state: header(.traceState))
    }
}
