internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The states of documents, and the revisions of recipes.
enum LifecycleRoutes {
    private static let recipe = "/v1/apps/{app}/recipes/{slug}"

    static let all = [
        Endpoint(.post, recipe + "/state", .needs(.publish, or: .review), handle: postState),
        Endpoint(.post, "/v1/apps/{app}/manifest/state", .needs(.publish, or: .review), handle: postManifestState),
        Endpoint(.post, "/v1/apps/{app}/strings/{locale}/state", .needs(.texts, or: .review), handle: postStringsState),
        Endpoint(.delete, recipe + "/draft", .needs(.publish, or: .review), handle: discardRecipe),
        Endpoint(.delete, "/v1/apps/{app}/manifest/draft", .needs(.publish, or: .review), handle: discardManifest),
        Endpoint(.delete, "/v1/apps/{app}/strings/{locale}/draft", .needs(.texts, or: .review), handle: discardStrings),
        Endpoint(.post, recipe + "/rollback", .needs(.publish), handle: postRollback),
        Endpoint(.post, recipe + "/advance", .needs(.publish), handle: postAdvance),
        Endpoint(.get, recipe + "/revisions", .needs(.read), inBackground: listRevisions),
        Endpoint(.get, recipe + "/revisions/{revision}", .needs(.read), inBackground: getRevision),
        Endpoint(.get, recipe + "/revisions/{revision}/diff", .needs(.read), inBackground: getDifference),
    ]

    @Sendable private static func postState(_ call: Call) throws(APIError) -> Handling {
        let query = try PublishQuery(call, [.strict])
        let (state, revision) = try readState(call, RecipeState.self)
        return try Publishing.publish(
            call, .setState(slug: call.parameter("slug"), state), query, revision: revision)
    }

    /// `{"state": "live", "revision"?: 3}`.
    private static func readState<State: CaseIterable & RawRepresentable<String>>(
        _ call: Call, _ states: State.Type
    ) throws(APIError) -> (state: State, revision: Int?) {
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        guard reader.object() != nil else { throw .badRequest(findings.faults) }
        let state = reader.required("state")?.choice(states)
        let revision = reader.optional("revision")?.integer(in: revisions)
        guard findings.faults.isEmpty, let state else { throw .badRequest(findings.faults) }
        return (state, revision.map { Int($0) })
    }

    private static let revisions = 1...Int64(Int32.max)

    @Sendable private static func postRollback(_ call: Call) throws(APIError) -> Handling {
        let query = try PublishQuery(call, [.strict])
        return try Publishing.publish(
            call, .rollback(slug: call.parameter("slug"), revision: try readRevision(call)), query)
    }

    /// The revision is the one in force.
    @Sendable private static func postAdvance(_ call: Call) throws(APIError) -> Handling {
        let query = try PublishQuery(call, [])
        return try Publishing.publish(
            call, .advance(slug: call.parameter("slug")), query, revision: try readRevision(call))
    }

    /// `{"revision": 3}`.
    private static func readRevision(_ call: Call) throws(APIError) -> Int {
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        let revision = reader.object().flatMap { _ in
            reader.required("revision")?.integer(in: revisions)
        }
        guard findings.faults.isEmpty, let revision else { throw .badRequest(findings.faults) }
        return Int(revision)
    }

    @Sendable private static func postManifestState(_ call: Call) throws(APIError) -> Handling {
        try putDraftLive(call, .manifest)
    }

    @Sendable private static func postStringsState(_ call: Call) throws(APIError) -> Handling {
        try putDraftLive(call, .strings(locale: call.parameter("locale")))
    }

    /// The only target state for a manifest or strings.
    private enum DraftTarget: String, CaseIterable {
        case live
    }

    private static func putDraftLive(_ call: Call, _ name: DocumentName) throws(APIError) -> Handling {
        let query = try PublishQuery(call, [.strict])
        let (_, revision) = try readState(call, DraftTarget.self)
        return try Publishing.publish(call, .putDraftLive(name), query, revision: revision)
    }

    @Sendable private static func discardRecipe(_ call: Call) throws(APIError) -> Handling {
        try discard(call, .recipe(slug: call.parameter("slug")))
    }

    @Sendable private static func discardManifest(_ call: Call) throws(APIError) -> Handling {
        try discard(call, .manifest)
    }

    @Sendable private static func discardStrings(_ call: Call) throws(APIError) -> Handling {
        try discard(call, .strings(locale: call.parameter("locale")))
    }

    private static func discard(_ call: Call, _ name: DocumentName) throws(APIError) -> Handling {
        try Publishing.publish(call, .discardDraft(name), try PublishQuery(call, []))
    }

    @Sendable private static func listRevisions(_ call: BackgroundCall) throws(APIError) -> Step {
        let stored = call.snapshot.apps[call.parameter("app")]?.recipes[call.parameter("slug")]?.stored
        return withHistory(call) { revisions in
            .respond(.json(200, ["revisions": .array(revisions.map { $0.summary(in: stored) })]))
        }
    }

    /// The document in its author's form.
    @Sendable private static func getRevision(_ call: BackgroundCall) throws(APIError) -> Step {
        let reader = QueryReader()
        let number = revision("revision", call.parameter("revision").text, reader)
        try reader.finish()
        return withHistory(call) { (revisions) throws(APIError) in
            var response = Response(200, body: .bytes(try find(number, in: revisions).text))
            response.add("Content-Type", "application/json")
            response.add("Cache-Control", "private, no-cache")
            return .respond(response)
        }
    }

    /// `?from=N` compares with revision N. Without it, the revision is compared with the one before.
    @Sendable private static func getDifference(_ call: BackgroundCall) throws(APIError) -> Step {
        let reader = try QueryReader(call)
        let number = revision("revision", call.parameter("revision").text, reader)
        var from: Int?
        for item in reader.items {
            if item.name == "from" {
                from = revision(item.name, item.value, reader)
            } else {
                reader.refuse(item.name)
            }
        }
        try reader.finish()
        return withHistory(call) { [from] (revisions) throws(APIError) in
            let after = try find(number, in: revisions)
            let earlier = revisions.last { $0.revision < number }
            guard let before = try from.map({ (from) throws(APIError) in try find(from, in: revisions) }) ?? earlier
            else { throw .notFound("There is no revision before \(number).") }
            guard let difference = difference(before, after) else { return .respond(.unexpected) }
            return .respond(.json(200, difference))
        }
    }

    /// The changes; nil if a document is not JSON. The daemon never stores such a document.
    private static func difference(_ before: StoredDocument, _ after: StoredDocument) -> JSONValue? {
        let documents = [before, after].compactMap { try? JSONValue(parsing: $0.text, limits: .kept) }
        guard documents.count == 2 else { return nil }
        let changes = JSONDifference.between(documents[0], documents[1])
        return [
            "from": .integer(Int64(before.revision)), "to": .integer(Int64(after.revision)),
            "changes": .array(changes.map(\.json)),
        ]
    }

    /// Reads a revision's number in the form of a publish response: without a sign and leading zeros.
    static func revision(_ name: String, _ text: String, _ reader: QueryReader) -> Int {
        if let number = Int(text), number > 0, String(number) == text { return number }
        reader.fault("range", at: name, "\(name) is a revision's number")
        return 0
    }

    static func find(_ number: Int, in revisions: [StoredDocument]) throws(APIError) -> StoredDocument {
        guard let found = revisions.first(where: { $0.revision == number }) else {
            throw .notFound("There is no revision \(number).")
        }
        return found
    }

    /// Reads the history of the recipe in the path.
    private static func withHistory(
        _ call: BackgroundCall, _ answer: @escaping @Sendable ([StoredDocument]) throws(APIError) -> Step
    ) -> Step {
        withHistory(of: call.parameter("slug"), in: call.parameter("app"), call, answer)
    }

    static func withHistory(
        of slug: Identifier, in app: Identifier, _ call: BackgroundCall,
        _ answer: @escaping @Sendable ([StoredDocument]) throws(APIError) -> Step
    ) -> Step {
        let publisher = call.services.publisher
        return .waiting { done in
            publisher.history(of: slug, in: app, done)
        } then: { (outcome: Result<[StoredDocument], PublishRefusal>) throws(APIError) in
            switch outcome {
            case .success(let revisions): return try answer(revisions)
            case .failure(.notFound): throw call.missingDocument
            case .failure(let refusal): throw APIError(refusal)
            }
        }
    }
}

extension StoredDocument {
    /// `recipe` is nil if the recipe was deleted.
    fileprivate func summary(in recipe: StoredRecipe?) -> JSONValue {
        [
            "revision": .integer(Int64(revision)), "state": .string(recipe.map { state(in: $0) } ?? "deleted"),
            "author": authorJSON, "approved_by": approverJSON, "published_at": .string(publishedAt.rfc3339),
        ]
    }

    private func state(in recipe: StoredRecipe) -> String {
        switch revision {
        case recipe.document.revision where recipe.isNewestDraft: RecipeState.draft.rawValue
        case recipe.served.revision: recipe.state.rawValue
        default: "superseded"
        }
    }
}

extension JSONDifference {
    /// An absent member means that the document had no such member. Null is a value of the document.
    fileprivate var json: JSONValue {
        var members: JSONObject = [
            "op": before == nil ? "add" : after == nil ? "remove" : "replace", "pointer": .string(pointer.description),
        ]
        if let before { members["before"] = before }
        if let after { members["after"] = after }
        return .object(members)
    }
}
