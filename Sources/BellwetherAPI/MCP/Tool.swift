internal import BellwetherJSON
internal import BellwetherService

/// A tool as data: its description for a model, its abilities, and its handler (docs/reference/mcp.md#tools).
struct Tool: Sendable {
    let name: String
    let title: String
    let description: String
    let effect: Effect
    /// The token needs one of these abilities. A tool is listed even if the token has none; then its result names the
    /// ability.
    let abilities: [Ability]
    let input: [ToolMember]
    let output: [ToolMember]
    let run: @Sendable (ToolCall) throws(APIError) -> Step

    /// The effect of a call on the app. No tool affects anything outside the daemon.
    enum Effect: Sendable {
        case reads
        /// Stores a document that no client sees, or removes a restriction.
        case adds
        /// Changes the content that people see.
        case changes
    }

    /// The app may be omitted if the token is for one app, or if there is only one.
    static let app = ToolMember.optional("app", .string, "Needed where several apps are visible")

    var listing: JSONValue {
        [
            "name": .string(name), "title": .string(title), "description": .string(description),
            "inputSchema": input.schema(isClosed: true), "outputSchema": output.schema(isClosed: false),
            "annotations": [
                "readOnlyHint": .bool(effect == .reads), "destructiveHint": .bool(effect == .changes),
                "idempotentHint": true, "openWorldHint": false,
            ],
        ]
    }
}

/// All tools, in the order in which they are listed.
enum Tools {
    static let all = DocumentTools.all + StateTools.all + TrialTools.all + ResultTools.all

    static let listing = JSONValue.array(all.map(\.listing))

    static func find(_ name: String) -> Tool? { all.first { $0.name == name } }
}
