internal import BellwetherJSON

/// Checks the answers in the conditions of a flow's quotas and of its notification (docs/reference/flows.md#quotas).
struct FlowReferenceCheck {
    private let outline: FlowOutline
    private let findings: Findings

    init(_ outline: FlowOutline, _ findings: Findings) { (self.outline, self.findings) = (outline, findings) }

    /// - Parameter flow: The whole document.
    func check(_ flow: JSONReader) {
        check(pacing: flow.optional("offer")?.optional("pacing"))
        check(condition: flow.optional("notify")?.optional("when"))
    }

    func check(pacing: JSONReader?) {
        for condition in ConditionReferences.conditions(of: pacing) { check(condition: condition) }
    }

    private func check(condition: JSONReader?) {
        for reference in ConditionReferences.all(in: condition) { check(reference.value.string ?? "", reference) }
    }

    private func check(_ reference: String, _ location: JSONReader) {
        let parts = reference.split(separator: ".", omittingEmptySubsequences: false).map { Identifier($0) }
        guard ["step", "answer"].contains(parts[0]), parts.count > 1 else { return }
        guard let step = outline[parts[1]] else {
            return warn("there is no step \"\(parts[1])\": answers are read as step.STEP.FIELD", location)
        }
        guard parts.count > 2, !step.isOpen, !step.answers.contains(parts[2]) else { return }
        warn("the step \"\(step.id)\" has no field \"\(parts[2])\": its answer is always missing", location)
    }

    private func warn(_ message: String, _ location: JSONReader) {
        findings.warn("unknown_question", at: location.pointer, message)
    }
}
