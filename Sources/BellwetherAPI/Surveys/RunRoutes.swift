internal import BellwetherAuthoring
internal import BellwetherBase
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// Responses, which owners read and triage (docs/reference/http-api.md#responses).
enum RunRoutes {
    static let all =
        ContentKind.allCases.map { kind in
            Endpoint(.get, "/v1/apps/{app}/\(kind.collection)/{slug}/\(kind.runs)", .needs(.respond)) {
                call throws(APIError) in
                try list(call) { $0.published?.kind.runs == kind.runs }
            }
        } + [
            Endpoint(.get, "/v1/apps/{app}/responses/{response}", .needs(.respond), handle: show),
            Endpoint(.patch, "/v1/apps/{app}/responses/{response}", .needs(.respond), handle: triage),
            Endpoint(.delete, "/v1/apps/{app}/responses/{response}", .needs(.respond)) { call throws(APIError) in
                try change(call, .delete, of: call.parameter("response")) { _ in .now(Response(204)) }
            },
            Endpoint(.post, "/v1/apps/{app}/responses/{response}/comments", .needs(.respond), handle: comment),
            Endpoint(.patch, "/v1/apps/{app}/comments/{comment}", .needs(.respond), handle: editComment),
            Endpoint(.delete, "/v1/apps/{app}/comments/{comment}", .needs(.respond), handle: deleteComment),
        ]

    /// - Parameter isMeant: Whether the route lists the runs of this recipe.
    private static func list(
        _ call: Call, _ isMeant: @escaping @Sendable (LoadedRecipe) -> Bool
    ) throws(APIError) -> Handling {
        try call.withRecipe { (recipe, _) throws(APIError) in
            guard let recipe else { throw .notFound("There is no recipe \"\(call.parameter("slug"))\".") }
            guard isMeant(recipe) else {
                throw .notFound(
                    recipe.published == nil
                        ? "The recipe \"\(recipe.stored.slug)\" has messages: it has results, and no responses."
                        : "The recipe \"\(recipe.stored.slug)\" is of another kind.")
            }
            let (app, slug) = (try call.app(), call.parameter("slug"))
            let asked = try RunListQuery(call, slug: slug, in: app)
            let names = RunNames(recipe.published, in: app)
            guard !names.unknown(in: asked.filter).isEmpty else { return try readKnown(asked, of: recipe, call) }
            let publisher = call.services.publisher
            return call.park { (ticket: Ticket<Result<[StoredDocument], PublishRefusal>>) in
                publisher.history(of: slug, in: app.name) { ticket.complete($0) }
            } resume: { (history) throws(APIError) in
                var names = names
                names.add((try? history.get()) ?? [], of: slug)
                let unknown = names.unknown(in: asked.filter)
                guard unknown.isEmpty else { throw .badRequest(unknown.map { fault($0.parameter, $0.known) }) }
                return try readKnown(asked, of: recipe, call)
            }
        }
    }

    /// Reads the list if the experiment and the branch of the query exist.
    private static func readKnown(
        _ asked: RunListQuery, of recipe: LoadedRecipe, _ call: Call
    ) throws(APIError) -> Handling {
        let (filter, app) = (asked.filter, try call.app())
        guard filter.branch != nil || filter.experiment != nil, let published = recipe.published else {
            return try read(asked, of: recipe, call)
        }
        var query = RunResultsQuery(app: app.name, slug: recipe.stored.slug)
        query.branch = filter.branch
        let names = ResultNames(query, experiment: filter.experiment, in: app)
        let (store, results) = (call.services.persistence, published.results { $0 })
        return call.park { (ticket: Ticket<Result<[Finding], StoreError>>) in
            check(names, in: store, results, ticket)
        } resume: { (outcome) throws(APIError) in
            let faults = try outcome.orThrow()
            guard faults.isEmpty else { throw .badRequest(faults) }
            return try read(asked, of: recipe, call)
        }
    }

    private static func check(
        _ names: ResultNames, in store: Persistence, _ results: some RunResults,
        _ ticket: Ticket<Result<[Finding], StoreError>>
    ) {
        names.check(in: store, results) { ticket.complete($0) }
    }

    private static func fault(_ parameter: String, _ known: [Identifier]) -> Finding {
        let names = known.isEmpty ? "none" : known.map(\.text).joined(separator: ", ")
        return Finding(
            pointer: .parameter(parameter), code: "choice",
            message: "no revision of the recipe has what \(parameter) names; there are: \(names)")
    }

    private static func read(
        _ asked: RunListQuery, of recipe: LoadedRecipe, _ call: Call
    ) throws(APIError) -> Handling {
        let (app, slug, store) = (try call.app(), recipe.stored.slug, call.services.persistence)
        return call.park { [query = asked.query, filter = asked.filter] ticket in
            store.searchRuns(query, filter) { ticket.complete($0) }
        } resume: { (outcome: Result<RunPage, StoreError>) throws(APIError) in
            let page = try outcome.orThrow()
            return try RunItems.make(for: page.runs, of: recipe, call) { items in
                let response = answer(page, items)
                guard asked.isExport else { return .now(response) }
                return call.audited(AuditEntry(exportOf: slug, in: app.name, call.origin)) { response }
            }
        }
    }

    private static func answer(_ page: RunPage, _ items: RunItems) -> Response {
        var items = items
        return .json(
            200,
            [
                "items": .array(page.runs.map { items.json($0, isAlone: false) }),
                "cursor": page.cursor.map { .string($0.text) } ?? .null, "has_more": .bool(page.cursor != nil),
                "examined": .integer(Int64(page.examined)),
            ])
    }

    @Sendable private static func show(_ call: Call) throws(APIError) -> Handling {
        let run = RunReference(app: try call.app().name, id: call.parameter("response"))
        let store = call.services.persistence
        return call.park { (ticket: Ticket<Result<Run?, StoreError>>) in
            store.readRun(run) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            guard let run = try outcome.orThrow(), run.deletedAt == nil else { throw .noResponse }
            return try alone(run, call)
        }
    }

    /// One response, with the answers that lists omit.
    private static func alone(_ run: Run, _ call: Call) throws(APIError) -> Handling {
        try RunItems.make(for: [run], of: call.app().recipes[run.slug], call) { items in
            var items = items
            return .now(.json(200, items.json(run, isAlone: true)))
        }
    }

    @Sendable private static func triage(_ call: Call) throws(APIError) -> Handling {
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        let status = reader.required("status")?.choice(TriageStatus.self)
        guard findings.faults.isEmpty, let status else { throw .body(findings.faults) }
        return try change(call, .status(status.status), of: call.parameter("response")) { run throws(APIError) in
            try alone(run, call)
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
            guard let comment = run.comments.last else { return .now(.unexpected) }
            return .now(.json(201, .object(comment.item(of: run))))
        }
    }

    /// Edits a comment. Its id is the response's id with the comment's number.
    @Sendable private static func editComment(_ call: Call) throws(APIError) -> Handling {
        let (run, number) = try commentID(call)
        let body = try commentBody(call)
        return try change(call, .editComment(number: number, body: body), of: run) { run in
            guard let comment = run.comments.first(where: { $0.number == number }) else { return .now(.unexpected) }
            return .now(.json(200, .object(comment.item(of: run))))
        }
    }

    @Sendable private static func deleteComment(_ call: Call) throws(APIError) -> Handling {
        let (run, number) = try commentID(call)
        return try change(call, .deleteComment(number: number), of: run) { _ in .now(Response(204)) }
    }

    private static func commentID(_ call: Call) throws(APIError) -> (run: Identifier, number: Int) {
        let parts = call.parameter("comment").text.split(separator: ".")
        guard parts.count == 2, let number = Int(parts[1]) else { throw .notFound("There is no such comment.") }
        return (Identifier(parts[0]), number)
    }

    private static func commentBody(_ call: Call) throws(APIError) -> String {
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings).required("body")
        let body = reader?.string(length: 1...4_000)
        if let body, body.allSatisfy(\.isWhitespace) { reader?.finding("blank", "the comment is blank") }
        guard findings.faults.isEmpty, let body else { throw .body(findings.faults) }
        return body
    }

    private static func change(
        _ call: Call, _ change: ChangeRun.Change, of id: Identifier,
        _ answer: @escaping (Run) throws(APIError) -> Handling
    ) throws(APIError) -> Handling {
        let run = RunReference(app: try call.app().name, id: id)
        var edit = ChangeRun(change, of: run, by: call.author, now: call.arrived)
        (edit.isAudited, edit.isAdmin) = (true, call.principal?.can(.admin, in: run.app) ?? false)
        let (store, bytes) = (call.services.persistence, call.contentBytes)
        return call.park { [edit] (ticket: Ticket<Result<ChangeRun.Outcome, StoreError>>) in
            edit.run(in: store, bytes: bytes) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch try outcome.orThrow() {
            case .changed(let run): return try answer(run)
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
