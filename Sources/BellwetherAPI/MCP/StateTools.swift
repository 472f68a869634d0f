internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Tools that change the state of a recipe.
enum StateTools {
    static let all = [DocumentTools.publishDraft, pause, resume, end]

    static let confirm = ToolMember.optional(
        "confirm", .boolean, "The user has said yes. Not needed where the client asks them")
    static let output: [ToolMember] = [
        .required("revision", .integer), .required("state", .string), .required("warnings", .array),
    ]
    static let slug = ToolMember.required("slug", .string)
    private static let inForce = ToolMember.optional("expecting", .integer, "The revision in force")

    private static let pause = Tool(
        name: "pause_recipe", title: "Pause a recipe",
        description: "Takes a live recipe away from everybody. Enrollments and answers stay; resume_recipe goes on.",
        effect: .changes, abilities: [.publish], input: [Tool.app, slug, inForce], output: output
    ) { call throws(APIError) in
        try put(.paused, call)
    }

    private static let resume = Tool(
        name: "resume_recipe", title: "Resume a recipe",
        description:
            "Goes on with a paused recipe, with the revision that was live. A draft is put live by publish_draft.",
        effect: .changes, abilities: [.publish], input: [Tool.app, slug], output: output
    ) { call throws(APIError) in
        let meant = MeantDocument(recipe: call.arguments.identifier("slug") ?? "", of: try call.app())
        guard let version = meant.version(call) else { throw .notFound("There is no such document.") }
        guard version.state == .paused, let revision = version.withoutDraft?.document.revision else {
            throw .conflict(code: "no_transition", "The recipe is \(version.state.rawValue), and not paused.")
        }
        let body: JSONValue = ["state": "live", "revision": .integer(Int64(revision))]
        // The entity tag also guards the state: for a draft, the same body would publish it.
        let request = meant.request(.post, "state").with(header: "If-Match", version.entityTag).with(body: body)
        return try call.ask(request, about: meant.subject) { call.result($0.object ?? [:]) }
    }

    private static let end = Tool(
        name: "end_recipe", title: "End a recipe",
        description: "Ends a recipe for good; it cannot be taken up again. The user is asked first.",
        effect: .changes, abilities: [.publish],
        input: [Tool.app, slug, .required("expecting", .integer, "The revision in force"), confirm], output: output
    ) { call throws(APIError) in
        let words = MeantDocument(recipe: call.arguments.identifier("slug") ?? "", of: try call.app()).words
        let revision = call.arguments.integer("expecting") ?? 0
        let question = "End revision \(revision) of \(words) for good? It cannot be taken up again."
        return try call.confirmed(question) { () throws(APIError) in
            try put(.ended, call)
        }
    }

    private static func put(_ state: RecipeState, _ call: ToolCall) throws(APIError) -> Step {
        let meant = MeantDocument(recipe: call.arguments.identifier("slug") ?? "", of: try call.app())
        var body: JSONObject = ["state": .string(state.rawValue)]
        body["revision"] = call.arguments.integer("expecting").map { .integer(Int64($0)) }
        return try call.ask(meant.request(.post, "state").with(body: .object(body)), about: meant.subject) {
            call.result($0.object ?? [:])
        }
    }
}
