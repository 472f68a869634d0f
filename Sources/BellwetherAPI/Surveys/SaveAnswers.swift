internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// `POST …/responses` of a questionnaire or survey: reads the body, saves the answers, and responds
/// (docs/reference/http-api.md#saving-answers).
struct SaveAnswers {
    let survey: SurveyCall
    /// Reads the respondent's ids from the body.
    var respondent: (JSONReader, AppSnapshot) -> RespondentIDs = { $0.respondent(in: $1) }

    static let answerBytes = 65_536

    func handle() throws(APIError) -> Handling {
        try submit(request())
    }

    /// Saves the answers. With a public token, a new response counts against the limit of the client's address.
    func submit(_ request: SaveRun.Request) throws(APIError) -> Handling {
        let call = survey.call
        let access = RunAccess(call, request.ids, responseID: request.responseID)
        let claim = try Idempotency.claim(call, of: request.ids.userID ?? request.ids.clientID ?? request.responseID)
        var save = SaveRun(request, of: survey.recipe, survey.content, in: survey.app, now: call.arrived)
        save.write = claim.map { IdempotentWrite(claim: $0) { Self.reply($0, access) } }
        let (driver, requester) = (call.services.actions, call.requester)
        return call.park { [save] (ticket: Ticket<Result<SaveRun.Outcome, StoreError>>) in
            save.run(by: driver, for: requester) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch try outcome.orThrow() {
            case .done(.unknownRun): throw .noResponse
            case .done(.limited(let seconds)): throw call.worker.rates.refusal(.webRespondents, wait: seconds)
            case .done(.refused(let refusal)): throw APIError(refusal)
            case .done(.tooManyRuns): throw .tooManyRuns
            case .done(let result):
                let (status, body) = Self.reply(result, access)
                return .now(Idempotency.response(status, body))
            case .replayed(let earlier): return .now(Idempotency.response(earlier.status, earlier.body))
            case .keyConflict: throw .idempotencyKeyConflict
            }
        }
    }

    func request() throws(APIError) -> SaveRun.Request {
        let call = survey.call
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        let ids = respondent(reader, survey.app)
        let answers = reader.required("answers")?.object()
        if let answers, JSONValue.object(answers).encoded.count > Self.answerBytes {
            throw .tooLarge("The answers have more than 64 KiB.")
        }
        let isComplete = reader.optional("is_complete")?.bool() ?? false
        let isForced = reader.optional("force")?.bool() ?? false
        let responseID = reader.optional("response_id")?.identifier()
        let proof = reader.userProof
        let message = reader.optional("message")?.identifier(length: 1...1000)
        let isDevelopment = reader.optional("is_dev")?.bool() ?? false
        var facts = JSONObject()
        for key in RunSave.factKeys {
            if let text = reader.optional(key)?.string(length: 0...256) { facts[key] = .string(text) }
        }
        let attributes = reader.optional("attributes").map {
            ContextReading(app: survey.app, call: call).read($0).attributes
        }
        guard findings.faults.isEmpty, let answers else { throw .badRequest(findings.faults) }
        try call.requireProof(of: ids.userID, proof, in: survey.app)
        if let id = ids.clientID { try call.limit(client: id, of: survey.app) }
        var request = SaveRun.Request(
            ids: ids, slug: survey.slug,
            save: RunSave(answers: answers, isComplete: isComplete, isForced: isForced),
            newID: SurveyCall.randomID(), webhookID: WebhookID.make())
        (request.responseID, request.message, request.facts) = (responseID, message, facts)
        request.isDevelopment = isDevelopment
        request.attributes = JSONObject((attributes ?? [:]).map { ($0.key, $0.value) })
        request.recordsAnswers = call.worker.settings.events.recordsAnswers
        request.publicURL = call.worker.settings.publicURL
        return request
    }

    /// The response, which is also stored for the idempotency key.
    @Sendable
    static func reply(_ outcome: SaveOutcome, _ access: RunAccess) -> (status: Int, body: [UInt8]) {
        switch outcome {
        case .saved(let saved, let isNew):
            (isNew ? 201 : 200, saved.receipt(mayRead: isNew || access.mayRead(saved.run)).encoded)
        case .unknownRun, .limited: problem(.noResponse)
        case .tooManyRuns: problem(.tooManyRuns)
        case .refused(let refusal): problem(APIError(refusal))
        }
    }

    private static func problem(_ error: APIError) -> (Int, [UInt8]) {
        let problem = Problem(error)
        return (problem.status, problem.json.encoded)
    }
}

extension SavedRun {
    /// `{id, created_at, status, was_submitted, resume_at}`. The id gives access to the answers. The step at which to
    /// resume follows from the answers, and the time shows whether there were any.
    fileprivate func receipt(mayRead: Bool) -> JSONValue {
        [
            "id": mayRead ? .string(run.id) : .null,
            "created_at": mayRead ? .string(run.createdAt.rfc3339) : .null,
            "status": .string(run.status.rawValue), "was_submitted": .bool(wasSubmitted),
            "resume_at": mayRead ? resumeAt.map { .string($0) } ?? .null : .null,
        ]
    }
}

extension APIError {
    /// The respondent has too many runs, which are all open (docs/reference/surveys.md#runs).
    static let tooManyRuns = APIError.conflict(
        code: "too_many_runs",
        "The respondent has \(RunLimit.maximum) open runs. One of them has to end before another begins.")

    init(_ refusal: SaveRefusal) {
        self =
            switch refusal {
            case .inactive: .conflict(code: "inactive", "It takes no answers at the moment.")
            case .globallyDismissed:
                .conflict(code: "globally_dismissed", "The respondent wants no more of them.")
            case .alreadyResponded: .conflict(code: "already_responded", "The respondent has answered already.")
            case .quotaFull: .conflict(code: "quota_full", "There are enough answers of this kind.")
            case .invalid(let faults): .invalidAnswers(faults)
            }
    }
}
