internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Explains why a client sees a message or does not (docs/reference/http-api.md#explain). No state evolves, and nothing
/// is written.
enum ExplainRoutes {
    static let all = [Endpoint(.post, "/v1/apps/{app}/explain", .needs(.read), inBackground: post)]

    @Sendable static func post(_ call: BackgroundCall) throws(APIError) -> Step {
        let app = try call.app()
        let request = try read(call, app)
        let unserved = app.unservedRecipes(at: call.arrived)
        if request.clientID != nil { try call.require(.respond) }
        return try SupposedRecipes(call).compiled(call, app) { (compiledApp, supposed) throws(APIError) in
            @Sendable func response(_ state: ClientState) -> Step {
                var explanation = request.explanation(state: state, compiledApp: compiledApp)
                explanation.unserved = unserved.filter { !supposed.contains($0.slug) }
                return .respond(.json(200, explanation.json))
            }
            guard let clientID = request.clientID else { return response(ClientState()) }
            let store = call.services.persistence
            return .waiting { done in
                store.loadJoined(ClientReference(app: app.name, id: clientID), done)
            } then: { (outcome: Result<HeldClient, StoreError>) throws(APIError) in
                response(try outcome.orThrow().state)
            }
        }
    }

    private static func read(_ call: BackgroundCall, _ app: AppSnapshot) throws(APIError) -> ExplainRequest {
        let findings = Findings()
        let setting = ExplainRequest.Setting(
            manifest: app.manifest, acceptedLanguage: ContextReading.acceptedLanguage(call, in: app), now: call.now)
        let request = ExplainRequest(JSONReader(try call.json(), findings: findings), setting)
        call.meter.count(.ignoredAttributes, request.undeclaredAttributes)
        if findings.faults.isEmpty, request.isContradictory {
            throw .badRequest(
                "conflict", "the lists of a known client are known", at: JSONPointer(tokens: ["lists"]))
        }
        guard request.excess.isEmpty else { throw .invalid(request.excess) }
        guard findings.faults.isEmpty else { throw .badRequest(findings.faults) }
        return request
    }
}
