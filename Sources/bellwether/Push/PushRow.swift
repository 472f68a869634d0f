internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService

/// The outcome of one pushed document.
struct PushRow {
    enum Outcome: String, CaseIterable {
        case created
        case changed
        case unchanged
        case wouldCreate = "would_create"
        case wouldChange = "would_change"
        case refused
        /// There was no response, so the document may or may not be stored.
        case failed
        case notSent = "not_sent"

        var isGood: Bool { ![.refused, .failed, .notSent].contains(self) }

        /// The outcome in words for people.
        var words: String { String(rawValue.map { $0 == "_" ? " " : $0 }) }

        var tint: Terminal.Tint? {
            switch self {
            case .created, .changed, .wouldCreate, .wouldChange: .good
            case .refused, .failed: .bad
            case .notSent: .notable
            case .unchanged: nil
            }
        }
    }

    let kind: String
    /// The name; nil for a manifest, and for an entry without a usable name.
    let name: String?
    let path: String
    let outcome: Outcome
    var revision: Int64?
    var state: String?
    var findings: [LocatedFinding] = []

    init(_ document: SourceDocument, _ outcome: Outcome, findings: [LocatedFinding] = []) {
        kind = document.name.kind
        name = document.name.text?.text
        path = document.source.path
        self.outcome = outcome
        self.findings = findings
    }

    /// Whether the recipe was sent to be served, but is not: it has ended, or its end date has passed. For an unchanged
    /// document, a past end date is expected.
    var isUnserved: Bool {
        let codes = findings.map(\.finding.code)
        return codes.contains("recipe_ended")
            || codes.contains("end_passed") && outcome != .unchanged && state != RecipeState.draft.rawValue
    }

    /// A row for an entry of an envelope without a usable name.
    init(nameless finding: LocatedFinding) {
        kind = DocumentName.recipe(slug: "").kind
        name = nil
        path = finding.path
        outcome = .refused
        findings = [finding]
    }

    /// A row for a recipe that the document of another recipe changes.
    init(recipe name: String?, path: String, _ outcome: Outcome) {
        kind = DocumentName.recipe(slug: "").kind
        (self.name, self.path, self.outcome) = (name, path, outcome)
    }

    /// A line such as `created     recipe homepage-survey  revision 1, live  recipes/…/homepage-survey.json`.
    func line(titleWidth: Int) -> String {
        let outcome = Terminal.tinted(outcome.words.padded(to: Self.outcomeWidth), outcome.tint)
        let standing = (revision.map { ["revision \($0)"] } ?? []) + (state.map { [$0.plain] } ?? [])
        let columns = [
            outcome, title.padded(to: titleWidth), standing.joined(separator: ", ").padded(to: Self.standingWidth),
            path.plain,
        ]
        return columns.joined(separator: "  ")
    }

    private static let outcomeWidth = Outcome.allCases.map(\.words.count).max() ?? 0
    private static let standingWidth = "revision 10, paused".count

    private var title: String { Self.title(kind, name) }

    static func title(_ document: SourceDocument) -> String { title(document.name.kind, document.name.text?.text) }

    private static func title(_ kind: String, _ name: String?) -> String {
        name.map { "\(kind) \($0.plain)" } ?? kind
    }

    var json: JSONValue {
        [
            "document": .string(kind), "name": name.map(JSONValue.string) ?? .null, "file": .string(path),
            "outcome": .string(outcome.rawValue), "revision": revision.map(JSONValue.integer) ?? .null,
            "state": state.map(JSONValue.string) ?? .null,
            "errors": .array(findings.filter(\.isFault).map(\.json)),
            "warnings": .array(findings.filter { !$0.isFault }.map(\.json)),
        ]
    }
}
