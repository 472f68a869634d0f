internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Live Nimbus recipes in the form of Remote Settings, for phones and for Kinto's own client
/// (docs/reference/http-api.md#remote-settings). Read-only.
enum RemoteSettingsRoutes {
    private static let collection = "/v1/buckets/main/collections/{collection}"

    static let all = [
        route("/v1/", server),
        route(collection, describe),
        route(collection + "/records", listRecords),
        route(collection + "/records/{record}", getRecord),
        route(collection + "/changeset", changeset),
    ]

    private typealias Handler = @Sendable (Call) throws(KintoError) -> Response

    /// A route whose refusals are in Kinto's words.
    private static func route(_ pattern: String, _ handle: @escaping Handler) -> Endpoint {
        Endpoint(.get, pattern, .interface(.remoteSettings)) { call throws(APIError) in
            do throws(KintoError) {
                return .now(try handle(call))
            } catch {
                return .now(error.response)
            }
        }
    }

    /// The document that a client reads first.
    @Sendable private static func server(_ call: Call) throws(KintoError) -> Response {
        .json(
            200,
            [
                "project_name": "bellwether", "project_version": .string(call.services.version),
                "http_api_version": "1.22", "settings": ["readonly": true], "capabilities": [:],
            ])
    }

    @Sendable private static func describe(_ call: Call) throws(KintoError) -> Response {
        let collection = try CollectionCall(call)
        if let unchanged = collection.notModified() { return unchanged }
        let metadata = CollectionCache.metadata(collection.source.collection, collection.list.timestamp)
        var response = Response.json(200, ["data": .object(metadata), "permissions": [:]])
        collection.addFields(to: &response, cache: .validated)
        return response
    }

    @Sendable private static func listRecords(_ call: Call) throws(KintoError) -> Response {
        let collection = try CollectionCall(call)
        let query = try RecordQuery(call, .list)
        if let unchanged = collection.notModified() { return unchanged }
        let content = call.worker.records.content(.records, collection.source, collection.list, query)
        var response = collection.response(content, cache: .validated)
        response.add("Total-Records", String(content.count))
        response.add("Total-Objects", String(content.count))
        if let last = content.last { response.add("Next-Page", try address(of: call, after: last)) }
        return response
    }

    /// The address of the page after a record: the same query with another token.
    private static func address(of call: Call, after last: RecordPosition) throws(KintoError) -> String {
        let kept = try RecordQuery.items(of: call).filter { $0.name != "_token" }.map { ($0.name, $0.value) }
        let query = (kept + [("_token", last.token)]).map { name, value in
            "\(PercentEncoding.queryValue(name))=\(PercentEncoding.queryValue(value))"
        }
        let host = call.request.header(.host).map { "http://" + String(decoding: $0, as: UTF8.self) }
        let path = String(decoding: call.request.path, as: UTF8.self)
        return "\(call.settings.publicURL ?? host ?? "")\(path)?\(query.joined(separator: "&"))"
    }

    @Sendable private static func getRecord(_ call: Call) throws(KintoError) -> Response {
        let collection = try CollectionCall(call)
        let query = try RecordQuery(call, .record)
        let id = call.parameter("record")
        guard let record = collection.list.records.first(where: { $0.stored.id == id && !$0.isDeleted })
        else {
            throw KintoError.noRecord
        }
        if let unchanged = collection.notModified(changed: record.lastModified) { return unchanged }
        var response = Response.json(200, ["data": .object(query.selected(record)), "permissions": [:]])
        collection.addFields(to: &response, cache: .validated, changed: record.lastModified)
        return response
    }

    /// The URL contains the version that its reader has, so a cache keeps a separate response for each version.
    @Sendable private static func changeset(_ call: Call) throws(KintoError) -> Response {
        let collection = try CollectionCall(call)
        let query = try RecordQuery(call, .changeset)
        let caching: CollectionCall.Caching = query.expected == collection.list.timestamp ? .hour : .minute
        if let unchanged = collection.notModified(cache: caching) { return unchanged }
        let content = call.worker.records.content(.changeset, collection.source, collection.list, query)
        return collection.response(content, cache: caching)
    }
}

/// A refusal in the form that Kinto's clients read (Kinto API 1.x, "Error responses").
struct KintoError: Error {
    let status: Int
    let errno: Int64
    let error: String
    let message: String

    static func parameter(_ name: String, _ message: String) -> KintoError {
        KintoError(status: 400, errno: 107, error: "Invalid parameters", message: "\(name) in querystring: \(message)")
    }

    static let noCollection = KintoError(
        status: 404, errno: 111, error: "Not Found", message: "No app names this collection.")

    static let noRecord = KintoError(
        status: 404, errno: 110, error: "Not Found", message: "The collection has no such record.")

    var response: Response {
        .json(
            status,
            [
                "code": .integer(Int64(status)), "errno": .integer(errno), "error": .string(error),
                "message": .string(message),
            ])
    }
}
