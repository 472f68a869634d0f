internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Why a client sees a message, or does not (api.md 3). Nothing evolves and nothing is written.
enum ExplainRoutes {
    static let all = [Endpoint(.post, "/v1/apps/{app}/explain", .scope(.owner), handle: post)]

    @Sendable static func post(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let question = try ExplainQuestion(call, app: app)
        guard let clientID = question.clientID else { return .now(answer(question, ClientState(), app)) }
        return try call.withState(of: ClientReference(app: app.name, id: clientID)) { state in
            .now(answer(question, state, app))
        }
    }

    private static func answer(_ question: ExplainQuestion, _ state: ClientState, _ app: AppSnapshot) -> Response {
        .json(200, question.explanation(state: state, app: app).json)
    }
}

extension Explanation {
    var json: JSONValue {
        [
            "selected": selected.map(JSONValue.string) ?? .null, "enrollments": .array(enrollments.map(\.json)),
            "messages": .array(messages.map(\.json)),
        ]
    }
}

extension Enrollment {
    var json: JSONValue {
        var members: JSONObject = [
            "slug": .string(slug), "status": .string(status.name),
            "reason": status.reason.map(JSONValue.string) ?? .null,
            "branch": status.branch.map(JSONValue.string) ?? .null,
        ]
        if case .notEnrolled(.featureConflict(let other)) = status { members["conflict_slug"] = .string(other) }
        return .object(members)
    }
}

extension MessageExplanation {
    var json: JSONValue {
        var members: JSONObject = [
            "key": .string(key), "eligible": .bool(isEligible), "reason": .string(verdict.rawValue),
            "priority": priority.map { .integer(Int64($0)) } ?? .null, "surface": .string(surface),
            "is_control": .bool(isControl), "display_count": .integer(Int64(displayCount)),
            "max_display_count": .integer(Int64(maxDisplayCount)),
            "triggers": .array(triggers.map(\.json)), "exclusions": .array(exclusions.map(\.json)),
        ]
        if let malformation { members["malformed"] = .string(malformation.sentence) }
        return .object(members)
    }
}

extension TriggerExplanation {
    var json: JSONValue {
        var members: JSONObject = ["name": .string(name), "expression": .string(expression)]
        switch verdict {
        case .holds: members["value"] = true
        case .fails: members["value"] = false
        case .failed(let error): members["error"] = error.json
        }
        return .object(members)
    }
}
