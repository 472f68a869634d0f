internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Answers to microsurveys (docs/reference/http-api.md#microsurvey-answers).
enum ResponseRoutes {
    static let all = [Endpoint(.post, "/v1/apps/{app}/responses", .needs(.participate), handle: post)]

    static func post(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let answer = try read(call, app)
        try call.limit(client: answer.client.id, of: app)
        let submit: SubmitResponse
        do {
            submit = try SubmitResponse(answer, in: app, id: UniqueID.make(at: call.now), now: call.now)
        } catch {
            throw APIError(error, answer)
        }
        let claim = try Idempotency.claim(call, of: answer.client.id)
        let write = claim.map { IdempotentWrite(claim: $0) { reply($0, answer) } }
        let (store, bytes, stream) = (call.services.persistence, call.contentBytes, call.streamName)
        return call.park { (ticket: Ticket<Result<Claimed<ResponseOutcome>, StoreError>>) in
            submit.run(in: store, bytes: bytes, stream: stream, under: write) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch try outcome.orThrow() {
            case .done(.alreadyResponded): throw .alreadyResponded
            case .done(.refused(let refusal)): throw APIError(refusal, answer)
            case .done(let outcome):
                let (status, body) = reply(outcome, answer)
                return .now(Idempotency.response(status, body))
            case .replayed(let earlier): return .now(Idempotency.response(earlier.status, earlier.body))
            case .keyConflict: throw .idempotencyKeyConflict
            }
        }
    }

    /// The response, which is also stored under the idempotency key.
    @Sendable
    private static func reply(
        _ outcome: ResponseOutcome, _ answer: SubmitResponse.Answer
    ) -> (status: Int, body: [UInt8]) {
        switch outcome {
        case .stored(let response): (201, response.json.encoded)
        case .repeated(let response): (200, response.json.encoded)
        case .refused(let refusal):
            (Problem(APIError(refusal, answer)).status, Problem(APIError(refusal, answer)).json.encoded)
        case .alreadyResponded:
            (409, Problem(.alreadyResponded).json.encoded)
        }
    }

    private static func read(_ call: Call, _ app: AppSnapshot) throws(APIError) -> SubmitResponse.Answer {
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        let clientID = reader.required("client_id")?.identifier()
        let message = reader.required("message")?.identifier(length: 1...1000)
        let option = reader.required("option")?.identifier(length: 0...100)
        let revision = reader.optional("revision")?.integer(in: 1...Int64(Int32.max))
        let id = reader.optional("id")?.identifier()
        let locale = reader.optional("locale")?.languageTag()
        guard findings.faults.isEmpty, let clientID, let message, let option else {
            throw .badRequest(findings.faults)
        }
        return SubmitResponse.Answer(
            client: ClientReference(app: app.name, id: clientID), message: message, option: option,
            revision: revision.map(Int.init), locale: locale ?? ContextReading.acceptedLanguage(call, in: app),
            requestID: id)
    }
}

extension APIError {
    static let alreadyResponded = APIError.conflict(
        code: "already_responded", "The client has answered this survey already.")

    init(_ refusal: SubmitResponse.Refusal, _ answer: SubmitResponse.Answer) {
        self =
            switch refusal {
            case .unknownMessage: .notFound("No message \"\(answer.message)\" was ever published.")
            case .notMicrosurvey:
                .invalid("not_microsurvey", "\"\(answer.message)\" is no microsurvey", at: .parameter("message"))
            case .unknownRevision:
                .invalid("unknown_revision", "that revision is not known", at: .parameter("revision"))
            case .unknownOption:
                .invalid("unknown_option", "the survey has no option \"\(answer.option)\"", at: .parameter("option"))
            }
    }
}

extension SurveyResponse {
    var json: JSONValue {
        [
            "id": .string(id), "message": .string(message), "option": .string(String(optionIndex)),
            "text": .string(text), "submitted_at": .string(submittedAt.rfc3339),
        ]
    }
}
