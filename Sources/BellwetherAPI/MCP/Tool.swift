internal import BellwetherJSON
internal import BellwetherService

/// A tool as data: its description for a model, its abilities, and its call (docs/reference/mcp.md#tools).
struct Tool: Sendable {
    let name: String
    let title: String
    let description: String
    let effect: Effect
    /// The abilities of which one is enough. A tool that the token has no ability for is listed all the same, and its
    /// result names the ability.
    let abilities: [Ability]
    let input: [ToolMember]
    let output: [ToolMember]
    let run: @Sendable (ToolCall) throws(APIError) -> Handling

    /// The effect of a call on the app. No tool reaches beyond the daemon.
    enum Effect: Sendable {
        case reads
        /// Stores a document that no client is shown, or takes back a restriction.
        case adds
        /// Changes what people are shown.
        case changes
    }

    /// The app is known where the token is for one, or where there is one.
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
