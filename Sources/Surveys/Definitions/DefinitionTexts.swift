public import BellwetherBase
public import BellwetherJSON

/// The positions in a definition of texts for people, which may be ids of the app's string tables
/// (docs/reference/surveys.md#texts-of-the-interface). A text that is an answer, or is compared with one, is not among
/// them.
public struct DefinitionTexts: Sendable {
    private static let keys: Set<String> = [
        "title", "subtitle", "placeholder", "question", "header", "low_tag", "high_tag", "on_fail_message",
        "button_title",
    ]

    /// Whether a label is a text: a survey's labels are parts of answers.
    private let hasLabels: Bool

    public init(_ kind: ContentKind) { hasLabels = kind == .questionnaire }

    /// Whether a text under this key is for people.
    public func isText(_ key: String) -> Bool { Self.keys.contains(key) || hasLabels && key == "label" }

    /// Whether nothing below this key is: conditions, and options that are their own answers.
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
