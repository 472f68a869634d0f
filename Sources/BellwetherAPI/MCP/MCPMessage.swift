internal import BellwetherJSON
internal import HTTPWire

/// One message of JSON-RPC, as it was posted.
struct MCPMessage {
    /// Nil: the sender expects no response.
    let id: JSONValue?
    /// Empty: it answers a request of ours, which never ask.
    let method: String
    let params: JSONObject

    init(_ value: JSONValue) throws(MCPError) {
        guard let members = value.object else {
            let what =
                value.array == nil ? "The message is no object." : "Batches are not taken: one message a request."
            throw MCPError(.invalidRequest, what)
        }
        guard members["jsonrpc"]?.string == "2.0" else { throw MCPError(.invalidRequest, "jsonrpc is not \"2.0\".") }
        id = members["id"]
        switch id {
        case nil, .string, .integer, .unsigned: break
        default: throw MCPError(.invalidRequest, "id is neither a string nor an integer.")
        }
        if let named = members["method"] {
            guard let text = named.string, !text.isEmpty else { throw MCPError(.invalidRequest, "method is no name.") }
            method = text
        } else {
            guard members["result"] != nil || members["error"] != nil else {
                throw MCPError(.invalidRequest, "method is missing.")
            }
            method = ""
        }
        guard let params = members["params"] else {
            self.params = [:]
            return
        }
        guard let object = params.object else { throw MCPError(.invalidRequest, "params is no object.") }
        self.params = object
    }

    var isRequest: Bool { id != nil && !method.isEmpty }

    /// The description of the client in a stateless request.
    var meta: JSONObject { params["_meta"]?.object ?? [:] }
}

/// A request, and the revision in which it is answered.
struct MCPRequest {
    let message: MCPMessage
    let revision: MCPRevision

    private static let prefix = "io.modelcontextprotocol/"

    /// By the body where it says its revision, else by the field; without either it is a legacy one.
    init(_ message: MCPMessage, _ request: Request) throws(MCPError) {
        self.message = message
        let field = MCPHeaders.revision(of: request)
        guard let said = message.meta[Self.prefix + "protocolVersion"] else {
            revision = try Self.legacy(field, message)
            return
        }
        guard let name = said.string else { throw MCPError(.invalidParameters, "protocolVersion is no string.") }
        try MCPHeaders.check(request, message, revision: name)
        guard let known = MCPRevision(rawValue: name) else { throw .unknownRevision(name) }
        revision = known
        guard known.isLegacy || message.meta[Self.prefix + "clientCapabilities"]?.object != nil else {
            throw MCPError(.invalidParameters, "params._meta has no \(Self.prefix)clientCapabilities.")
        }
    }

    private static func legacy(_ field: String?, _ message: MCPMessage) throws(MCPError) -> MCPRevision {
        let known = field.flatMap(MCPRevision.init)
        if let field, known == nil { throw .unknownRevision(field) }
        guard known != .stateless, message.method != "server/discover" else {
            throw MCPError(
                .invalidParameters, "params._meta has no \(prefix)protocolVersion and \(prefix)clientCapabilities.")
        }
        return known ?? .march2025
    }

    var method: String { message.method }
    var params: JSONObject { message.params }

    /// Whether the client can have its user fill in a form.
    var canAsk: Bool {
        let can = message.meta[Self.prefix + "clientCapabilities"]?.object?["elicitation"]?.object
        return !revision.isLegacy && can.map { $0.isEmpty || $0["form"] != nil } ?? false
    }

    /// A result. A stateless one says that it is whole, and names the server.
    func result(_ members: JSONObject, type: String = "complete", _ call: Call) -> Response {
        var result = members
        if !revision.isLegacy {
            result["resultType"] = .string(type)
            result["_meta"] = .object([(Self.prefix + "serverInfo", MCPMethods.serverInfo(call))].asObject)
        }
        var answer: JSONObject = ["jsonrpc": "2.0"]
        answer["id"] = message.id
        answer["result"] = .object(result)
        var response = Response.json(200, .object(answer))
        response.add("Cache-Control", "no-store")
        return response
    }

    /// A result that a client may keep for a while.
    ///
    /// - Parameter isPublic: it is the same for every client.
    func result(_ members: JSONObject, keptSeconds: Int64, isPublic: Bool, _ call: Call) -> Response {
        guard !revision.isLegacy else { return result(members, call) }
        var members = members
        members["ttlMs"] = .integer(keptSeconds * 1_000)
        members["cacheScope"] = isPublic ? "public" : "private"
        return result(members, call)
    }
}

extension [(String, JSONValue)] {
    var asObject: JSONObject { JSONObject(map { (key: $0.0, value: $0.1) }) }
}
