internal import BellwetherJSON
internal import HTTPWire

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
