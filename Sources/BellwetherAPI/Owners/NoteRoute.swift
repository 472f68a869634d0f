internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The route of the owners' note about a recipe (docs/reference/http-api.md#notes).
enum NoteRoute {
    static let all = [
        Endpoint(.patch, "/v1/apps/{app}/recipes/{slug}/note", .needs(.publish, or: .review), handle: patch)
    ]

    @Sendable private static func patch(_ call: Call) throws(APIError) -> Handling {
        let (app, slug) = (try call.app(), call.parameter("slug"))
        guard let recipe = app.recipes[slug]?.stored else {
            throw .notFound("There is no recipe \"\(slug)\".")
        }
        let edits = try read(call)
        if !edits.allSatisfy(\.isReview) { try call.require(.publish) }
        for edit in edits { try check(edit, of: recipe) }
        let origin = call.origin
        let change = ChangeNote(edits, of: slug, in: app.name, origin)
        let store = call.services.persistence
        return call.park { ticket in
            change.run(in: store) { ticket.complete($0) }
        } resume: { (outcome: Result<RecipeNote, StoreError>) throws(APIError) in
            .now(.json(200, .object(try outcome.orThrow().members(of: recipe))))
        }
    }

    /// Checks an edit: only an ended recipe can be archived, and only the current draft can be sent back.
    private static func check(_ edit: ChangeNote.Edit, of recipe: StoredRecipe) throws(APIError) {
        switch edit {
        case .archived(true) where recipe.state != .ended:
            throw .conflict(code: "not_ended", "Only a recipe that has ended can be archived.")
        case .sendBack(let revision, _) where !recipe.isNewestDraft || recipe.document.revision != revision:
            throw .conflict(code: "no_draft", "Revision \(revision) is not the draft of this recipe.")
        default: break
        }
    }

    private static func read(_ call: Call) throws(APIError) -> [ChangeNote.Edit] {
        try QueryReader(call).finish()
        try MediaType.requireJSON(call.request)
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        reader.refuseUnknown(keys: ["owner", "labels", "archived", "sent_back"])
        var edits: [ChangeNote.Edit] = []
        for (key, value) in reader.members() ?? [] {
            switch key {
            case "owner": edits.append(.owner(value.value == .null ? nil : name(value)))
            case "labels": edits.append(.labels(labels(value)))
            case "archived": edits.append(.archived(value.bool() ?? false))
            case "sent_back": edits.append(sentBack(value))
            default: break
            }
        }
        guard findings.faults.isEmpty else { throw .invalid(findings.faults) }
        return edits
    }

    private static func name(_ reader: JSONReader) -> Identifier {
        guard let text = reader.string(length: 1...64) else { return "" }
        if !text.isIdentifier || text.allSatisfy(\.isWhitespace) {
            reader.finding("identifier", "expected 1 to 64 printable characters")
        }
        return Identifier(text)
    }

    /// Each label once, in the order of the request.
    private static func labels(_ reader: JSONReader) -> [Identifier] {
        var labels: [Identifier] = []
        for element in reader.elements() ?? [] {
            let label = name(element)
            if !labels.contains(label) { labels.append(label) }
        }
        if labels.count > RecipeNote.maximumLabels {
            reader.finding("length", "a recipe has at most \(RecipeNote.maximumLabels) labels")
        }
        return labels
    }

    private static func sentBack(_ reader: JSONReader) -> ChangeNote.Edit {
        guard reader.value != .null else { return .withdrawComment }
        reader.refuseUnknown(keys: ["revision", "comment"])
        let revision = reader.required("revision")?.integer(in: 1...Int64(Int32.max))
        let comment = reader.required("comment")
        let text = comment?.string(length: 1...2_000)
        if let text, text.allSatisfy(\.isWhitespace) { comment?.finding("blank", "the comment is blank") }
        return .sendBack(revision: Int(revision ?? 1), comment: text ?? "")
    }
}

/// The query of a list of recipes.
struct RecipeListQuery {
    enum Archived: String, CaseIterable {
        case `false`, `true`, all
    }

    private(set) var asksForCounts = false
    private var owner: Identifier?
    private var label: Identifier?
    private var archived = Archived.false

    init(_ call: some RoutedRequest) throws(APIError) {
        let reader = try QueryReader(call)
        for item in reader.items {
            switch item.name {
            case "counts": asksForCounts = reader.bool(item)
            case "owner": owner = reader.identifier(item)
            case "label": label = reader.identifier(item)
            case "archived":
                if let choice = Archived(rawValue: item.value) {
                    archived = choice
                } else {
                    reader.fault("choice", at: item.name, "archived is true, false or all")
                }
            default: reader.refuse(item.name)
            }
        }
        try reader.finish()
    }

    func means(_ recipe: LoadedRecipe, _ note: RecipeNote) -> Bool {
        let isArchived = note.isArchived(recipe.stored)
        if archived != .all, isArchived != (archived == .true) { return false }
        if let owner, note.owner != owner { return false }
        if let label, !note.labels.contains(label) { return false }
        return true
    }
}

extension ChangeNote.Edit {
    /// Whether a reviewer may make the edit.
    fileprivate var isReview: Bool {
        switch self {
        case .sendBack, .withdrawComment: true
        case .owner, .labels, .archived: false
        }
    }
}

extension RecipeNote {
    /// Whether the recipe is archived. A recipe that has not ended is not archived.
    func isArchived(_ recipe: StoredRecipe) -> Bool { archivedAt != nil && recipe.state == .ended }

    /// The members in responses. A comment only applies to the draft that was sent back.
    func members(of recipe: StoredRecipe) -> JSONObject {
        let sent = recipe.isNewestDraft && sentBack?.revision == recipe.document.revision ? sentBack : nil
        return [
            "owner": owner.map { .string($0) } ?? .null, "labels": .array(labels.map { .string($0) }),
            "archived": .bool(isArchived(recipe)),
            "sent_back": sent.map {
                [
                    "revision": .integer(Int64($0.revision)), "comment": .string($0.comment),
                    "author": .string($0.author), "at": .string($0.at.rfc3339),
                ]
            } ?? .null,
        ]
    }
}
