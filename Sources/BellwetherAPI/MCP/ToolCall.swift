internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// One call of a tool. It sends requests to the daemon's routes, and has no rules of its own
/// (docs/decisions/0097-a-tool-asks-the-routes-that-owners-ask.md).
struct ToolCall {
    let call: Call
    let arguments: ToolArguments
    private let request: MCPRequest

    static func handle(_ request: MCPRequest, _ call: Call) throws(MCPError) -> Handling {
        guard let tool = request.params["name"]?.string.flatMap(Tools.find) else {
            throw MCPError(.invalidParameters, "There is no tool of this name; tools/list has those that there are.")
        }
        let given = request.params["arguments"] ?? [:]
        return guarded(request, call) { () throws(APIError) in
            guard tool.abilities.contains(where: { call.principal?.can($0) ?? false }) else {
                throw .lacks(tool.abilities[0])
            }
            return try tool.run(ToolCall(call: call, arguments: tool.input.read(given), request: request))
        }
    }

    private init(call: Call, arguments: ToolArguments, request: MCPRequest) {
        (self.call, self.arguments, self.request) = (call, arguments, request)
    }

    /// Returns a refusal as a result of the tool, to which a model can react.
    private static func guarded(
        _ request: MCPRequest, _ call: Call, _ run: () throws(APIError) -> Handling
    ) -> Handling {
        do {
            return try run()
        } catch {
            return .now(refusal(Problem(error).json, request, call))
        }
    }

    private static func refusal(_ problem: JSONValue, _ request: MCPRequest, _ call: Call) -> Response {
        request.result(["content": text(problem.text), "isError": true], call)
    }

    private static func text(_ text: String) -> JSONValue { [["type": "text", "text": .string(text)]] }

    /// The app of the call: the argument, or the only app that the token covers.
    func app() throws(APIError) -> String {
        if let name = arguments.string("app") {
            guard call.principal?.covers(app: name) ?? false else { throw .forbidden("The token is for another app.") }
            return name
        }
        if let own = call.principal?.app, own != "*" { return own }
        let names = call.worker.snapshot.apps.keys.sorted()
        if names.count == 1 { return names[0] }
        throw .badRequest(
            "missing_key", "expected the key \"app\": there are \(names.count) apps, which list_apps names",
            at: .parameter("app"))
    }

    /// Sends a request to a route, and continues with its response. A refusal becomes the tool's result.
    ///
    /// - Parameter document: The document that the request is about. The result of a 412 has its revision.
    func ask(
        _ routeRequest: RouteRequest, about document: (name: DocumentName, app: String)? = nil,
        then proceed: @escaping (JSONValue) throws(APIError) -> Handling
    ) throws(APIError) -> Handling {
        try call.ask(routeRequest) { [self] response in
            let value = Self.json(response)
            guard response.status < 400 else { return .now(refusal(response.status, value, about: document)) }
            return Self.guarded(request, call) { () throws(APIError) in try proceed(value) }
        }
    }

    /// Sends a request to a route, and continues with its response, even if it is a refusal.
    func askAnyway(
        _ routeRequest: RouteRequest, then proceed: @escaping (_ status: Int, JSONValue) throws(APIError) -> Handling
    ) throws(APIError) -> Handling {
        try call.ask(routeRequest) { [self] response in
            Self.guarded(request, call) { () throws(APIError) in try proceed(response.status, Self.json(response)) }
        }
    }

    /// A refusal with the route's problem document. After a conflict it also has the newest revision.
    func refusal(_ status: Int, _ problem: JSONValue, about document: (name: DocumentName, app: String)?) -> Response {
        var members = problem.object ?? ["status": .integer(Int64(status))]
        if status == 412, let document {
            let current = call.worker.snapshot.version(of: document.name, in: document.app)
            members["current"] = current.map { .object($0.standing) } ?? .null
        }
        return Self.refusal(.object(members), request, call)
    }

    /// The JSON of a response. One JSON value on each line becomes an array.
    private static func json(_ response: Response) -> JSONValue {
        let content = response.content
        if let value = try? JSONValue(parsing: content, limits: .kept) { return value }
        return .array(content.split(separator: 0x0A).compactMap { try? JSONValue(parsing: $0, limits: .kept) })
    }

    /// A result that is short enough for a model. It names the omitted items.
    func result(_ members: JSONObject) -> Handling { whole(BoundedResult.of(members)) }

    /// A result that would lose its meaning if items were omitted.
    func whole(_ members: JSONObject) -> Handling {
        let value = JSONValue.object(members)
        return .now(request.result(["content": Self.text(value.text), "structuredContent": value], call))
    }

    /// A result with respondents' texts, which only `structuredContent` contains.
    func untrusted(_ members: JSONObject, _ summary: String) -> Handling {
        let value = JSONValue.object(BoundedResult.of(members))
        return .now(request.result(["content": Self.text(summary), "structuredContent": value], call))
    }

    /// Continues after the user has confirmed. If the client cannot ask its user, the argument `confirm` decides.
    func confirmed(
        _ question: String, _ proceed: () throws(APIError) -> Handling
    ) throws(APIError) -> Handling {
        guard request.canAsk else {
            if arguments.bool("confirm") { return try proceed() }
            throw .refused(
                code: "confirm", "Ask the user first: \(question) If they say yes, call again with confirm: true.")
        }
        guard let answer = request.params["inputResponses"]?.object?["confirm"]?.object else {
            return .now(inputRequired(question))
        }
        guard answer["action"]?.string == "accept", answer["content"]?.object?["confirm"]?.bool == true else {
            throw .refused(code: "declined", "The user has not said yes. Nothing was changed.")
        }
        return try proceed()
    }

    private func inputRequired(_ question: String) -> Response {
        let form: JSONValue = [
            "method": "elicitation/create",
            "params": [
                "mode": "form", "message": .string(question),
                "requestedSchema": [
                    "type": "object", "properties": ["confirm": ["type": "boolean", "title": "Yes, do it"]],
                    "required": ["confirm"],
                ],
            ],
        ]
        return request.result(["inputRequests": ["confirm": form]], type: "input_required", call)
    }
}

extension DocumentVersion {
    /// The newest revision, and the revision that is in force.
    var standing: JSONObject {
        [
            "revision": .integer(Int64(document.revision)), "state": .string(state.rawValue),
            "in_force": withoutDraft.map { .integer(Int64($0.document.revision)) } ?? .null,
            "is_draft": .bool(isNewestDraft),
        ]
    }
}
