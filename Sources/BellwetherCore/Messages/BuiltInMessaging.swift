public import BellwetherJSON

/// The messaging value of every app without its manifest (docs/reference/messaging.md#built-in-values). It is the
/// lowest layer of a merge.
public enum BuiltInMessaging {
    public static func value(dialect: Dialect) -> JSONObject {
        var value: JSONObject = [
            "triggers": ["ALWAYS": "true", "NEVER": "false"],
            "styles": ["DEFAULT": ["priority": 50, "max-display-count": 5]],
            "on-control": .string(OnControl.showNextMessage.rawValue),
        ]
        // The Android base manifest defines this action, and Android messages have it by default.
        if dialect == .android { value["actions"] = ["OPEN_URL": "://open"] }
        return value
    }
}

/// The outcome after a control is selected (docs/reference/messaging.md#controls).
public enum OnControl: String, Sendable, Hashable, CaseIterable {
    case showNextMessage = "show-next-message"
    case showNone = "show-none"
}
