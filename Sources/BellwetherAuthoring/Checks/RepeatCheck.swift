internal import BellwetherBase
public import BellwetherJSON

/// A warning about a `repeat` without faults (docs/findings.md#pacing).
public enum RepeatCheck {
    /// Warns of a recipe whose message returns at once to whoever closes it.
    public static func check(_ recipe: JSONReader, findings: Findings) {
        guard let location = recipe.optional("repeat"), let offer = recipe.value.object?["offer"]?.object,
            let rule = RepeatRule(JSONReader(location.value, findings: Findings())), rule.unansweredWait == 0,
            offer["pacing"]?.object?["cooldown_seconds"]?.integer ?? 0 <= 0
        else { return }
        findings.warn(
            "repeat_at_once", at: location.pointer,
            "who closes the message gets it again at once: set \"unanswered_days\", or the offer's "
                + "\"pacing\" \"cooldown_seconds\"")
    }
}
