internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// The routes for apps with Owlmetry's SDKs (docs/reference/http-api.md#owlmetry). The app is the token's app.
enum OwlmetryRoutes {
    static let all = [
        Endpoint(.get, "/v1/questionnaires/{slug}", .needs(.participate), errors: .owlmetry, handle: fetch),
        Endpoint(.post, "/v1/questionnaires/{slug}/responses", .needs(.participate), errors: .owlmetry, handle: save),
        Endpoint(.post, "/v1/questionnaires/dismiss", .needs(.participate), errors: .owlmetry, handle: dismiss),
        Endpoint(.post, "/v1/identity/claim", .needs(.participate), errors: .owlmetry, handle: claim),
        Endpoint(.post, "/v1/ingest", .needs(.participate), errors: .owlmetry, handle: ingest),
    ]

    /// The refusal of the SDKs' other routes. After this refusal the SDKs do not retry.
    static func refusal(of request: Request) -> Problem? {
        let others = ["/v1/identity/", "/v1/ingest/", "/v1/feedback"]
        guard others.contains(where: { request.path.starts(with: $0.utf8) }) else { return nil }
        let detail = "Bellwether takes questionnaires, claims and events of Owlmetry's SDKs, and nothing at this path."
        return Problem(.notFound(detail)).addingOwlmetry()
    }

    private static func app(_ call: Call) throws(APIError) -> AppSnapshot {
        guard let name = call.principal?.app, let app = call.worker.snapshot.apps[name] else {
            throw .badRequest("no_app", "the token is for no app")
        }
        return app
    }

    private static func check(bundle: Identifier?, in app: AppSnapshot) throws(APIError) {
        guard let bundle, let own = app.manifest.identity.appID, own != bundle else { return }
        throw .forbidden("The bundle_id is not that of the token's app.")
    }

    /// The SDKs do not encode a plus sign.
    @Sendable private static func fetch(_ call: Call) throws(APIError) -> Handling {
        let app = try app(call)
        let reader = try QueryReader(call, plus: .literal)
        var (userID, proof, isForced) = (Identifier?.none, String?.none, false)
        for item in reader.items {
            switch item.name {
            case "user_id" where !item.value.isEmpty: userID = reader.identifier(item)
            case "user_proof": proof = item.value
            case "bundle_id": try check(bundle: Identifier(item.value), in: app)
            case "force": isForced = item.value == "true"
            default: break
            }
        }
        try reader.finish()
        let ids = RespondentIDs(owlmetryUser: userID, in: app)
        try call.requireProof(of: ids.userID, proof, in: app)
        if let id = ids.clientID { try call.limit(client: id, of: app) }
        let survey = try SurveyCall(call, .questionnaire, in: app)
        var request = FetchRun.Request(ids)
        request.isForced = isForced
        let fetch = FetchRun(request, of: survey.recipe, in: app, now: call.arrived)
        let store = call.services.persistence
        return call.park { (ticket: Ticket<Result<FetchRun.Finding, StoreError>>) in
            store.inquire(fetch.names, { fetch.answer($0) }, { ticket.complete($0) })
        } resume: { (outcome) throws(APIError) in
            var finding = try outcome.orThrow()
            let access = RunAccess(call, ids, responseID: nil)
            if let draft = finding.draft, !access.mayRead(draft) { finding.draft = nil }
            if !access.mayReadRespondent { finding.facts = RespondentFacts() }
            if let reason = finding.reason {
                return .now(.json(200, ["eligible": false, "reason": .string(OwlmetryResponse.name(of: reason))]))
            }
            return try survey.withDraft(of: finding, clientID: ids.clientID) {
                .now(.json(200, .object(OwlmetryResponse(survey: survey, draft: $0).json)))
            }
        }
    }

    @Sendable private static func save(_ call: Call) throws(APIError) -> Handling {
        let app = try app(call)
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        try check(bundle: reader.optional("bundle_id")?.string().map { Identifier($0) }, in: app)
        if let session = reader.optional("session_id"), session.value.string.map(UUIDText.isUUID) != true {
            session.finding("session_id", "the session_id is no UUID")
        }
        _ = reader.optional("environment")?.choice(OwlmetryEnvironment.self)
        guard findings.faults.isEmpty else { throw .badRequest(findings.faults) }
        var answers = SaveAnswers(survey: try SurveyCall(call, .questionnaire, in: app))
        answers.namesRound = false
        answers.respondent = { RespondentIDs(owlmetryUser: $0.optional("user_id")?.identifier(), in: $1) }
        return try answers.handle()
    }

    @Sendable private static func dismiss(_ call: Call) throws(APIError) -> Handling {
        let app = try app(call)
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        try check(bundle: reader.optional("bundle_id")?.string().map { Identifier($0) }, in: app)
        let (userID, proof) = (reader.required("user_id")?.identifier(), reader.userProof)
        guard findings.faults.isEmpty, let userID else { throw .badRequest(findings.faults) }
        let ids = RespondentIDs(owlmetryUser: userID, in: app)
        try call.requireProof(of: ids.userID, proof, in: app)
        if let id = ids.clientID { try call.limit(client: id, of: app) }
        let (store, now) = (call.services.persistence, call.arrived)
        return call.park { (ticket: Ticket<Result<Timestamp, StoreError>>) in
            DismissSurveys.run(ids, in: store, now: now) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            .now(.json(200, ["dismissed_at": .string(try outcome.orThrow().rfc3339)]))
        }
    }

    /// Handles a login: the answers and dismissals of an installation now belong to the user.
    @Sendable private static func claim(_ call: Call) throws(APIError) -> Handling {
        let app = try app(call)
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        try check(bundle: reader.optional("bundle_id")?.string().map { Identifier($0) }, in: app)
        let (anonymous, user) = (reader.required("anonymous_id"), reader.required("user_id"))
        let (clientID, userID) = (anonymous?.identifier(), user?.identifier())
        let proof = reader.userProof
        if let clientID, !clientID.isOwlmetryInstallation {
            anonymous?.finding("anonymous_id", "an anonymous_id begins with \(Identifier.owlmetryPrefix)")
        }
        if let userID, userID.isOwlmetryInstallation {
            user?.finding("user_id", "a user_id does not begin with \(Identifier.owlmetryPrefix)")
        }
        guard findings.faults.isEmpty, let clientID, let userID else { throw .badRequest(findings.faults) }
        return try Identification(clientID: clientID, userID: userID, proof: proof).handle(call, in: app) { _ in
            // Events are counted for the client that they name, so no event moves to the user.
            ["claimed": true, "events_reassigned_count": 0]
        }
    }

    @Sendable private static func ingest(_ call: Call) throws(APIError) -> Handling {
        let app = try app(call)
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        try check(bundle: reader.optional("bundle_id")?.string().map { Identifier($0) }, in: app)
        let items = reader.required("events")?.elements()
        if items?.isEmpty == true { findings.fault("length", at: JSONPointer(tokens: ["events"]), "there is no event") }
        guard findings.faults.isEmpty, let items else { throw .badRequest(findings.faults) }
        return try OwlmetryEvents(items, call, in: app).record()
    }
}

/// The platform of an app, in the SDKs' words.
enum OwlmetryEnvironment: String, CaseIterable {
    case ios, ipados, macos, watchos, android, web, backend
}

extension RespondentIDs {
    /// The SDKs send the user's id, or the installation's id before there is a user, in the same member.
    fileprivate init(owlmetryUser id: Identifier?, in app: AppSnapshot) {
        let isInstallation = id?.isOwlmetryInstallation == true
        self.init(app: app.name, clientID: isInstallation ? id : nil, userID: isInstallation ? nil : id)
    }
}

extension Identifier {
    fileprivate static let owlmetryPrefix = "owl_anon_"

    fileprivate var isOwlmetryInstallation: Bool { utf8.starts(with: Self.owlmetryPrefix.utf8) }
}

/// The response of a GET, with the members that the SDKs require.
private struct OwlmetryResponse {
    let survey: SurveyCall
    let draft: ShownDraft

    var json: JSONObject {
        let texts = SurveyTexts(
            ContextReading.acceptedLanguage(survey.call, in: survey.app), in: survey.app, of: survey.definition)
        let definition = survey.definition
        var json: JSONObject = [
            "eligible": true,
            "questionnaire": [
                "id": .string(survey.slug), "slug": .string(survey.slug),
                "name": .string(definition.name.map(texts.texts.resolve) ?? survey.slug.text),
                "description": definition.description.map { .string(texts.texts.resolve($0)) } ?? .null,
                "schema": .object(texts.schema(definition, definition.questions.all.flatMap(Self.requiredMembers))),
            ],
        ]
        if let id = draft.id { json["in_progress"] = ["response_id": .string(id), "answers": .object(draft.answers)] }
        return json
    }

    /// The members that authors may omit, but that the SDKs require.
    private static func requiredMembers(of question: Question) -> [SurveyTexts.Addition] {
        var members = [
            SurveyTexts.Addition(question: question.id, key: "required", value: .bool(question.isRequired))
        ]
        if case .rating(let scale) = question.type.tally {
            members.append(SurveyTexts.Addition(question: question.id, key: "scale", value: .integer(scale)))
        }
        return members
    }

    /// The reason in the SDKs' words. The SDKs have three reasons.
    static func name(of reason: FetchRun.Ineligibility) -> String {
        switch reason {
        case .inactive, .globallyDismissed, .alreadyResponded: reason.rawValue
        case .screenedOut, .responseLimit, .quotaFull: FetchRun.Ineligibility.inactive.rawValue
        }
    }
}

extension Problem {
    /// Adds the members that Owlmetry's SDKs read: `error`, and `reason` for a conflict. Faults of answers have status
    /// 400.
    func addingOwlmetry() -> Problem {
        var problem = self
        if status == 422 { (problem.status, problem.title) = (400, Problem(400).title) }
        problem.extensions["error"] = .string(detail ?? title)
        if status == 409, let reason = findings.first?.code { problem.extensions["reason"] = .string(reason) }
        return problem
    }
}
