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
    /// Whether the request and the response may name the round of a repeating recipe.
    var namesRound = true

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
        let namesRound = namesRound && survey.recipe.recipe.repeats != nil
        save.write = claim.map { IdempotentWrite(claim: $0) { Self.reply($0, access, namesRound: namesRound) } }
        let (driver, requester) = (call.services.actions, call.requester)
        return call.park { [save] (ticket: Ticket<Result<SaveRun.Outcome, StoreError>>) in
            save.run(by: driver, for: requester) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch try outcome.orThrow() {
            case .done(.unknownRun): throw .noResponse
            case .done(.limited(let seconds)): throw call.worker.rates.refusal(.webRespondents, wait: seconds)
            case .done(.refused(let refusal)): throw APIError(refusal, namesRound: namesRound)
            case .done(.tooManyRuns): throw .tooManyRuns
            case .done(let result):
                let (status, body) = Self.reply(result, access, namesRound: namesRound)
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
        let round = namesRound && survey.recipe.recipe.repeats != nil ? reader.round : nil
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
        var save = RunSave(answers: answers, isComplete: isComplete, isForced: isForced)
        save.round = round
        var request = SaveRun.Request(
            ids: ids, slug: survey.slug, save: save, newID: SurveyCall.randomID(), webhookID: WebhookID.make())
        (request.responseID, request.message, request.facts) = (responseID, message, facts)
        request.isDevelopment = isDevelopment
        request.attributes = JSONObject((attributes ?? [:]).map { ($0.key, $0.value) })
        request.recordsAnswers = call.worker.settings.events.recordsAnswers
        request.publicURL = call.worker.settings.publicURL
        return request
    }

    /// The response, which is also stored for the idempotency key.
    @Sendable
    static func reply(
        _ outcome: SaveOutcome, _ access: RunAccess, namesRound: Bool
    ) -> (status: Int, body: [UInt8]) {
        switch outcome {
        case .saved(let saved, let isNew):
            var receipt = saved.receipt(mayRead: isNew || access.mayRead(saved.run))
            if namesRound { receipt["round"] = JSONValue(saved.run.round) }
            return (isNew ? 201 : 200, JSONValue.object(receipt).encoded)
        case .unknownRun, .limited: return problem(.noResponse)
        case .tooManyRuns: return problem(.tooManyRuns)
        case .refused(let refusal): return problem(APIError(refusal, namesRound: namesRound))
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
    fileprivate func receipt(mayRead: Bool) -> JSONObject {
        [
            "id": mayRead ? .string(run.id) : .null,
            "created_at": mayRead ? .string(run.createdAt.rfc3339) : .null,
            "status": .string(run.status.rawValue), "was_submitted": .bool(wasSubmitted),
            "resume_at": mayRead ? resumeAt.map { .string($0) } ?? .null : .null,
        ]
    }
}

extension AnsweredRound {
    /// `{round, until}` (docs/reference/rounds.md#requests).
    var json: JSONObject {
        ["round": JSONValue(number), "until": until.map { .string($0.rfc3339) } ?? .null]
    }
}

extension JSONReader {
    /// The member `round`: the round that the client was told.
    var round: Int? { optional("round")?.integer(in: 1...Int64(Int32.max)).map { Int($0) } }
}

extension JSONValue {
    init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }
}

extension APIError {
    /// The respondent has too many runs, which are all open (docs/reference/surveys.md#runs).
    static let tooManyRuns = APIError.conflict(
        code: "too_many_runs",
        "The respondent has \(RunLimit.maximum) open runs. One of them has to end before another begins.")

    /// - Parameter namesRound: Whether a conflict has the members `round` and `until`.
    init(_ refusal: SaveRefusal, namesRound: Bool) {
        self =
            switch refusal {
            case .inactive: .conflict(code: "inactive", "It takes no answers at the moment.")
            case .globallyDismissed:
                .conflict(code: "globally_dismissed", "The respondent wants no more of them.")
            case .alreadyResponded(let last):
                .conflict(
                    code: "already_responded", "The respondent has answered already.",
                    members: namesRound ? last?.json ?? [:] : [:])
            case .wrongRound(let next):
                .conflict(
                    code: "wrong_round", "The next round of the respondent is \(next).",
                    members: ["round": .integer(Int64(next))])
            case .quotaFull: .conflict(code: "quota_full", "There are enough answers of this kind.")
            case .invalid(let faults): .invalidAnswers(faults)
            }
    }
}
