internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Features for services that ask Cirrus today (docs/reference/http-api.md#cirrus). Nothing is read from the store and
/// nothing is written.
enum CirrusRoutes {
    /// Cirrus' paths end with a slash; it sends those who leave it out there, which costs them a round trip.
    static let all =
        ["/v1/features/", "/v1/features"].map { Endpoint(.post, $0, .interface(.cirrus), handle: features) }
        + ["/v2/features/", "/v2/features"].map {
            Endpoint(.post, $0, .interface(.cirrus), handle: featuresAndEnrollments)
        }

    @Sendable private static func features(_ call: Call) throws(APIError) -> Handling {
        try answer(call) { .bytes($0.features) }
    }

    @Sendable private static func featuresAndEnrollments(_ call: Call) throws(APIError) -> Handling {
        try answer(call) { answer in
            let enrollments = JSONValue.array(answer.enrollments)
            return .pieces([
                Array(#"{"Features":"#.utf8), answer.features, Array(#","Enrollments":"#.utf8), enrollments.encoded,
                [UInt8(ascii: "}")],
            ])
        }
    }

    private static func answer(_ call: Call, _ body: (CirrusResponse) -> Response.Body) throws(APIError) -> Handling {
        try MediaType.requireJSON(call.request)
        let query = try call.query()
        do throws(CirrusRefusal) {
            let question = try CirrusRequest(call, query: query)
            var response = Response(200, body: body(CirrusResponse(call, question)))
            response.add("Content-Type", "application/json")
            return .now(response)
        } catch {
            return .now(error.response)
        }
    }
}

/// What a client gets, and why.
private struct CirrusResponse {
    /// The object of all features, as JSON text.
    let features: [UInt8]
    let enrollments: [JSONValue]

    init(_ call: Call, _ question: CirrusRequest) {
        guard let app = Self.app(call, question.context) else {
            features = Array("{}".utf8)
            enrollments = []
            return
        }
        let evaluation = app.features
        let branches = evaluation.enrollments(userID: question.clientID, context: question.context)
        features = call.worker.features.features(of: app, branches)
        enrollments = branches.map { enrollment in
            [
                "nimbus_user_id": .string(question.clientID), "app_id": .string(evaluation.appID),
                "experiment": .string(enrollment.slug), "branch": .string(enrollment.branch),
                "experiment_type": enrollment.isRollout ? "rollout" : "experiment", "is_preview": false,
            ]
        }
    }

    /// The token's app, else the setting's, else the one whose id or name the context says
    /// (docs/reference/http-api.md#cirrus). Of several apps with one id, the first by name.
    private static func app(_ call: Call, _ context: JSONObject) -> AppSnapshot? {
        let apps = call.worker.snapshot.apps
        if let name = call.principal?.app, name != "*" { return apps[name] }
        let setting = call.worker.settings.cirrusApp
        guard setting.isEmpty else { return apps[setting] }
        guard let id = context["app_id"]?.string else { return nil }
        return apps.values.filter { $0.manifest.identity.appID?.hasSameBytes(as: id) ?? false }
            .min { $0.name.precedes($1.name) } ?? apps[id]
    }
}
