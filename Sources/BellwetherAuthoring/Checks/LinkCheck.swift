internal import BellwetherJSON
internal import Surveys

/// Warns about answers in a link that an address should not, or cannot, contain (docs/web.md#links).
enum LinkCheck {
    /// A question of the recipe, by its id.
    struct Subject {
        let id: Identifier
        let type: String
        let isSensitive: Bool
    }

    /// The types of questions and fields whose answer the widget can read from a text.
    private static let types = Set(
        (QuestionKeys.questionnaireTypes + QuestionKeys.surveyTypes).filter { !$0.answer.isEmpty }.map(\.name) + [
            "number", "slider", "stepper", "wheel_picker", "toggle", "chips", "multiline_chips", "textarea", "email",
            "phone", "url", "date", "time", "datetime", "select", "segmented", "option_list", "color",
        ])

    static func check(_ document: JSONReader, _ subjects: [Subject], findings: Findings) {
        guard let names = document.optional("link")?.optional("answers"), names.value.array != nil else { return }
        for name in names.elements() ?? [] {
            guard let id = name.value.identifier else { continue }
            let asked = subjects.filter { $0.id == id }
            if asked.isEmpty {
                findings.warn(
                    "unknown_question", at: name.pointer,
                    "the recipe asks nothing named \"\(id)\": an address says it in vain")
            } else if asked.contains(where: \.isSensitive) {
                findings.warn(
                    "link_sensitive", at: name.pointer,
                    "the answer to \"\(id)\" is sensitive: addresses stay in histories and logs")
            } else if let wrong = asked.first(where: { !types.contains($0.type) }) {
                findings.warn(
                    "link_type", at: name.pointer,
                    "an answer of the type \(wrong.type) cannot stand in an address: it is passed over")
            }
        }
    }
}

extension LinkCheck.Subject {
    /// Answers to sub-questions have no separate parameter in an address.
    static func all(of questions: QuestionSet) -> [Self] {
        questions.questions.flatMap { question in
            [Self(id: question.id, type: question.typeName, isSensitive: question.isSensitive)]
                + question.subQuestions.map { Self(id: $0.id, type: "sub-question", isSensitive: $0.isSensitive) }
        }
    }

    static func all(of outline: FlowOutline) -> [Self] {
        outline.steps.flatMap(\.fields).map { id, location, _ in
            let keys = location.value.object ?? [:]
            let type = keys["type"]?.string ?? ""
            let name = type.hasPrefix("input_") ? String(type.dropFirst(6)) : type
            let isSecret = name == "password" || name == "otp_input"
            return Self(id: id, type: name, isSensitive: isSecret || keys["sensitive"]?.bool == true)
        }
    }
}
