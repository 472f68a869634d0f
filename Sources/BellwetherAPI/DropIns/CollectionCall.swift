internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// A request about one collection: its content for the reader, and the header fields of every response about it.
struct CollectionCall {
    /// How long a cache between the daemon and the phones may respond without the daemon.
    enum Caching {
        /// The cache validates its copy each time.
        case validated
        /// The cache may serve changes up to a minute late.
        case minute
        /// The reader named the newest change: this response can never contain a later one.
        case hour

        fileprivate var directive: String {
            switch self {
            case .validated: "no-cache"
            case .minute: "max-age=60"
            case .hour: "max-age=3600"
            }
        }
    }

    let source: CollectionCache.Source
    let list: RecordList
    private let request: Request
    /// Whether the response is the same for all clients.
    private let isPublic: Bool

    /// A token for one app sees that app's records, every other token the union of all apps.
    init(_ call: Call) throws(KintoError) {
        let app = call.principal.flatMap { $0.app == "*" ? nil : $0.app }
        source = CollectionCache.Source(collection: call.parameter("collection"), app: app)
        guard let list = call.worker.records.list(source, in: call.worker.snapshot) else { throw .noCollection }
        self.list = list
        request = call.request
        isPublic = call.request.header(.authorization) == nil
    }

    /// A response without content if the reader has the newest version; else nil. `changed` is the same as in
    /// `addFields`.
    func notModified(cache: Caching = .validated, changed: Int64? = nil) -> Response? {
        let tag = Self.tag(changed ?? list.timestamp)
        guard let known = request.header(.ifNoneMatch), EntityTag.matches(ifNoneMatch: known, etag: tag) else {
            return nil
        }
        var response = Response(304)
        addFields(to: &response, cache: cache, changed: changed)
        return response
    }

    private static func tag(_ time: Int64) -> String { "\"\(time)\"" }

    /// The tag is the collection's time, which readers parse. So the tag stays strong even for a compressed body, as in
    /// Remote Settings.
    func response(_ content: CollectionCache.Content, cache: Caching) -> Response {
        var response = Response(200, body: content.body)
        response.isEncoded = true
        response.add("Content-Type", "application/json")
        response.add("Vary", "Accept-Encoding")
        if Compression.isAccepted(request.header(.acceptEncoding)), let gzip = content.gzip {
            response.body = .bytes(gzip)
            response.add("Content-Encoding", "gzip")
        }
        addFields(to: &response, cache: cache)
        return response
    }

    /// `changed` is the time of the content's last change; nil for the time of the collection.
    func addFields(to response: inout Response, cache: Caching, changed: Int64? = nil) {
        let time = changed ?? list.timestamp
        response.isEncoded = true
        response.add("ETag", Self.tag(time))
        response.add("Last-Modified", HTTPDate.text(seconds: Timestamp(milliseconds: time).seconds))
        response.add("Cache-Control", (isPublic ? "public, " : "private, ") + cache.directive)
    }
}
