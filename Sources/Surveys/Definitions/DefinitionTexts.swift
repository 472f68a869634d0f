public import BellwetherBase
public import BellwetherJSON

/// The locations in a definition of texts for people, which can be ids of the app's string tables
/// (docs/reference/surveys.md#texts-of-the-interface). A text that is an answer, or that is compared with an answer, is
/// not included.
public struct DefinitionTexts: Sendable {
    private static let keys: Set<String> = [
        "title", "subtitle", "placeholder", "question", "header", "low_tag", "high_tag", "on_fail_message",
        "button_title",
    ]

    /// Whether a label is a text for people. A survey's labels are parts of answers.
    private let hasLabels: Bool

    public init(_ kind: ContentKind) { hasLabels = kind == .questionnaire }

    /// Whether a text under this key is for people.
    public func isText(_ key: String) -> Bool { Self.keys.contains(key) || hasLabels && key == "label" }

    /// Whether no text below this key is for people: conditions, and options that are their own answers.
    public func holdsAnswers(_ key: String) -> Bool {
        key == "show_if" || key == "label_options" || key == "options" && !hasLabels
    }

    /// All texts of a value, with their locations.
    public func texts(in value: JSONReader) -> [JSONReader] {
        if value.value.array != nil { return (value.elements() ?? []).flatMap { texts(in: $0) } }
        guard value.value.object != nil else { return [] }
        return (value.members() ?? []).flatMap { key, member -> [JSONReader] in
            if member.value.string != nil { return isText(key) ? [member] : [] }
            return holdsAnswers(key) ? [] : texts(in: member)
        }
    }
}
