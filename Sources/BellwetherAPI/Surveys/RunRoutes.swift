internal import BellwetherAuthoring
internal import BellwetherBase
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// Responses, as owners read and triage them (docs/reference/http-api.md#responses-of-questionnaires-and-surveys).
enum RunRoutes {
    static let all = [
        Endpoint(.get, "/v1/apps/{app}/questionnaires/{slug}/responses", .needs(.respond), handle: list),
        Endpoint(.get, "/v1/apps/{app}/surveys/{slug}/responses", .needs(.respond), handle: list),
        Endpoint(.get, "/v1/apps/{app}/responses/{response}", .needs(.respond), handle: show),
        Endpoint(.patch, "/v1/apps/{app}/responses/{response}", .needs(.respond), handle: triage),
        Endpoint(.delete, "/v1/apps/{app}/responses/{response}", .needs(.respond)) { call throws(APIError) in
            try change(call, .delete, of: call.parameter("response")) { _ in Response(204) }
        },
        Endpoint(.post, "/v1/apps/{app}/responses/{response}/comments", .needs(.respond), handle: comment),
        Endpoint(.patch, "/v1/apps/{app}/comments/{comment}", .needs(.respond), handle: editComment),
        Endpoint(.delete, "/v1/apps/{app}/comments/{comment}", .needs(.respond), handle: deleteComment),
    ]

    @Sendable private static func list(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let slug = call.parameter("slug")
        guard app.recipes[slug]?.content != nil else {
            throw .notFound("There is no questionnaire or survey \"\(slug)\".")
        }
        var query = RunQuery(app: app.name, limit: 50)
        query.slug = slug
        let reader = try QueryReader(call)
        for item in reader.items where item.name != "export" { read(item, reader, &query) }
        try reader.finish()
        let isExport = reader.items.contains { $0.name == "export" && ["true", "1"].contains($0.value) }
        // One more than the page tells whether there is another page.
        let limit = query.limit
        query.limit += 1
        let store = call.services.persistence
        return call.detached.park { [query] (ticket: Ticket<Result<[Run], StoreError>>) in
            store.readRuns(query) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            let runs = try outcome.orThrow()
            let response = page(runs, limit: limit)
            guard isExport else { return .now(response) }
            return call.audited(AuditEntry(exportOf: slug, in: app.name, call.origin)) { response }
        }
    }

    private static func page(_ runs: [Run], limit: Int) -> Response {
        let page = runs.prefix(limit)
        let hasMore = runs.count > limit
        return .json(
            200,
            [
                "items": .array(page.map { .object($0.item(isAlone: false)) }),
                "cursor": hasMore ? page.last.map { .string(RunCursor($0).text) } ?? .null : .null,
                "has_more": .bool(hasMore),
            ])
    }

    private static func read(_ item: QueryItem, _ reader: QueryReader, _ query: inout RunQuery) {
        switch item.name {
        case "status":
            query.status = Run.Status(rawValue: item.value)
            if query.status == nil {
                let names = Run.Status.allCases.map(\.rawValue).joined(separator: ", ")
                reader.fault("choice", at: "status", "status is one of \(names)")
            }
        case "submitted_only": query.isSubmittedOnly = item.value == "true" || item.value == "1"
        case "is_dev": query.isDevelopment = item.value == "true" || item.value == "1"
        case "user_id": query.userID = item.value
        case "cursor":
            query.after = RunCursor(item.value)
            if query.after == nil { reader.fault("cursor", at: "cursor", "the cursor is not one of a list") }
        case "limit": query.limit = Int(reader.integer("limit", item.value, in: 1...200))
        default: reader.refuse(item.name)
        }
    }

    @Sendable private static func show(_ call: Call) throws(APIError) -> Handling {
        let run = RunReference(app: try call.app().name, id: call.parameter("response"))
        let store = call.services.persistence
        return call.detached.park { (ticket: Ticket<Result<Run?, StoreError>>) in
            store.readRun(run) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            guard let run = try outcome.orThrow(), run.deletedAt == nil else { throw .noResponse }
            return .now(.json(200, .object(run.item(isAlone: true))))
        }
    }

    @Sendable private static func triage(_ call: Call) throws(APIError) -> Handling {
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        let status = reader.required("status")?.choice(TriageStatus.self)
        guard findings.faults.isEmpty, let status else { throw .invalid(findings.faults) }
        return try change(call, .status(status.status), of: call.parameter("response")) { run in
            .json(200, .object(run.item(isAlone: true)))
        }
    }

    private enum TriageStatus: String, CaseIterable {
        case new
        case inReview = "in_review"
        case addressed
        case dismissed

        var status: Run.Status {
            switch self {
            case .new: .new
            case .inReview: .inReview
            case .addressed: .addressed
            case .dismissed: .dismissed
            }
        }
    }

    @Sendable private static func comment(_ call: Call) throws(APIError) -> Handling {
        let body = try commentBody(call)
        return try change(call, .addComment(body: body), of: call.parameter("response")) { run in
            guard let comment = run.comments.last else { return .unexpected }
            return .json(201, .object(comment.item(of: run)))
        }
    }

    /// A comment's id is its response's with its number.
    @Sendable private static func editComment(_ call: Call) throws(APIError) -> Handling {
        let (run, number) = try commentID(call)
        let body = try commentBody(call)
        return try change(call, .editComment(number: number, body: body), of: run) { run in
            guard let comment = run.comments.first(where: { $0.number == number }) else { return .unexpected }
            return .json(200, .object(comment.item(of: run)))
        }
    }

    @Sendable private static func deleteComment(_ call: Call) throws(APIError) -> Handling {
        let (run, number) = try commentID(call)
        return try change(call, .deleteComment(number: number), of: run) { _ in Response(204) }
    }

    private static func commentID(_ call: Call) throws(APIError) -> (run: String, number: Int) {
        let parts = call.parameter("comment").split(separator: ".")
        guard parts.count == 2, let number = Int(parts[1]) else { throw .notFound("There is no such comment.") }
        return (String(parts[0]), number)
    }

    private static func commentBody(_ call: Call) throws(APIError) -> String {
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings).required("body")
        let body = reader?.string(length: 1...4_000)
        if let body, body.allSatisfy(\.isWhitespace) { reader?.finding("blank", "the comment is blank") }
        guard findings.faults.isEmpty, let body else { throw .invalid(findings.faults) }
        return body
    }

    private static func change(
        _ call: Call, _ change: ChangeRun.Change, of id: String, _ answer: @escaping (Run) -> Response
    ) throws(APIError) -> Handling {
        let run = RunReference(app: try call.app().name, id: id)
        var edit = ChangeRun(change, of: run, by: call.principal?.name ?? "", now: call.arrived)
        (edit.isAudited, edit.isAdmin) = (true, call.principal?.can(.admin) ?? false)
        let (store, bytes) = (call.services.persistence, call.contentBytes)
        return call.detached.park { [edit] (ticket: Ticket<Result<ChangeRun.Outcome, StoreError>>) in
            edit.run(in: store, bytes: bytes) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch try outcome.orThrow() {
            case .changed(let run): return .now(answer(run))
            case .unknownRun: throw .noResponse
            case .unknownComment: throw .notFound("There is no such comment.")
            case .foreignComment: throw .forbidden("Somebody else wrote the comment.")
            case .tooManyComments:
                throw .invalid("too_many", "a response has at most \(ChangeRun.maximumComments) comments")
            case .hasNoStatus(let status):
                throw .conflict(code: "no_transition", "A response that is \(status.rawValue) has no status to set.")
            }
        }
    }
}

extension APIError {
    static let noResponse = APIError.notFound("There is no such response.")
}

extension Run {
    /// A response as owners see it. In a list it has no sensitive answers, no snapshot and no comments.
    func item(isAlone: Bool) -> JSONObject {
        var json: JSONObject = [
            "id": .string(id), "slug": .string(slug), "user_id": respondent.userID.map { .string($0) } ?? .null,
            "client_id": clientID.map { .string($0) } ?? .null,
            "answers": .object(isAlone ? answers : openAnswers), "status": .string(status.rawValue),
            "is_dev": .bool(isDevelopment), "revision": .integer(Int64(revision)),
            "created_at": .string(createdAt.rfc3339), "updated_at": .string(updatedAt.rfc3339),
            "submitted_at": submittedAt.map { .string($0.rfc3339) } ?? .null,
        ]
        json["message"] = message.map { .string($0) }
        json["experiment"] = experiment.map { .string($0) }
        json["branch"] = branch.map { .string($0) }
        json["origin"] = origin.map { ["source": .string($0.source), "id": .string($0.id)] }
        for fact in facts { json[fact.key] = fact.value }
        if isAlone {
            json["schema_snapshot"] = snapshot.map { .object($0) } ?? .null
            json["comments"] = .array(comments.map { .object($0.item(of: self)) })
        }
        return json
    }
}

extension Run.Comment {
    func item(of run: Run) -> JSONObject {
        [
            "id": .string("\(run.id).\(number)"), "body": .string(body), "author": .string(author),
            "created_at": .string(createdAt.rfc3339), "updated_at": .string(updatedAt.rfc3339),
        ]
    }
}
