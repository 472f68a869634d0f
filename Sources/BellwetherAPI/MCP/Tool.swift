internal import BellwetherJSON
internal import BellwetherService

/// A tool as data: what a model is told of it, what it needs, and what it does (docs/reference/mcp.md#tools).
struct Tool: Sendable {
    let name: String
    let title: String
    let description: String
    let effect: Effect
    /// Of which one is enough. What a token may not do is listed all the same, and its answer says what it needs.
    let abilities: [Ability]
    let input: [ToolMember]
    let output: [ToolMember]
    let run: @Sendable (ToolCall) throws(APIError) -> Handling

    /// What a call does to the app. No tool reaches beyond the daemon.
    enum Effect: Sendable {
        case reads
        /// Stores what nobody is shown, or takes back what was shown less.
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
