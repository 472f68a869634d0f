internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherService
internal import HTTPWire

/// A request about one collection: its content for the reader, and the header fields of every response about it.
struct CollectionCall {
    /// How long a cache between the daemon and the phones may respond itself.
    enum Caching {
        /// Each time it asks whether it still holds.
        case validated
        /// As long as one may be late with news.
        case minute
        /// The reader named the newest change there is: nothing later can be in this response.
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

    /// Nothing, where the reader has what there is. `changed`: as for `addFields`.
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

    /// The tag is the collection's time, and readers take it apart: it stays strong, whether compressed or not, as it
    /// does with Remote Settings.
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

    /// `changed`: the time of the content's last change; nil: that of the collection.
    func addFields(to response: inout Response, cache: Caching, changed: Int64? = nil) {
        let time = changed ?? list.timestamp
        response.isEncoded = true
        response.add("ETag", Self.tag(time))
        response.add("Last-Modified", HTTPDate.text(seconds: Timestamp(milliseconds: time).seconds))
        response.add("Cache-Control", (isPublic ? "public, " : "private, ") + cache.directive)
    }
}
