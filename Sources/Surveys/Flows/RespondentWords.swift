internal import BellwetherBase
internal import BellwetherJSON

/// The answers of a run in words for its respondent: labels of options in the respondent's language, and numbers and
/// lists as the language writes them (docs/reference/flows.md#templates).
struct RespondentWords {
    private let flow: FlowDefinition
    private let run: FlowRun
    private let language: WrittenLanguage

    init(_ run: FlowRun, in flow: FlowDefinition) {
        (self.run, self.flow) = (run, flow)
        language = WrittenLanguage(run.locale)
    }

    /// The text of a value; nil if the value has no form for people.
    ///
    /// - Parameter path: the path of the value in a template: a namespace, and the names in it.
    func text(of value: JSONValue, at path: [String]) -> String? {
        let names = path.dropFirst().map { Identifier($0) }
        let (step, field) =
            switch path.first {
            case "onboarding", "responses": (names.first, names.dropFirst().first)
            case "input": (run.path.last { run.answers(of: $0)[names.first ?? ""] != nil }, names.first)
            default: (nil, nil)
            }
        guard let step = step.flatMap(flow.step), let field = field.flatMap(step.field) else { return text(of: value) }
        return text(of: value, labels: labels(field, of: step))
    }

    /// The answers to the steps on the path, for the respondent to check, in the order of the steps.
    var summary: [JSONValue] {
        flow.steps.flatMap { step in
            let given = run.answers(of: step.id)
            let shown = JSONValue.object(given.isEmpty ? [:] : shown(step))
            return step.fields.compactMap { field -> JSONValue? in
                guard let answer = given[field.id]?.present,
                    let text = FileReference(answer) == nil
                        ? text(of: answer, labels: labels(field, of: step)) : WrittenLanguage.mark
                else { return nil }
                return ["question": .string(title(of: field, in: step, shown)), "answer": .string(text)]
            }
        }
    }

    private func shown(_ step: FlowStep) -> JSONObject { flow.localized(step, for: run.locale) }

    private func title(of field: FlowField, in step: FlowStep, _ shown: JSONValue) -> String {
        let path = field.id == FlowStep.selectionID && step.kind == .question ? [] : field.location(in: step)
        let object = shown.value(at: path)?.object
        let title = ["label", "field_label", "title", "text"].compactMap { object?[$0]?.string }.first
        // A field without a label has its id as label.
        let only = step.fields.count == 1 && field.id == field.label ? shown.object?["title"]?.string : nil
        return (title ?? only).map(FlowTemplate.plain) ?? step.title(of: field)
    }

    /// The labels of a field's options in the respondent's language, by the ids and values of the options.
    private func labels(_ field: FlowField, of step: FlowStep) -> [Identifier: String] {
        guard !field.type.optionLabels.isEmpty else { return [:] }
        var labels = Dictionary(field.type.optionLabels.map { ($0.name, $0.label) }) { first, _ in first }
        let shown = JSONValue.object(shown(step)).value(at: field.location(in: step))?.object
        let options = shown?["options"] ?? shown?["config"]?.object?["options"]
        for option in (options?.array ?? []).compactMap(\.object) {
            guard let label = option["label"]?.string else { continue }
            for name in [option["id"]?.string, option["value"]?.canonicalText].compactMap(\.self) {
                labels[Identifier(name)] = FlowTemplate.plain(label)
            }
        }
        return labels
    }

    private func text(of value: JSONValue, labels: [Identifier: String] = [:]) -> String? {
        switch value {
        case .string(let text): return labels[Identifier(text)] ?? text
        case .bool(let isTrue): return language.text(isTrue)
        case .integer, .unsigned, .number: return language.number(value.canonicalText)
        case .array(let values):
            let texts = values.compactMap { text(of: $0, labels: labels) }
            return texts.isEmpty ? nil : language.list(texts)
        case .object(let object):
            if let place = object["formatted_address"]?.string { return place }
            guard let low = object["low"], let high = object["high"], object.count == 2 else { return nil }
            return [low, high].compactMap { text(of: $0) }.joined(separator: "–")
        case .null: return nil
        }
    }
}

/// How a language writes lists, numbers, and yes and no. The patterns are CLDR's. A language that the widget does not
/// speak separates a list by commas.
struct WrittenLanguage {
    /// The sign of an answer that has no text.
    static let mark = "✓"

    private struct Rules {
        var pair = "%1$@, %2$@"
        var separator = ", "
        var last = "%1$@, %2$@"
        var decimal = "."
        var group = ""
        var yes = WrittenLanguage.mark
        var no = "–"

        init() {}

        init(and word: String, last: String? = nil, _ decimal: String, _ group: String, _ yes: String, _ no: String) {
            pair = "%1$@ \(word)%2$@"
            self.last = last ?? pair
            (self.decimal, self.group, self.yes, self.no) = (decimal, group, yes, no)
        }
    }

    private static let rules: [String: Rules] = {
        var rules: [String: Rules] = [
            "ar": Rules(and: "و", ".", ",", "نعم", "لا"), "de": Rules(and: "und ", ",", ".", "Ja", "Nein"),
            "en": Rules(and: "and ", last: "%1$@, and %2$@", ".", ",", "Yes", "No"),
            "es": Rules(and: "y ", ",", ".", "Sí", "No"),
            "fr": Rules(and: "et ", ",", "\u{202F}", "Oui", "Non"), "he": Rules(and: "ו", ".", ",", "כן", "לא"),
            "it": Rules(and: "e ", ",", ".", "Sì", "No"), "nl": Rules(and: "en ", ",", ".", "Ja", "Nee"),
            "pl": Rules(and: "i ", ",", "\u{A0}", "Tak", "Nie"), "pt": Rules(and: "e ", ",", ".", "Sim", "Não"),
        ]
        var japanese = Rules(and: "", ".", ",", "はい", "いいえ")
        (japanese.pair, japanese.last, japanese.separator) = ("%1$@、%2$@", "%1$@、%2$@", "、")
        rules["ja"] = japanese
        return rules
    }()

    private let rules: Rules

    init(_ locale: String?) {
        let tag = locale.flatMap { LanguageTag($0) } ?? LanguageTag("en")
        rules = tag.flatMap(InterfaceText.language).flatMap { Self.rules[$0] } ?? Rules()
    }

    func text(_ isTrue: Bool) -> String { isTrue ? rules.yes : rules.no }

    func list(_ texts: [String]) -> String {
        guard let last = texts.last, texts.count > 1 else { return texts.first ?? "" }
        let pattern = texts.count == 2 ? rules.pair : rules.last
        return TextFormat.apply(
            pattern, arguments: [texts.dropLast().joined(separator: rules.separator), last])
    }

    /// A decimal number with the language's separators. Only numbers of five digits and more have groups, so that a
    /// year stays a year.
    func number(_ text: String) -> String {
        let isNegative = text.hasPrefix("-")
        let parts = text.drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
        guard let whole = parts.first, parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }) else { return text }
        var digits = String(whole)
        if digits.count > 4 {
            digits = ""
            for (index, digit) in whole.enumerated() {
                if index > 0, (whole.count - index).isMultiple(of: 3) { digits += rules.group }
                digits.append(digit)
            }
        }
        let fraction = parts.count > 1 ? rules.decimal + parts[1] : ""
        return (isNegative ? "-" : "") + digits + fraction
    }
}
