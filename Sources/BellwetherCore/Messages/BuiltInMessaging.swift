public import BellwetherJSON

/// The messaging value that every app has before its manifest (docs/reference/messaging.md#built-in-values): the lowest
/// layer of a merge.
public enum BuiltInMessaging {
    public static func value(dialect: Dialect) -> JSONObject {
        var value: JSONObject = [
            "triggers": ["ALWAYS": "true", "NEVER": "false"],
            "styles": ["DEFAULT": ["priority": 50, "max-display-count": 5]],
            "on-control": .string(OnControl.showNextMessage.rawValue),
        ]
        // The Android base manifest lands this action, which its messages have by default.
        if dialect == .android { value["actions"] = ["OPEN_URL": "://open"] }
        return value
    }
}

/// The next message after the selection of a control (docs/reference/messaging.md#controls).
public enum OnControl: String, Sendable, Hashable, CaseIterable {
    case showNextMessage = "show-next-message"
    case showNone = "show-none"
}
