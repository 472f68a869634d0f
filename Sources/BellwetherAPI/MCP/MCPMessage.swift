internal import BellwetherJSON
internal import HTTPWire

/// One message of JSON-RPC, in the form in which it was posted.
struct MCPMessage {
    /// The request's id; nil if the sender expects no response.
    let id: JSONValue?
    /// The method; empty for a response to a request of the server. This server sends no requests.
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

/// A request, and the revision of the protocol for its response.
struct MCPRequest {
    let message: MCPMessage
    let revision: MCPRevision

    private static let prefix = "io.modelcontextprotocol/"

    /// Reads the revision from the body, else from the header field. A request without either is a legacy request.
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

    /// Whether the client can ask its user to fill in a form.
    var canAsk: Bool {
        let can = message.meta[Self.prefix + "clientCapabilities"]?.object?["elicitation"]?.object
        return !revision.isLegacy && can.map { $0.isEmpty || $0["form"] != nil } ?? false
    }

    /// A result. A stateless result also says that it is complete, and names the server.
    func result(_ members: JSONObject, type: String = "complete", _ call: BackgroundCall) -> Response {
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

    /// A result that a client may cache.
    ///
    /// - Parameter isPublic: Whether the result is the same for every client.
    func result(_ members: JSONObject, keptSeconds: Int64, isPublic: Bool, _ call: BackgroundCall) -> Response {
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

/// An error of the protocol. A tool's failure is not such an error: it is in the tool's result, for the model.
struct MCPError: Error {
    enum Code: Int64 {
        case parse = -32700
        case invalidRequest = -32600
        case unknownMethod = -32601
        case invalidParameters = -32602
        /// The code for a missing resource, before 2026-07-28.
        case legacyMissingResource = -32002
        case headerMismatch = -32020
        case unknownRevision = -32022
        case failed = -32603

        /// The status of a response to a stateless request.
        fileprivate var status: Int {
            switch self {
            case .unknownMethod: 404
            case .failed: 200
            default: 400
            }
        }
    }

    let code: Code
    let message: String
    var data: JSONValue?

    init(_ code: Code, _ message: String, data: JSONValue? = nil) {
        (self.code, self.message, self.data) = (code, message, data)
    }

    static func unknownRevision(_ requested: String) -> MCPError {
        MCPError(
            .unknownRevision,
            "The revision \(JSONValue.string(requested).text) is not spoken here, but those of data.supported.",
            data: ["supported": MCPRevision.names, "requested": .string(requested)])
    }

    /// - Parameter id: The request's id; nil if it could not be read.
    func response(id: JSONValue?, hasStatus: Bool) -> Response {
        var error: JSONObject = ["code": .integer(code.rawValue), "message": .string(message)]
        if let data { error["data"] = data }
        var members: JSONObject = ["jsonrpc": "2.0"]
        if let id { members["id"] = id }
        members["error"] = .object(error)
        return .json(hasStatus ? code.status : 200, .object(members))
    }
}
