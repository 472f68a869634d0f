internal import BellwetherBase
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// One call of a tool. It sends requests to the daemon's routes, and has no rules of its own
/// (docs/decisions/0097-a-tool-asks-the-routes-that-owners-ask.md).
struct ToolCall: Sendable {
    let call: BackgroundCall
    let arguments: ToolArguments
    private let request: MCPRequest

    static func handle(_ request: MCPRequest, _ call: BackgroundCall) throws(MCPError) -> Step {
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

    private init(call: BackgroundCall, arguments: ToolArguments, request: MCPRequest) {
        (self.call, self.arguments, self.request) = (call, arguments, request)
    }

    /// Returns a refusal as a result of the tool, to which a model can react.
    private static func guarded(
        _ request: MCPRequest, _ call: BackgroundCall, _ run: () throws(APIError) -> Step
    ) -> Step {
        do {
            return try run()
        } catch {
            return .respond(refusal(Problem(error).json, request, call))
        }
    }

    private static func refusal(_ problem: JSONValue, _ request: MCPRequest, _ call: BackgroundCall) -> Response {
        request.result(["content": text(problem.text), "isError": true], call)
    }

    private static func text(_ text: String) -> JSONValue { [["type": "text", "text": .string(text)]] }

    /// The app of the call: the argument, or the only app that the token covers.
    func app() throws(APIError) -> Identifier {
        if let name = arguments.identifier("app") {
            guard call.principal?.covers(app: name) ?? false else { throw .otherApp }
            return name
        }
        if let own = call.principal?.app { return own }
        let names = call.snapshot.apps.keys.sorted()
        if names.count == 1 { return names[0] }
        throw .badRequest(
            "missing_key", "expected the key \"app\": there are \(names.count) apps, which list_apps names",
            at: .parameter("app"))
    }

    /// Sends a request to a route, and continues with its response. A refusal becomes the tool's result.
    ///
    /// - Parameter document: The document that the request is about. The result of a 412 has its revision.
    func ask(
        _ routeRequest: RouteRequest, about document: (name: DocumentName, app: Identifier)? = nil,
        then proceed: @escaping @Sendable (JSONValue) throws(APIError) -> Step
    ) throws(APIError) -> Step {
        try askAnyway(routeRequest) { (status, value, snapshot) throws(APIError) in
            guard status < 400 else { return refusal(status, value, about: document, in: snapshot) }
            return try proceed(value)
        }
    }

    /// Sends a request to a route, and continues with its response, even if it is a refusal, and with the snapshot of
    /// that time.
    func askAnyway(
        _ routeRequest: RouteRequest,
        then proceed: @escaping @Sendable (_ status: Int, JSONValue, Snapshot) throws(APIError) -> Step
    ) throws(APIError) -> Step {
        guard let asked = routeRequest.request else { throw .notFound("There is nothing of this name.") }
        return .ask(asked) { response, snapshot in
            Self.guarded(request, call) { () throws(APIError) in
                try proceed(response.status, Self.json(response), snapshot)
            }
        }
    }

    /// A refusal with the route's problem document. After a conflict it also has the newest revision.
    ///
    /// - Parameters:
    /// - document: the document that the request was about.
    /// - snapshot: the published state after the request.
    func refusal(
        _ status: Int, _ problem: JSONValue, about document: (name: DocumentName, app: Identifier)? = nil,
        in snapshot: Snapshot
    ) -> Step {
        var members = problem.object ?? ["status": .integer(Int64(status))]
        if status == 412, let document {
            let current = snapshot.version(of: document.name, in: document.app)
            members["current"] = current.map { .object($0.standing) } ?? .null
        }
        return .respond(Self.refusal(.object(members), request, call))
    }

    /// The JSON of a response. One JSON value on each line becomes an array.
    private static func json(_ response: Response) -> JSONValue {
        let content = response.content
        if let value = try? JSONValue(parsing: content, limits: .kept) { return value }
        return .array(content.split(separator: 0x0A).compactMap { try? JSONValue(parsing: $0, limits: .kept) })
    }

    /// A result that is short enough for a model. It says how many items were left out.
    func result(_ members: JSONObject) -> Step { whole(BoundedResult.of(members)) }

    /// A result that would lose its meaning if items were omitted.
    func whole(_ members: JSONObject) -> Step {
        let value = JSONValue.object(members)
        return .respond(request.result(["content": Self.text(value.text), "structuredContent": value], call))
    }

    /// A result with respondents' texts, which only `structuredContent` contains.
    func untrusted(_ members: JSONObject, _ summary: String) -> Step {
        let value = JSONValue.object(BoundedResult.of(members))
        return .respond(request.result(["content": Self.text(summary), "structuredContent": value], call))
    }

    /// Continues after the user has confirmed. If the client cannot ask its user, the argument `confirm` decides.
    ///
    /// - Parameter question: The question, which names the document and the revision. Its answer counts for no other
    ///   question.
    func confirmed(
        _ question: String, _ proceed: () throws(APIError) -> Step
    ) throws(APIError) -> Step {
        guard request.canAsk else {
            if arguments.bool("confirm") { return try proceed() }
            throw .refused(
                code: "confirm", "Ask the user first: \(question) If they say yes, call again with confirm: true.")
        }
        let (asked, secret) = (ConfirmationState(question, call), call.services.secret)
        guard let answer = request.params["inputResponses"]?.object?["confirm"]?.object else {
            return .respond(inputRequired(question, asked.state(secret: secret)))
        }
        guard answer["action"]?.string == "accept", answer["content"]?.object?["confirm"]?.bool == true else {
            throw .refused(code: "declined", "The user has not said yes. Nothing was changed.")
        }
        // The user may have been asked something else, or nothing.
        guard let state = request.params["requestState"]?.string, asked.isAsked(in: state, secret: secret) else {
            return .respond(inputRequired(question, asked.state(secret: secret)))
        }
        return try proceed()
    }

    private func inputRequired(_ question: String, _ state: String) -> Response {
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
        return request.result(
            ["inputRequests": ["confirm": form], "requestState": .string(state)], type: "input_required", call)
    }
}

/// A question that a client was told to ask its user. The client returns its `requestState`, which is signed and not
/// stored, with the answer.
private struct ConfirmationState {
    private static let purpose = "question"
    private static let lifetimeSeconds: Int64 = 3_600

    private let digest: String
    private let now: Timestamp

    init(_ question: String, _ call: BackgroundCall) {
        digest = Digest.hex(Digest.sha256(Array("\(call.principal?.name ?? "")\0\(question)".utf8)))
        now = call.arrived
    }

    func state(secret: [UInt8]) -> String {
        SignedClaims.text(
            Self.purpose, [digest, now.adding(seconds: Self.lifetimeSeconds).claim], secret: secret)
    }

    /// Whether the state is that of the same question, and not too old.
    func isAsked(in state: String, secret: [UInt8]) -> Bool {
        guard let claims = SignedClaims.read(state, Self.purpose, secret: secret), claims.count == 2,
            let end = Timestamp(claim: claims[1])
        else { return false }
        return claims[0] == digest && now < end
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

/// Results that a model can read. A list has at most 50 items, and fewer if all lists together are still too long.
/// `left_out` has the pointer of each shortened list and the number of its omitted items
/// (docs/reference/mcp.md#answers).
enum BoundedResult {
    /// The bound in bytes of JSON. A token of a language model is about four bytes.
    static let bytes = 60_000

    static func of(_ members: JSONObject) -> JSONObject {
        var bounded = members
        for items in [50, 20, 5, 1] {
            var cut = Cut(items: items)
            bounded = cut.bounded(.object(members), at: .root).object ?? [:]
            if !cut.leftOut.isEmpty {
                bounded["left_out"] = .array(
                    cut.leftOut.prefix(50).map { ["at": .string($0.pointer), "items": .integer(Int64($0.items))] })
            }
            if JSONValue.object(bounded).encoded.count <= bytes { return bounded }
        }
        return bounded
    }

    private struct Cut {
        let items: Int
        var leftOut: [(pointer: String, items: Int)] = []

        mutating func bounded(_ value: JSONValue, at pointer: JSONPointer) -> JSONValue {
            switch value {
            case .array(let values):
                if values.count > items { leftOut.append((pointer.description, values.count - items)) }
                return .array(
                    values.prefix(items).enumerated().map { index, value in
                        bounded(value, at: pointer.appending(index))
                    })
            case .object(let members):
                return .object(
                    JSONObject(members.map { (key: $0.key, value: bounded($0.value, at: pointer.appending($0.key))) }))
            default: return value
            }
        }
    }
}
