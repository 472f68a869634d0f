public import BellwetherCore
public import BellwetherJSON
public import Surveys

/// Warnings about a flow without faults: rules, conditions, templates, hooks and chats that have no effect
/// (docs/findings.md#flows). Values at run time, such as answers that a hook adds, are not checked.
public struct FlowDocumentCheck {
    private let outline: FlowOutline
    private let manifest: Manifest
    private let findings: Findings

    /// - Parameters:
    ///   - document: The flow's document. Findings use its pointers.
    ///   - today: The day on which defaults are evaluated.
    public static func check(
        _ flow: FlowDefinition, _ document: JSONReader, under manifest: Manifest, on today: CalendarDay,
        findings: Findings
    ) {
        // These findings are discarded: this reader only finds the author's locations.
        let reader = JSONReader(document.value, at: document.pointer, findings: Findings())
        let outline = FlowOutline(flow, reader)
        let check = FlowDocumentCheck(outline: outline, manifest: manifest, findings: findings)
        FlowAudienceCheck(manifest: manifest, findings: findings).check(reader.optional("audience_rules"))
        let conditions = FlowConditionCheck(outline, manifest, findings)
        let values = FlowValueCheck(today: today, findings: findings)
        let look = FlowLookCheck(reader, under: manifest, findings)
        for (step, definition) in zip(outline.steps, flow.steps) {
            conditions.check(step)
            values.check(step, definition)
            look.check(step)
            for field in step.fields {
                check.checkSize(of: field.location)
                check.checkPattern(of: field.location)
            }
            check.checkHooks(of: step)
            check.checkChat(of: step)
        }
        FlowReferenceCheck(outline, findings).check(reader)
        LinkCheck.check(reader, LinkCheck.Subject.all(of: outline), findings: findings)
        FlowTemplateCheck.check(outline, under: manifest, findings: findings)
    }

    private func warn(_ code: String, _ location: JSONReader, _ message: String) {
        findings.warn(code, at: location.pointer, message)
    }

    private func checkSize(of field: JSONReader) {
        let readers = [field.optional("config"), field].compactMap(\.self)
        guard let location = readers.lazy.compactMap({ $0.optional("max_size_mb") }).first,
            let size = location.value.double, size * 1_048_576 > Double(FlowDefinition.maximumFileBytes)
        else { return }
        warn(
            "size_bound", location,
            "an image has at most \(FlowDefinition.maximumFileBytes >> 10) KiB, whatever max_size_mb says")
    }

    private func checkPattern(of field: JSONReader) {
        let validation = field.optional("validation")
        guard let location = validation?.optional("pattern_message"), validation?.optional("pattern") == nil else {
            return
        }
        warn("unused_key", location, "the sentence is never read: there is no \"pattern\" that an answer could fail")
    }

    private func checkHooks(of step: FlowOutline.Step) {
        for (key, policy) in [("hook", "block"), ("render_hook", "proceed")] {
            guard let hook = step.reader.optional(key) ?? step.config(key), hook.value.object != nil,
                hook.optional("enabled")?.value != false, hook.optional("webhook_url") != nil,
                (hook.optional("on_failure")?.value.string ?? policy) == "block",
                hook.optional("error_text")?.value.string?.allSatisfy(\.isWhitespace) ?? true
            else { continue }
            warn(
                "no_error_text", hook,
                "when the call fails, the respondent is stopped with a general sentence: say why in \"error_text\"")
        }
    }

    /// Reports the parts of a chat that are never reached.
    private func checkChat(of step: FlowOutline.Step) {
        guard let chat = step.config("chat_config"), chat.value.object != nil,
            chat.optional("turn_limit_behavior")?.value != "soft"
        else { return }
        let last = chat.optional("max_user_turns")?.value.integer ?? 5
        for (list, key, isAfterLast) in [
            ("auto_messages", "turn", { $0 > last }), ("turn_actions", "turn", { $0 > last }),
            ("quick_replies", "show_at_turn", { $0 >= last }),
        ] as [(String, String, (Int64) -> Bool)] {
            for element in FlowOutline.elements(chat.optional(list)) {
                guard let location = element.optional(key), let turn = location.value.integer, isAfterLast(turn) else {
                    continue
                }
                warn("never_reached", location, "the conversation ends with turn \(last): turn \(turn) never comes")
            }
        }
    }
}
