internal import BellwetherAuthoring
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Tools that test something, and store nothing.
enum TrialTools {
    static let all = [check, explain, forecast, size]

    private static let slug = ToolMember.optional("slug", .string, "Of a stored recipe, whose newest revision counts")
    private static let content = ToolMember.optional("content", .object, "Another document in its place")

    private static let check = Tool(
        name: "check_recipe", title: "Check a recipe",
        description: """
            Everything that is wrong with a recipe. An error keeps it from being stored; a warning is what nobody would \
            see, answer or be able to read. Codes are in bellwether://docs/findings.md.
            """,
        effect: .reads, abilities: [.read], input: [Tool.app, slug, content],
        output: [.required("is_valid", .boolean), .required("errors", .array), .required("warnings", .array)]
    ) { call throws(APIError) in
        let request = try trial("validate", call)
        return try call.askAnyway(request) { status, body, snapshot in
            guard status < 400 || status == 422 else { return call.refusal(status, body, in: snapshot) }
            return call.result([
                "is_valid": .bool(status < 400), "errors": status < 400 ? [] : body.object?["errors"] ?? [],
                "warnings": body.object?["warnings"] ?? [],
            ])
        }
    }

    private static let forecast = Tool(
        name: "forecast_recipe", title: "Forecast a recipe",
        description: """
            How many of the clients that polled lately a recipe would reach, and which messages it displaces. low and high \
            differ by what attributes do not tell; what few clients stand for is null.
            """,
        effect: .reads, abilities: [.read], input: [Tool.app, slug, content],
        output: [.required("sample", .object), .required("messages", .array)]
    ) { call throws(APIError) in
        try call.ask(trial("forecast", call)) { call.result($0.object ?? [:]) }
    }

    /// A request about the document in the call, or about the stored document that the call names.
    private static func trial(_ word: Identifier, _ call: ToolCall) throws(APIError) -> RouteRequest {
        let (app, slug) = (try call.app(), call.arguments.identifier("slug"))
        let request = RouteRequest(.post, "v1", "apps", app, "recipes", word).with("slug", slug?.text)
        if let content = call.arguments.value("content") { return request.with(body: content) }
        guard let slug else {
            throw .badRequest("missing_key", "expected the key \"slug\" or \"content\"", at: .parameter("slug"))
        }
        guard let version = MeantDocument(recipe: slug, of: app).version(call),
            let document = try? JSONValue(parsing: version.document.text, limits: .kept)
        else { throw .notFound("There is no such recipe.") }
        return request.with(body: document)
    }

    private static let explain = Tool(
        name: "explain", title: "Explain what is shown",
        description: """
            Why a surface shows what it shows to a supposed client, or to a known one (client_id, which needs the ability \
            respond): the reason for each message, and in blocked_by all that would have to change.
            """,
        effect: .reads, abilities: [.read],
        input: [
            Tool.app, .optional("surface", .string), .optional("feature", .string, "Explain its values instead"),
            .optional("context", .object, "Attributes, such as locale"), .optional("client_id", .string),
            .optional("events", .array, "{name, at?, count?}, supposed to have happened"),
            .optional("now", .string, "RFC 3339"),
        ], output: []
    ) { call throws(APIError) in
        let asked = call.arguments.members.filter { $0.key != "app" }
        let request = RouteRequest(.post, "v1", "apps", try call.app(), "explain")
            .with(body: .object(JSONObject(asked)))
        return try call.ask(request) { call.result(Self.withoutWrittenFacts($0).object ?? [:]) }
    }

    /// The explanation without the facts that are texts: a model reads what respondents wrote in lists of responses
    /// only (docs/reference/mcp.md#answers).
    private static func withoutWrittenFacts(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let items): return .array(items.map(withoutWrittenFacts))
        case .object(let members):
            let kept = members.compactMap { key, value -> (key: String, value: JSONValue)? in
                if key == "audience" { return (key, withoutWrittenAnswers(value)) }
                guard key.hasPrefix("answer."), isWritten(value) else { return (key, withoutWrittenFacts(value)) }
                return nil
            }
            return .object(JSONObject(kept))
        default: return value
        }
    }

    private static func withoutWrittenAnswers(_ audience: JSONValue) -> JSONValue {
        guard var members = audience.object, let answers = members["answers"]?.object else { return audience }
        members["answers"] = .object(
            JSONObject(
                answers.map { name, fact in
                    var fact = fact.object ?? [:]
                    if fact["value"].map(isWritten) ?? false { fact["value"] = nil }
                    return (key: name, value: .object(fact))
                }))
        return .object(members)
    }

    /// Whether an answer is a text, or a list of texts.
    private static func isWritten(_ answer: JSONValue) -> Bool { answer.string != nil || answer.array != nil }

    private static let size = Tool(
        name: "size", title: "Size a survey or an experiment",
        description: """
            How many clients must be reached for so many responses, or for a margin of error. With counts: how many an \
            experiment needs to show an effect of a goal, however often one looks. Its level of 95 % is shared by its \
            branches; of several goals the primary one decides. With event in place of mean, what the app's clients did \
            until now counts.
            """,
        effect: .reads, abilities: [.read],
        input: [
            .optional("responses", .integer, "Wanted in each branch; or margin"),
            .optional("margin", .number, "0.0001 to 0.5"),
            .optional("response_rate", .number, "0 to 1, of those who see it; required of a survey"),
            .optional("active_clients", .integer, "Required of a survey"),
            .optional("seen", .number, "0 to 1, of the enrolled"), .optional("branches", .integer),
            .optional("buckets", .integer), .optional("nps", .boolean, "The margin is of a Net Promoter Score"),
            .optional("counts", .string, "Of an experiment: converted or sum"),
            .optional("mean", .number, "Of one client in the control; of converted a share"),
            .optional("mde", .number, "The smallest relative effect that must be found"),
            .optional("sd", .number, "Standard deviation of one client, for sum"),
            .optional("direction", .string, "up or down"), .optional("power", .number, "0.5 to 0.99"),
            .optional("correlation", .number, "0 to 0.99, with the counts before the exposure"),
            .optional("exposed_per_day", .number), Tool.app, .optional("event", .string, "Its rates in the app"),
            .optional("within_days", .integer, "1 to 28, with event"), .optional("cap", .integer, "With event and sum"),
            .optional("share", .number, "0 to 1, of the app's clients that are exposed, with event"),
        ],
        output: [
            .optional("responses", .integer), .optional("enrolled", .integer), .optional("is_reachable", .boolean),
            .optional("plan_clients", .integer), .optional("all_clients", .integer),
            .optional("power_by_plan", .number), .optional("rates", .object),
        ]
    ) { call throws(APIError) in
        let size = JSONObject(call.arguments.members.filter { $0.key != "app" })
        if size["event"] != nil {
            let request = RouteRequest(.post, "v1", "apps", try call.app(), "recipes", "size")
                .with(body: ["size": .object(size)])
            return try call.ask(request) { call.result($0.object ?? [:]) }
        }
        let findings = Findings()
        let reader = JSONReader(.object(size), findings: findings)
        let isExperiment = size["counts"] != nil
        let json = isExperiment ? GoalSizing(reader)?.json : SurveySizing(reader)?.json
        guard let json, findings.faults.isEmpty else { throw .badRequest(findings.faults) }
        return call.result(json.object ?? [:])
    }
}
