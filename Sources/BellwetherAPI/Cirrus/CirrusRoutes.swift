internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The features for services that use Cirrus (docs/reference/http-api.md#cirrus). These routes neither read nor write
/// the store.
enum CirrusRoutes {
    /// Cirrus' paths end with a slash. Cirrus redirects clients that omit the slash, which costs a round trip; these
    /// routes accept both.
    static let all =
        ["/v1/features/", "/v1/features"].map { Endpoint(.post, $0, .interface(.cirrus), handle: features) }
        + ["/v2/features/", "/v2/features"].map {
            Endpoint(.post, $0, .interface(.cirrus), handle: featuresAndEnrollments)
        }

    @Sendable private static func features(_ call: Call) throws(APIError) -> Handling {
        try response(call) { .bytes($0.features) }
    }

    @Sendable private static func featuresAndEnrollments(_ call: Call) throws(APIError) -> Handling {
        try response(call) { response in
            let enrollments = JSONValue.array(response.enrollments)
            return .pieces([
                Array(#"{"Features":"#.utf8), response.features, Array(#","Enrollments":"#.utf8), enrollments.encoded,
                [UInt8(ascii: "}")],
            ])
        }
    }

    private static func response(_ call: Call, _ body: (CirrusResponse) -> Response.Body) throws(APIError) -> Handling {
        try MediaType.requireJSON(call.request)
        let query = try call.query()
        do throws(CirrusRefusal) {
            let request = try CirrusRequest(call, query: query)
            var response = Response(200, body: body(CirrusResponse(call, request)))
            response.add("Content-Type", "application/json")
            return .now(response)
        } catch {
            return .now(error.response)
        }
    }
}

/// The features of a client, and the enrollments that they come from.
private struct CirrusResponse {
    /// The object of all features, as JSON text.
    let features: [UInt8]
    let enrollments: [JSONValue]

    init(_ call: Call, _ request: CirrusRequest) {
        guard let app = Self.app(call, request.context) else {
            features = Array("{}".utf8)
            enrollments = []
            return
        }
        let evaluation = app.features
        let branches = evaluation.enrollments(userID: request.clientID, context: request.context)
        features = call.worker.features.features(of: app, branches)
        enrollments = branches.map { enrollment -> JSONValue in
            [
                "nimbus_user_id": .string(request.clientID), "app_id": .string(evaluation.appID),
                "experiment": .string(enrollment.slug), "branch": .string(enrollment.branch),
                "experiment_type": enrollment.isRollout ? "rollout" : "experiment", "is_preview": false,
            ]
        }
    }

    /// The token's app, else the setting's app, else the app whose id or name the context has
    /// (docs/reference/http-api.md#cirrus). If several apps have the id, the first by name.
    private static func app(_ call: Call, _ context: JSONObject) -> AppSnapshot? {
        let apps = call.worker.snapshot.apps
        if let name = call.principal?.app { return apps[name] }
        let setting = call.worker.settings.cirrusApp
        guard setting.isEmpty else { return apps[Identifier(setting)] }
        guard let id = context["app_id"]?.identifier else { return nil }
        return apps.values.filter { $0.manifest.identity.appID == id }
            .min { $0.name < $1.name } ?? apps[id]
    }
}
