internal import BellwetherBase
internal import BellwetherJSON
internal import HTTPWire

/// A revision of the Model Context Protocol, newest first (docs/reference/mcp.md#revisions).
enum MCPRevision: String, CaseIterable {
    /// The stateless revision: each request describes its client's revision and capabilities.
    case stateless = "2026-07-28"
    case november2025 = "2025-11-25"
    case june2025 = "2025-06-18"
    case march2025 = "2025-03-26"
    case november2024 = "2024-11-05"

    /// The newest of the revisions that begin with `initialize`.
    static let newestLegacy = november2025

    var isLegacy: Bool { self != .stateless }

    static let names = JSONValue.array(allCases.map { .string($0.rawValue) })
}

/// The header fields in which a stateless request repeats values of its body, for proxies that do not read the body.
enum MCPHeaders {
    static let revision = "MCP-Protocol-Version"
    private static let method = "Mcp-Method"
    private static let name = "Mcp-Name"

    /// The parameter that `Mcp-Name` repeats, by method.
    static let named = ["tools/call": "name", "prompts/get": "name", "resources/read": "uri"]

    static func revision(of request: Request) -> String? { text(revision, of: request) }

    /// Refuses a request whose header fields differ from its body.
    static func check(_ request: Request, _ message: MCPMessage, revision: String) throws(MCPError) {
        try compare(self.revision, request, with: revision)
        try compare(method, request, with: message.method)
        guard let member = named[message.method], let value = message.params[member]?.string else { return }
        try compare(name, request, with: value)
    }

    private static func compare(_ field: String, _ request: Request, with value: String) throws(MCPError) {
        guard let sent = text(field, of: request).flatMap(decoded), sent.hasSameBytes(as: value) else {
            throw MCPError(.headerMismatch, "The field \(field) is not equal to what the body says.")
        }
    }

    private static func text(_ field: String, of request: Request) -> String? {
        request.header(named: field).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Decodes `=?base64?…?=`, the form of a value that a header field cannot contain. Nil if the value is malformed.
    private static func decoded(_ text: String) -> String? {
        guard text.hasPrefix("=?base64?"), text.hasSuffix("?="), text.utf8.count >= 11 else { return text }
        let payload = String(text.dropFirst(9).dropLast(2))
        guard let bytes = Base64.decode(payload), Base64.encode(bytes[...]).hasSameBytes(as: payload) else {
            return nil
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
