internal import BellwetherCore
internal import BellwetherJSON

/// Checks the conditions of a flow against the answers of its steps.
struct FlowConditionCheck {
    private let outline: FlowOutline
    private let manifest: Manifest
    private let findings: Findings

    init(_ outline: FlowOutline, _ manifest: Manifest, _ findings: Findings) {
        (self.outline, self.manifest, self.findings) = (outline, manifest, findings)
    }

    func check(_ step: FlowOutline.Step) {
        let lists = [step.reader] + step.configs
        for rule in lists.flatMap({ FlowOutline.elements($0.optional("next_step_rules")) }) { check(rule, step) }
        for block in step.blocks { checkVisibility(block.optional("visibility_condition"), step) }
        for field in step.fields {
            checkDependency(field.location.optional("depends_on"), step)
            if !field.isBlock { checkVisibility(field.location.optional("visibility_condition"), step) }
        }
    }

    private func warn(_ code: String, _ location: JSONReader, _ message: String) {
        findings.warn(code, at: location.pointer, message)
    }
}

// MARK: Rules

extension FlowConditionCheck {
    private func check(_ rule: JSONReader, _ step: FlowOutline.Step) {
        var conditions = FlowOutline.elements(rule.optional("conditions"))
        if conditions.isEmpty, let single = rule.optional("condition"), single.value.object != nil {
            conditions = [single]
        }
        let before = findings.warnings.count
        let logic = rule.optional("logic")?.value.string
        if let location = rule.optional("logic"), let logic, !["and", "or"].contains(logic.lowercased()) {
            warn("choice", location, "\"\(logic)\" is read as \"and\": rules know \"and\" and \"or\"")
        }
        for condition in conditions { checkTest(condition, step) }
        guard findings.warnings.count == before, logic?.lowercased() != "or" else { return }
        checkTogether(conditions, rule, step)
    }

    private func checkTest(_ condition: JSONReader, _ step: FlowOutline.Step) {
        guard let type = condition.value.object?["type"]?.string else { return }
        switch type {
        case "previous_step_equals", "previous_step_in": checkPreviousStep(condition)
        case "answer_equals", "answer_not_equals":
            if let asked = answer(condition.optional("answer_key"), condition, step) {
                checkOption(condition.optional("value"), asked.choice, "rules compare ids and values")
            }
        case "answer_contains", "empty", "not_empty":
            _ = answer(condition.optional("answer_key"), condition, step)
        default: break
        }
    }

    private func checkPreviousStep(_ condition: JSONReader) {
        for key in ["value", "previous_step_id", "previous_step_ids"] {
            guard let location = condition.optional(key) else { continue }
            let texts = location.value.array?.compactMap(\.string) ?? location.value.string.map { [$0] } ?? []
            let ids = texts.flatMap { $0.split(separator: ",").map { Identifier($0.trimmingSpaces) } }
            let isNever = ids.allSatisfy { outline[$0] == nil }
            for id in ids where outline[id] == nil {
                warn(
                    isNever ? "never_true" : "unknown_target", location,
                    "there is no step \"\(id)\": nobody comes from there")
            }
        }
    }

    /// Reports tests that cannot all hold, such as two options of a single choice.
    private func checkTogether(_ conditions: [JSONReader], _ rule: JSONReader, _ step: FlowOutline.Step) {
        var wanted: [Identifier: Identifier] = [:]
        for condition in conditions where condition.value.object?["type"] == "answer_equals" {
            guard let key = condition.value.object?["answer_key"]?.identifier, let choice = step.choices[key],
                choice.isSingle, let value = condition.value.object?["value"]?.identifier
            else { continue }
            if let other = wanted[key], other != value {
                return warn("never_true", rule, "\"\(key)\" is never \"\(other)\" and \"\(value)\" at once")
            }
            wanted[key] = value
        }
        func keys(_ type: String) -> Set<Identifier> {
            Set(
                conditions.compactMap { $0.value.object }.filter { $0["type"]?.string == type }.compactMap {
                    $0["answer_key"]?.identifier
                })
        }
        if let key = keys("empty").intersection(keys("not_empty")).min() {
            return warn("never_true", rule, "\"\(key)\" is never empty and not empty at once")
        }
        for condition in conditions {
            guard let object = condition.value.object, let key = object["answer_key"]?.identifier,
                let value = wanted[key]
            else { continue }
            let isRefused = object["type"] == "answer_not_equals" && object["value"]?.identifier == value
            guard object["type"] == "empty" || isRefused else { continue }
            return warn("never_true", rule, "\"\(key)\" is never \"\(value)\" and something else at once")
        }
    }
}

// MARK: Answers

extension FlowConditionCheck {
    /// Finds the answer for a key of the current step, or for `step.field`. An unknown answer is reported, and the
    /// result is nil.
    private func answer(
        _ location: JSONReader?, _ condition: JSONReader, _ step: FlowOutline.Step
    ) -> (id: Identifier, choice: FlowOutline.Choice?)? {
        guard let location, let key = location.value.string else {
            findings.warn(
                "unknown_answer", at: condition.pointer,
                "the condition names no answer: say which in \"answer_key\"", absentKeys: ["answer_key"])
            return nil
        }
        let parts = key.split(separator: ".", omittingEmptySubsequences: false).map { Identifier($0) }
        return parts.count > 1
            ? answer(parts[1], of: parts[0], at: location, in: step)
            : answer(parts[0], of: step.id, at: location, in: step)
    }

    private func answer(
        _ id: Identifier, of stepID: Identifier, at location: JSONReader, in current: FlowOutline.Step
    ) -> (id: Identifier, choice: FlowOutline.Choice?)? {
        // The reader of the flow already reports an unknown step.
        guard let step = outline[stepID] else { return nil }
        if outline.isLater(step, than: current) {
            warn("later_step", location, "step \"\(stepID)\" comes later: it has no answers yet")
            return nil
        }
        if step.answers.contains(id) { return (id, step.choices[id]) }
        guard !step.isOpen else { return nil }
        let known = step.answers.sorted().map { "\"\($0)\"" }
        let asks = known.isEmpty ? "asks nothing" : "asks \(known.listed(atMost: 3))"
        warn("unknown_answer", location, "step \"\(stepID)\" has no answer \"\(id)\": it \(asks)")
        return nil
    }

    private func checkOption(_ location: JSONReader?, _ choice: FlowOutline.Choice?, _ rule: String) {
        guard let choice, let location, let text = location.value.identifier, !choice.names.contains(text) else {
            return
        }
        if let option = choice.labels.first(where: { text == $0.label }) {
            return warn("unknown_option", location, "\"\(text)\" is the label of the option \"\(option.id)\": \(rule)")
        }
        warn("unknown_option", location, "there is no option \"\(text)\"")
    }

    private func checkVisibility(_ condition: JSONReader?, _ step: FlowOutline.Step) {
        guard let condition, let type = condition.value.object?["type"]?.string else { return }
        switch type {
        case "answer_equals":
            // A missing key already is a fault.
            guard let location = condition.optional("answer_key"),
                let asked = answer(location, condition, step)
            else { return }
            checkOption(condition.optional("value"), asked.choice, "conditions compare ids and values")
        case "binding_not_empty": _ = variable(condition.optional("binding"), condition, step)
        case let type where type.hasPrefix("when_"):
            guard let asked = variable(condition.optional("variable"), condition, step), type.hasSuffix("equals"),
                let choice = asked.choice
            else { return }
            guard asked.id != "selected", choice.isSingle else {
                return warn(
                    "type_mismatch", condition.optional("value") ?? condition,
                    "answers to \"\(asked.id)\" are arrays: the type answer_equals finds one option")
            }
            checkOption(condition.optional("value"), choice, "conditions compare ids and values")
        default: break
        }
    }

    private static let roots: Set<String> = ["responses", "hook_data", "user", "session", "context"]

    private func variable(
        _ location: JSONReader?, _ condition: JSONReader, _ step: FlowOutline.Step
    ) -> (id: Identifier, choice: FlowOutline.Choice?)? {
        let parts = (location?.value.string ?? "").split(separator: ".", omittingEmptySubsequences: false)
            .map(String.init)
        guard let location, parts.count > 1, Self.roots.contains(parts[0]) else {
            warn(
                "unknown_answer", location ?? condition,
                "a variable begins with responses., user., hook_data., session. or context.")
            return nil
        }
        if parts[0] == "user", manifest.attributes[parts[1]] == nil {
            warn("unknown_attribute", location, "the manifest declares no attribute \"\(parts[1])\"")
        }
        guard parts[0] == "responses", parts.count > 2 else { return nil }
        return answer(Identifier(parts[2]), of: Identifier(parts[1]), at: location, in: step)
    }

    private func checkDependency(_ condition: JSONReader?, _ step: FlowOutline.Step) {
        guard let condition, let object = condition.value.object, let id = object["field_id"]?.identifier,
            let operation = object["operator"]?.string, operation == "equals" || operation == "not_equals",
            let location = condition.optional("value")
        else { return }
        if step.toggles.contains(id), !["true", "false"].contains(location.value.string ?? location.value.text) {
            return warn("type_mismatch", location, "answers to \"\(id)\" are true and false")
        }
        guard let choice = step.choices[id], choice.isSingle else { return }
        checkOption(location, choice, "conditions compare ids and values")
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
