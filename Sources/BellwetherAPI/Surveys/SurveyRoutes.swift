internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// Questionnaires and surveys, for respondents (docs/reference/http-api.md#questionnaires).
enum SurveyRoutes {
    static let all = [
        Endpoint(.get, "/v1/apps/{app}/questionnaires/{slug}", .needs(.participate)) { call throws(APIError) in
            try fetch(SurveyCall(call, .questionnaire))
        },
        Endpoint(.post, "/v1/apps/{app}/questionnaires/{slug}/responses", .needs(.participate)) {
            call throws(APIError) in
            try SaveAnswers(survey: SurveyCall(call, .questionnaire)).handle()
        },
        Endpoint(.post, "/v1/apps/{app}/questionnaires/dismiss", .needs(.participate), handle: dismiss),
        Endpoint(.get, "/v1/apps/{app}/surveys/{slug}", .needs(.participate)) { call throws(APIError) in
            try fetch(SurveyCall(call, .survey))
        },
        Endpoint(.post, "/v1/apps/{app}/surveys/{slug}/responses", .needs(.participate)) { call throws(APIError) in
            try SaveAnswers(survey: SurveyCall(call, .survey)).handle()
        },
        Endpoint(.post, "/v1/apps/{app}/surveys/{slug}/evaluate", .needs(.participate), handle: evaluate).reading,
        Endpoint(.post, "/v1/apps/{app}/surveys/{slug}/submit", .needs(.participate), handle: submit),
        Endpoint(.post, "/v1/apps/{app}/identify", .needs(.participate), handle: identify),
        Endpoint(.get, "/v1/apps/{app}/clients/{client_id}/counters", .needs(.participate), handle: counters),
    ]

    private static func fetch(_ survey: SurveyCall) throws(APIError) -> Handling {
        let question = try DefinitionRequest(survey)
        let call = survey.call
        var request = FetchRun.Request(question.ids)
        (request.responseID, request.isForced) = (question.responseID, question.isForced)
        request.attributes = question.attributes
        let fetch = FetchRun(request, of: survey.recipe, in: survey.app, now: call.arrived)
        let store = call.services.persistence
        return call.park { (ticket: Ticket<Result<FetchRun.Finding, StoreError>>) in
            store.inquire(fetch.names, { fetch.answer($0) }, { ticket.complete($0) })
        } resume: { (outcome) throws(APIError) in
            var finding = try outcome.orThrow()
            let access = RunAccess(call, question.ids, responseID: question.responseID)
            if let draft = finding.draft, !access.mayRead(draft) { finding.draft = nil }
            if !access.mayReadRespondent { (finding.memory, finding.facts) = (RespondentMemory(), RespondentFacts()) }
            if let reason = finding.reason {
                return .now(call.conditional(.object(refusal(reason, finding, of: survey))))
            }
            return try survey.withDraft(
                of: finding, attributes: question.attributes, clientID: question.ids.clientID
            ) { [finding] draft in
                let response = DefinitionResponse(
                    survey: survey, question: question, memory: finding.memory, draft: draft)
                var json = response.json
                if survey.recipe.recipe.repeats != nil { json["round"] = JSONValue(finding.round?.number) }
                return .now(call.conditional(.object(json)))
            }
        }
    }

    private static func refusal(
        _ reason: FetchRun.Ineligibility, _ finding: FetchRun.Finding, of survey: SurveyCall
    ) -> JSONObject {
        var json: JSONObject = ["eligible": false, "reason": .string(reason.rawValue)]
        guard survey.recipe.recipe.repeats != nil else { return json }
        let round = finding.round ?? AnsweredRound(number: nil, until: nil)
        switch reason {
        case .alreadyResponded: for member in round.json { json[member.key] = member.value }
        case .screenedOut: json["until"] = round.json["until"]
        case .inactive, .globallyDismissed, .responseLimit, .quotaFull: break
        }
        return json
    }

    @Sendable private static func dismiss(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        let (ids, proof) = (reader.respondent(in: app), reader.userProof)
        if findings.faults.isEmpty, ids.clientID == nil, ids.userID == nil {
            findings.fault("required", at: .root, "client_id or user_id is missing")
        }
        guard findings.faults.isEmpty else { throw .badRequest(findings.faults) }
        try call.requireProof(of: ids.userID, proof, in: app)
        if let id = ids.clientID { try call.limit(client: id, of: app) }
        let (store, now, stream) = (call.services.persistence, call.arrived, call.streamName)
        return call.park { (ticket: Ticket<Result<Timestamp, StoreError>>) in
            DismissSurveys.run(ids, in: store, now: now, stream: stream) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            .now(.json(200, ["dismissed_at": .string(try outcome.orThrow().rfc3339)]))
        }
    }

    /// Returns the shown questions and the faults. Nothing is stored.
    @Sendable private static func evaluate(_ call: Call) throws(APIError) -> Handling {
        let survey = try SurveyCall(call, .survey)
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        let answers = reader.required("answers")?.object()
        let id = reader.optional("client_id")?.identifier()
        let attributes = reader.optional("attributes").map {
            ContextReading(app: survey.app, call: call).read($0).attributes
        }
        guard findings.faults.isEmpty, let answers else { throw .badRequest(findings.faults) }
        if let id { try call.limit(client: id, of: survey.app) }
        let sent = JSONObject((attributes ?? [:]).map { ($0.key, $0.value) })
        return try survey.withFacts(sent, of: id) { (facts) throws(APIError) in
            try call.judging { [content = survey.content] in
                content.definition.questions.evaluate(answers, facts, &$0)
            } then: {
                .now(.json(200, .object($0.json)))
            }
        }
    }

    /// Accepts answers in SurveyNative's form: `{"answers": {…}}` with any content type. Each submission is a new run.
    @Sendable private static func submit(_ call: Call) throws(APIError) -> Handling {
        let survey = try SurveyCall(call, .survey)
        try call.requireLength()
        let value: JSONValue
        do {
            value = try JSONValue(parsing: call.request.body, limits: call.jsonLimits)
        } catch {
            throw .notJSON(error)
        }
        let findings = Findings()
        guard let answers = JSONReader(value, findings: findings).required("answers")?.object() else {
            throw .badRequest(findings.faults)
        }
        var request = SaveRun.Request(
            ids: RespondentIDs(app: survey.app.name, clientID: nil, userID: nil), slug: survey.slug,
            save: RunSave(answers: answers, isComplete: true), newID: SurveyCall.randomID(),
            webhookID: WebhookID.make())
        request.isAlwaysNew = true
        request.recordsAnswers = call.worker.settings.events.recordsAnswers
        request.publicURL = call.worker.settings.publicURL
        return try SaveAnswers(survey: survey).submit(request)
    }

    /// Returns the daemon's counts of the client's app starts.
    @Sendable private static func counters(_ call: Call) throws(APIError) -> Handling {
        let id = call.parameter("client_id")
        guard id.text.isIdentifier else { throw .identifier("client_id") }
        let app = try call.app()
        try call.limit(client: id, of: app)
        return try call.withState(of: ClientReference(app: app.name, id: id)) { state in
            let counters = state.counters
            return .now(
                .json(
                    200,
                    [
                        "launches": .integer(Int64(clamping: counters.launches)),
                        "foregrounds": .integer(Int64(clamping: counters.foregrounds)),
                        "first_launch_at": counters.firstLaunchAt.map { .string($0.rfc3339) } ?? .null,
                    ]))
        }
    }

    @Sendable private static func identify(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        let clientID = reader.required("client_id")?.identifier()
        let (userID, proof) = (reader.required("user_id")?.identifier(), reader.userProof)
        guard findings.faults.isEmpty, let clientID, let userID else { throw .badRequest(findings.faults) }
        return try Identification(clientID: clientID, userID: userID, proof: proof).handle(call, in: app) { merged in
            ["user_id": .string(userID), "merged": .array(merged.map { .string($0) })]
        }
    }
}

/// The response to a request for a definition.
private struct DefinitionResponse {
    let survey: SurveyCall
    let question: DefinitionRequest
    /// The respondent's choices in other surveys.
    let memory: RespondentMemory
    let draft: ShownDraft

    var json: JSONObject {
        var served = ServedDefinition(
            slug: survey.slug, revision: survey.content.run.revision, locale: question.locale, app: survey.app,
            arrived: survey.call.arrived)
        served.memory = memory
        let definition = served.json(survey.definition)
        let inProgress: JSONValue? = draft.id.map { id in
            [
                "response_id": .string(id), "answers": .object(draft.answers),
                "resume_at": draft.resumeAt.map { .string($0) } ?? .null,
            ]
        }
        switch survey.definition.kind {
        case .questionnaire:
            return ["eligible": true, "questionnaire": .object(definition), "in_progress": inProgress ?? .null]
        case .survey, .flow:
            return [
                "eligible": true, "survey": .object(definition),
                "visible": .array(draft.questions.map { .string($0) }), "in_progress": inProgress ?? .null,
                "remembered": .object(memory.json),
            ]
        }
    }
}
