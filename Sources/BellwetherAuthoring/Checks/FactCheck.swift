public import BellwetherCore
public import BellwetherJSON
internal import JEXL
public import Surveys

/// Checks which answers a recipe makes facts (docs/reference/audiences.md#answers).
public struct FactCheck {
    /// The reason why a question's answer can or cannot be a fact.
    fileprivate enum Subject {
        case answer
        /// The answer appears in no list, or is never stored.
        case sensitive
        /// A file, a picture, a signature, a table or a place.
        case unreadable
    }

    private let reader: JSONReader
    /// The questions; nil if they cannot be read.
    private let subjects: [Identifier: Subject]?

    /// - Parameter definition: the questionnaire or survey; nil if it cannot be read.
    public static func check(
        _ document: JSONReader, of definition: SurveyDefinition?, under manifest: Manifest
    ) {
        check(document, definition.map { $0.questions.all.map { ($0.id, Subject($0)) } }, manifest)
    }

    /// - Parameter definition: the flow; nil if it cannot be read.
    public static func check(_ document: JSONReader, of definition: FlowDefinition?, under manifest: Manifest) {
        let fields = definition?.steps.flatMap { step in
            step.fields.map { (FlowField.factName(of: $0, in: step), Subject($0)) }
        }
        check(document, fields, manifest)
    }

    private static func check(
        _ document: JSONReader, _ subjects: [(Identifier, Subject)]?, _ manifest: Manifest
    ) {
        // Documents of earlier versions may have any `facts`.
        let own = Findings()
        defer { document.findings.take(mistakes: own) }
        let located = JSONReader(document.value, at: document.pointer, findings: own)
        guard let reader = located.optional(DeclaredFacts.key) else { return }
        if manifest.audienceScope.attributes.contains(.answer) {
            reader.finding("reserved", "the manifest declares an attribute \"answer\"")
        }
        FactCheck(reader: reader, subjects: subjects.map { Dictionary($0) { first, _ in first } }).check()
    }

    private func check() {
        guard let members = reader.members() else { return }
        if members.count > DeclaredFacts.maximum {
            reader.finding(
                "range", "a recipe has at most \(DeclaredFacts.maximum) facts, this one \(members.count)")
        }
        for (name, member) in members {
            if !AudienceScope.isName(name) {
                member.finding(
                    "identifier",
                    "the name of a fact has 1 to 64 of the characters a-z, 0-9 and _, begins with no digit, and is "
                        + "none of true, false, null and in")
            }
            if let question = member.string() { check(Identifier(question), at: member) }
        }
    }

    private func check(_ question: Identifier, at member: JSONReader) {
        guard let subjects else { return }
        switch subjects[question] {
        case .answer?: break
        case .sensitive?: member.finding("sensitive", "the answer to \(question) is sensitive: it is no fact")
        case .unreadable?:
            member.finding("type", "\(question) asks for a file, a picture, a signature, a table or a place")
        case nil: member.finding("reference", "the recipe has no question \(question)")
        }
    }
}

extension FactCheck.Subject {
    fileprivate init(_ question: Question) {
        self = question.isSensitive ? .sensitive : question.type is TableSelectQuestion ? .unreadable : .answer
    }

    fileprivate init(_ field: FlowField) {
        if field.isSensitive || field.type.isSecret {
            self = .sensitive
        } else {
            self = field.type.isFile || field.typeName == "location" ? .unreadable : .answer
        }
    }
}
