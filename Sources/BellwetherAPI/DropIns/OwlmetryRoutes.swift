internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// Questionnaires for apps with Owlmetry's SDKs, with their paths, statuses and errors
/// (docs/reference/http-api.md#owlmetry). The app is the token's.
enum OwlmetryRoutes {
    static let all = [
        Endpoint(.get, "/v1/questionnaires/{slug}", .needs(.participate), errors: .owlmetry, handle: fetch),
        Endpoint(.post, "/v1/questionnaires/{slug}/responses", .needs(.participate), errors: .owlmetry, handle: save),
        Endpoint(.post, "/v1/questionnaires/dismiss", .needs(.participate), errors: .owlmetry, handle: dismiss),
    ]

    private static func app(_ call: Call) throws(APIError) -> AppSnapshot {
        guard let name = call.principal?.app, name != "*", let app = call.worker.snapshot.app(name) else {
            throw .badRequest("no_app", "the token is for no app")
        }
        return app
    }

    private static func check(bundle: String?, in app: AppSnapshot) throws(APIError) {
        guard let bundle, let own = app.manifest.identity.appID, !own.hasSameBytes(as: bundle) else { return }
        throw .forbidden("The token is for another app.")
    }

    @Sendable private static func fetch(_ call: Call) throws(APIError) -> Handling {
        let app = try app(call)
        var proof: String?
        var (ids, isForced) = (RespondentIDs(app: app.name, clientID: nil, userID: nil), false)
        for item in try call.query() {
            switch item.name {
            case "user_id": ids.userID = item.value.isIdentifier ? item.value : nil
            case "user_proof": proof = item.value
            case "bundle_id": try check(bundle: item.value, in: app)
            case "force": isForced = item.value == "true"
            default: break
            }
        }
        try call.requireProof(of: ids.userID, proof, in: app)
        let survey = try SurveyCall(call, .questionnaire, in: app)
        var request = FetchRun.Request(ids)
        request.isForced = isForced
        let fetch = FetchRun(request, of: survey.recipe, in: app, now: call.arrived)
        let store = call.services.persistence
        return call.detached.park { (ticket: Ticket<Result<FetchRun.Finding, StoreError>>) in
            store.inquire(fetch.names, { fetch.answer($0) }, { ticket.complete($0) })
        } resume: { (outcome) throws(APIError) in
            .now(.json(200, .object(answer(survey, try outcome.orThrow()))))
        }
    }

    private static func answer(_ survey: SurveyCall, _ finding: FetchRun.Finding) -> JSONObject {
        if let reason = finding.reason { return ["eligible": false, "reason": .string(name(of: reason))] }
        let texts = SurveyTexts(ContextReading.acceptedLanguage(survey.call, in: survey.app), in: survey.app)
        let definition = survey.definition
        var json: JSONObject = [
            "eligible": true,
            "questionnaire": [
                "id": .string(survey.slug), "slug": .string(survey.slug),
                "name": definition.name.map { .string(texts.texts.resolve($0)) } ?? .null,
                "description": definition.description.map { .string(texts.texts.resolve($0)) } ?? .null,
                "schema": .object(texts.schema(definition)),
            ],
        ]
        if let run = finding.draft {
            json["in_progress"] = [
                "response_id": .string(run.id), "answers": .object(survey.content.run.currentAnswers(of: run)),
            ]
        }
        return json
    }

    /// Owlmetry's SDKs know three reasons.
    private static func name(of reason: FetchRun.Ineligibility) -> String {
        switch reason {
        case .inactive, .globallyDismissed, .alreadyResponded: reason.rawValue
        case .screenedOut, .responseLimit, .quotaFull: FetchRun.Ineligibility.inactive.rawValue
        }
    }

    @Sendable private static func save(_ call: Call) throws(APIError) -> Handling {
        let app = try app(call)
        let body = try call.json()
        if let session = body.object?["session_id"]?.string, !UUIDText.isUUID(session) {
            throw .badRequest("session_id", "the session_id is no UUID")
        }
        try check(bundle: body.object?["bundle_id"]?.string, in: app)
        let answers = SaveAnswers(survey: try SurveyCall(call, .questionnaire, in: app))
        return try answers.handle()
    }

    @Sendable private static func dismiss(_ call: Call) throws(APIError) -> Handling {
        let app = try app(call)
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        let (userID, proof) = (reader.required("user_id")?.identifier(), reader.userProof)
        guard findings.faults.isEmpty, let userID else { throw .badRequest(findings.faults) }
        try call.requireProof(of: userID, proof, in: app)
        let ids = RespondentIDs(app: app.name, clientID: nil, userID: userID)
        let (store, now) = (call.services.persistence, call.arrived)
        return call.detached.park { (ticket: Ticket<Result<TransactionResult, StoreError>>) in
            store.submit(DismissSurveys.transaction(ids, now: now)) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            guard case .dismissedSurveys(let time) = try outcome.orThrow() else { return .now(.unexpected) }
            return .now(.json(200, ["dismissed_at": .string(time.rfc3339)]))
        }
    }
}

extension Problem {
    /// With the members that Owlmetry's SDKs read: `error`, and `reason` of a conflict. Faults of answers are 400.
    func addingOwlmetry() -> Problem {
        var problem = self
        if status == 422 { (problem.status, problem.title) = (400, Problem(400).title) }
        problem.extensions["error"] = .string(detail ?? title)
        if status == 409, let reason = findings.first?.code { problem.extensions["reason"] = .string(reason) }
        return problem
    }
}
