internal import BellwetherJSON

/// The values that `{{namespace.path | fallback}}` can read (docs/reference/flows.md#templates).
package struct FlowTemplate {
    let namespaces: JSONObject
    /// The words of answers for a respondent; nil: the values as they are stored, for machines.
    private let words: RespondentWords?
    /// The answers by field, whatever their step is. Of several, the latest is used.
    private let inputs: JSONObject

    /// - Parameter flow: the flow whose texts are expanded for the respondent; nil for values that machines read.
    init(_ run: FlowRun, in flow: FlowDefinition? = nil) {
        words = flow.map { RespondentWords(run, in: $0) }
        let responses = JSONValue.object(run.responses)
        var device = JSONObject()
        device["platform"] = run.platform.map { .string($0) }
        device["locale"] = run.locale.map { .string($0) }
        namespaces = [
            "user": .object(run.user), "onboarding": responses, "responses": responses,
            "computed": .object(run.computed), "context": .object(run.context), "device": .object(device),
        ]
        var inputs = JSONObject()
        for step in run.path {
            for answer in run.answers(of: step) { inputs[answer.key] = answer.value }
        }
        self.inputs = inputs
    }

    /// Replaces each `{{…}}` by its value, else by its fallback, else by the empty text. Inserted values are not
    /// expanded again.
    func expand(_ text: String) -> String {
        guard text.contains("{{") else { return text }
        var output = ""
        let (parts, rest) = Self.parts(of: text)
        for (before, expression) in parts {
            output += before
            output += value(named: expression.path) ?? expression.fallback ?? ""
        }
        return output + rest
    }

    /// The text for people where nothing is known of a respondent: each template is its fallback, else "…".
    package static func plain(_ text: String) -> String {
        guard text.contains("{{") else { return text }
        let found = Self.parts(of: text)
        return found.parts.map { $0.before + ($0.expression.fallback ?? "…") }.joined() + found.rest
    }

    /// The expression `namespace.path | fallback`.
    package struct Expression {
        package let path: String
        package let fallback: String?

        fileprivate init(_ text: Substring) {
            let bar = text.firstIndex(of: "|") ?? text.endIndex
            path = String(text[..<bar].trimmed)
            fallback = bar == text.endIndex ? nil : String(text[bar...].dropFirst().trimmed)
        }
    }

    /// The expressions of a text, in their order.
    package static func expressions(in text: String) -> [Expression] {
        text.contains("{{") ? parts(of: text).parts.map(\.expression) : []
    }

    /// Whether a text has a template without an end.
    package static func hasOpenEnd(_ text: String) -> Bool {
        text.contains("{{") && parts(of: text).rest.range(of: "{{") != nil
    }

    /// The templates, each with the text before it, and the text after the last one.
    private static func parts(
        of text: String
    ) -> (parts: [(before: Substring, expression: Expression)], rest: Substring) {
        var parts: [(Substring, Expression)] = []
        var rest = text[...]
        while let open = rest.range(of: "{{"), let close = rest[open.upperBound...].range(of: "}}") {
            parts.append((rest[..<open.lowerBound], Expression(rest[open.upperBound..<close.lowerBound])))
            rest = rest[close.upperBound...]
        }
        return (parts, rest)
    }

    /// The text of the value at a path; nil if there is none.
    private func value(named path: String) -> String? {
        let parts = path.split(separator: ".", omittingEmptySubsequences: false)
        guard let value = value(at: parts[...]) else { return nil }
        return words.map { $0.text(of: value, at: parts.map(String.init)) } ?? value.canonicalText
    }

    private func value(at path: ArraySlice<Substring>) -> JSONValue? {
        var parts = path
        guard let name = parts.popFirst(), !parts.isEmpty else { return nil }
        var value: JSONValue? = name == "input" ? .object(inputs) : namespaces[String(name)]
        for part in parts {
            if let elements = value?.array {
                value = Int(part).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            } else {
                value = value?.object?[String(part)]
            }
        }
        return value?.present
    }

    /// The keys whose values are compared and not shown to people.
    package static let fixedKeys: Set<String> = [
        "id", "type", "field_id", "value", "visibility_condition", "depends_on", "validation", "suggestions",
        "answer_key", "action", "bindings",
    ]

    /// Expands every text of a document that people read.
    func expand(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(expand(text))
        case .array(let values): .array(values.map(expand))
        case .object(let members):
            .object(
                JSONObject(
                    members.map { key, value in (key, Self.fixedKeys.contains(key) ? value : expand(value)) }))
        default: value
        }
    }
}

extension Substring {
    /// The text without white space at either end.
    var trimmed: Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    /// The range of the first occurrence of an ASCII text.
    func range(of part: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if utf8[start...].starts(with: part.utf8) {
                return start..<utf8.index(start, offsetBy: part.utf8.count)
            }
            start = utf8.index(after: start)
        }
        return nil
    }
}
