internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// Reports templates that can never have a value (docs/findings.md#flows). Each is reported once, at its first
/// location.
struct FlowTemplateCheck {
    private let outline: FlowOutline
    private let manifest: Manifest
    private let findings: Findings
    private var reported: Set<String> = []
    /// The step whose texts are being checked.
    private var step: FlowOutline.Step?

    static func check(_ outline: FlowOutline, under manifest: Manifest, findings: Findings) {
        var check = FlowTemplateCheck(outline: outline, manifest: manifest, findings: findings)
        for step in outline.steps {
            check.step = step
            for config in step.configs { check.check(config, isHeader: false) }
            if let blocks = step.reader.optional("content_blocks") { check.check(blocks, isHeader: false) }
            let hooks = ["hook", "render_hook"].compactMap { step.reader.optional($0) ?? step.config($0) }
            let chat = step.config("chat_config")?.optional("webhook")
            for hook in hooks + (chat.map { [$0] } ?? []) {
                if let headers = hook.optional("headers") { check.check(headers, isHeader: true) }
            }
        }
    }

    /// The keys in which no template expands, or which have their own check.
    private static let otherKeys: Set<String> = ["hook", "render_hook", "webhook", "next_step_rules"]

    private mutating func check(_ location: JSONReader, isHeader: Bool) {
        if let text = location.value.string {
            for expression in FlowTemplate.expressions(in: text) { check(expression, location, isHeader) }
            if FlowTemplate.hasOpenEnd(text) {
                findings.warn("unknown_template", at: location.pointer, "no }} closes the last {{: people read it")
            }
        } else if location.value.array != nil {
            for element in location.elements() ?? [] { check(element, isHeader: isHeader) }
        } else if location.value.object != nil {
            for (key, member) in location.members() ?? []
            where !Self.otherKeys.contains(key) && !FlowTemplate.fixedKeys.contains(key) {
                check(member, isHeader: isHeader)
            }
        }
    }

    private mutating func check(_ expression: FlowTemplate.Expression, _ location: JSONReader, _ isHeader: Bool) {
        let parts = expression.path.split(separator: ".", omittingEmptySubsequences: false).map { Identifier($0) }
        guard let name = parts.first, let reason = reason(parts, isHeader) ?? laterStep(parts)?.text else { return }
        guard reported.insert(expression.path).inserted else { return }
        let result = expression.fallback == nil ? "it becomes nothing" : "people read \"\(expression.fallback ?? "")\""
        let message = "nothing fills {{\(expression.path)}}, \(result): \(reason)"
        if let later = laterStep(parts) {
            findings.warn(
                "later_step", at: location.pointer,
                "step \"\(later)\" comes later: {{\(expression.path)}} is not filled yet")
        } else if name == "user" {
            findings.warn("unknown_attribute", at: location.pointer, message)
        } else {
            findings.warn("unknown_template", at: location.pointer, message)
        }
    }

    /// The step whose answers the template reads, if that step comes later.
    private func laterStep(_ parts: [Identifier]) -> Identifier? {
        guard parts.count > 1, ["onboarding", "responses"].contains(parts[0]), let step, let read = outline[parts[1]],
            outline.isLater(read, than: step)
        else { return nil }
        return read.id
    }

    /// The reason why the template never has a value; nil if it may have one.
    private func reason(_ parts: [Identifier], _ isHeader: Bool) -> String? {
        guard parts.count > 1 else { return "a template has a namespace, as in {{user.NAME}}" }
        switch parts[0] {
        case "onboarding", "responses": return reason(step: parts[1], field: parts.count > 2 ? parts[2] : nil)
        case "input":
            let isAsked = outline.steps.contains { $0.isOpen || $0.answers.contains(parts[1]) }
            return isAsked ? nil : "no step has an answer \"\(parts[1])\""
        case "user":
            return manifest.attributes[parts[1].text] == nil
                ? "the manifest declares no attribute \"\(parts[1])\"" : nil
        case "device":
            return ["platform", "locale"].contains(parts[1]) ? nil : "of a device there are platform and locale"
        case "secret": return isHeader ? nil : "secrets expand in headers only"
        case "computed", "context": return nil
        default: return "there is no namespace \"\(parts[0])\""
        }
    }

    private func reason(step id: Identifier, field: Identifier?) -> String? {
        guard let step = outline[id] else { return "there is no step \"\(id)\"" }
        guard let field, !step.isOpen, !step.answers.contains(field) else { return nil }
        return "step \"\(id)\" has no answer \"\(field)\""
    }
}
