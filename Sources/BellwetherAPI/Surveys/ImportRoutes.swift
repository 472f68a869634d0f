internal import BellwetherBase
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// Responses that were collected in another system, for import by owners
/// (docs/reference/http-api.md#import-of-responses).
enum ImportRoutes {
    static let all = [
        Endpoint(
            .post, "/v1/apps/{app}/questionnaires/{slug}/responses/import", .needs(.respond),
            inBackground: { call throws(APIError) in try handle(call, .questionnaire) }),
        Endpoint(
            .post, "/v1/apps/{app}/surveys/{slug}/responses/import", .needs(.respond),
            inBackground: { call throws(APIError) in try handle(call, .survey) }),
    ]

    /// The maximum number of responses in a request. Each is judged in the queue of checks.
    private static let maximum = 100

    private struct Request {
        let source: Identifier
        let isDryRun: Bool
        let rows: [JSONReader]
    }

    private static func handle(_ call: BackgroundCall, _ kind: ContentKind) throws(APIError) -> Step {
        let app = try call.app()
        let slug = call.parameter("slug")
        guard let recipe = app.recipes[slug], recipe.published?.kind == kind
        else { throw .notFound("There is no \(kind.rawValue) \"\(slug)\".") }
        let request = try request(call)
        let reading = ImportReading(call, app.name, recipe, source: request.source)
        let rows = call.judging { budget in request.rows.map { reading.read($0, &budget) } }
        let batch = ImportBatch(rows.compactMap { try? $0.result.get() })
        let store = call.services.persistence
        @Sendable func responding(
            to start:
                @escaping @Sendable (@escaping @Sendable (Result<[ImportRun.Outcome], StoreError>) -> Void) -> Void
        ) -> Step {
            .waiting(for: start) { (outcome) throws(APIError) in
                .respond(answer(rows, try outcome.orThrow()))
            }
        }
        if request.isDryRun { return responding { batch.ask(store, $0) } }
        let entry = AuditEntry(
            importOf: rows.count, from: request.source, to: slug, in: app.name, call.origin)
        let driver = call.services.actions
        return call.auditing(entry) { responding { batch.store(by: driver, $0) } }
    }

    private static func request(_ call: BackgroundCall) throws(APIError) -> Request {
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        reader.refuseUnknown(keys: ["source", "dry_run", "responses"])
        let source = reader.required("source")?.identifier()
        let isDryRun = reader.optional("dry_run")?.bool() ?? false
        let rows = reader.required("responses")?.elements()
        guard findings.faults.isEmpty, let source, let rows else { throw .badRequest(findings.faults) }
        guard rows.count <= maximum else {
            throw .invalid(
                "too_many", "a request brings at most \(maximum) responses, this one \(rows.count)",
                at: JSONPointer(tokens: ["responses"]))
        }
        return Request(source: source, isDryRun: isDryRun, rows: rows)
    }

    /// The response, in the order of the request.
    private static func answer(_ rows: [ImportReading.Row], _ results: [ImportRun.Outcome]) -> Response {
        var (stored, counts) = (results.makeIterator(), [String: Int]())
        let items = rows.map { row -> JSONValue in
            let outcome: String
            var errors: [Finding] = []
            switch row.result {
            case .failure(let faults): (outcome, errors) = ("refused", faults.findings)
            case .success: (outcome, errors) = describe(stored.next())
            }
            counts[outcome, default: 0] += 1
            return [
                "id": row.id.map { .string($0) } ?? .null, "outcome": .string(outcome),
                "errors": .array(errors.map(\.json)),
            ]
        }
        var json: JSONObject = ["results": .array(items)]
        for name in ["imported", "known", "refused"] { json[name] = .integer(Int64(counts[name] ?? 0)) }
        return .json(200, .object(json))
    }

    private static func describe(_ result: ImportRun.Outcome?) -> (String, [Finding]) {
        func refused(_ code: String, _ message: String) -> (String, [Finding]) {
            ("refused", [Finding(pointer: .root, code: code, message: message)])
        }
        switch result {
        case .imported: return ("imported", [])
        case .known: return ("known", [])
        case .respondentHasRun:
            return refused("already_responded", "the respondent has a response or a draft here already")
        case .tooManyRuns: return refused("too_many_runs", "the respondent has \(RunLimit.maximum) open runs")
        case nil: return refused("not_stored", "it was not stored")
        }
    }
}

/// Reads and judges one response of an import.
private struct ImportReading {
    struct Faults: Error {
        let findings: [Finding]
    }

    struct Row {
        let id: Identifier?
        let result: Result<ImportRun, Faults>
    }

    private enum Status: String, CaseIterable {
        case draft, new
        case inReview = "in_review"
        case addressed, dismissed
    }

    private static let keys: Set<Identifier> = Set(
        RunSave.factKeys.map { Identifier($0) } + [
            "id", "user_id", "client_id", "answers", "status", "created_at", "updated_at", "submitted_at", "is_dev",
        ])

    private let app: Identifier
    private let recipe: LoadedRecipe
    private let source: Identifier
    private let now: Timestamp
    private let secret: [UInt8]
    private let recordsAnswers: Bool

    init(_ call: BackgroundCall, _ app: Identifier, _ recipe: LoadedRecipe, source: Identifier) {
        (self.app, self.recipe, self.source) = (app, recipe, source)
        (now, secret) = (call.arrived, call.services.secret)
        recordsAnswers = call.settings.events.recordsAnswers
    }

    func read(_ element: JSONReader, _ budget: inout EvaluationBudget) -> Row {
        let findings = Findings()
        let reader = JSONReader(element.value, findings: findings)
        let id = reader.required("id")?.identifier()
        let row = row(reader, id ?? "")
        guard findings.faults.isEmpty, let id, let row else {
            return Row(id: id, result: .failure(Faults(findings: findings.faults)))
        }
        // A response that exceeds its own budget is judged again. All such responses share one budget.
        var own = EvaluationBudget.amongWrites
        var result = judge(row, id, &own)
        if own.isOver { result = judge(row, id, &budget) }
        return Row(id: id, result: result)
    }

    private func judge(
        _ row: ImportRun.Row, _ id: Identifier, _ budget: inout EvaluationBudget
    ) -> Result<ImportRun, Faults> {
        do throws(SaveRefusal) {
            return .success(
                try ImportRun(row, as: runID(id), of: recipe, recordsAnswers: recordsAnswers, now: now, &budget))
        } catch {
            return .failure(Faults(error))
        }
    }

    /// The same id for the same response. It cannot be derived from the source's id alone, because a run's id gives
    /// access to the run.
    private func runID(_ id: Identifier) -> Identifier {
        let parts: [Identifier] = ["bellwether imported response", app, recipe.stored.slug, source, id]
        let text = parts.map(\.text).joined(separator: "\0")
        return Identifier(Digest.hex(Array(HMAC.authenticationCode(for: Array(text.utf8), key: secret)).prefix(16)))
    }

    private func row(_ reader: JSONReader, _ id: Identifier) -> ImportRun.Row? {
        guard reader.object() != nil else { return nil }
        reader.refuseUnknown(keys: Self.keys)
        let ids = RespondentIDs(
            app: app, clientID: reader.optional("client_id")?.identifier(),
            userID: reader.optional("user_id")?.identifier())
        let answers = reader.required("answers")?.object() ?? [:]
        if JSONValue.object(answers).encoded.count > SaveAnswers.answerBytes {
            reader.findings.fault("length", at: JSONPointer(tokens: ["answers"]), "answers have at most 64 KiB")
        }
        let status = reader.optional("status").map { $0.choice(Status.self) } ?? .new
        let times = times(reader, isDraft: status == .draft)
        var row = ImportRun.Row(ids: ids, origin: RunOrigin(source: source, id: id), at: times.created)
        (row.updatedAt, row.submittedAt) = (times.updated, times.submitted)
        row.status = status.flatMap { Run.Status(rawValue: $0.rawValue) } ?? .new
        (row.answers, row.isDevelopment) = (answers, reader.optional("is_dev")?.bool() ?? false)
        for key in RunSave.factKeys {
            if let text = reader.optional(key)?.string(length: 0...256) { row.facts[key] = .string(text) }
        }
        return row
    }

    /// The earliest time that a response may have. An earlier one is a mistake of the export, such as seconds in place
    /// of milliseconds, or a missing date.
    private static let earliest = Timestamp(seconds: 946_684_800)

    /// The times of the response, in their order. A missing time is the time of the next step that has one; now if
    /// there is none.
    private func times(
        _ reader: JSONReader, isDraft: Bool
    ) -> (created: Timestamp, updated: Timestamp, submitted: Timestamp?) {
        func time(_ key: String) -> Timestamp? {
            guard let member = reader.optional(key), let time = member.time() else { return nil }
            if time > now.adding(seconds: Timestamp.secondsPerDay) { member.finding("range", "the time is to come") }
            if time < Self.earliest { member.finding("range", "the time is before the year 2000") }
            return time
        }
        let (created, updated, submitted) = (time("created_at"), time("updated_at"), time("submitted_at"))
        for (key, time) in [("updated_at", updated), ("submitted_at", submitted)] {
            guard let time, let created, time < created else { continue }
            reader.optional(key)?.finding("range", "the time is before created_at")
        }
        if isDraft, submitted != nil {
            reader.optional("submitted_at")?.finding("status", "a draft was not submitted")
        }
        let last = submitted ?? updated ?? created ?? now
        let first = created ?? submitted ?? updated ?? now
        return (first, max(updated ?? last, first), isDraft ? nil : last)
    }
}

extension ImportReading.Faults {
    fileprivate init(_ refusal: SaveRefusal) {
        guard case .invalid(let faults) = refusal else {
            findings = [Finding(pointer: .root, code: "inactive", message: "it takes no answers")]
            return
        }
        findings = faults.map { Finding(pointer: $0.pointer, code: $0.code.rawValue, message: $0.message) }
    }
}
