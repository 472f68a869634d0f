public import BellwetherJSON

/// The styles, triggers and actions that a value can name: its own, and those of the lower layers. The layers are not
/// merged.
package struct MessagingNames {
    /// The value as the SDK reads it.
    package let patch: JSONObject
    let base: JSONObject

    package init(patch: JSONObject, base: JSONObject) {
        self.patch = patch
        self.base = base
    }

    package func style(_ name: String) -> JSONValue? { value("styles", name) }
    package func trigger(_ name: String) -> JSONValue? { value("triggers", name) }
    package func action(_ name: String) -> JSONValue? { value("actions", name) }

    /// A message as this value and the lower layers define it.
    package func message(_ key: String) -> JSONObject {
        let layers = [base, patch].compactMap { $0["messages"]?.object?[key]?.object }
        return JSONPatch.merge(layers)
    }

    private func value(_ variable: String, _ name: String) -> JSONValue? {
        // Not `? nil :`, because that would be JSON's null.
        if let own = patch[variable]?.object?[name] { return own == .null ? .none : .some(own) }
        return patch[variable] == .null ? .none : base[variable]?.object?[name]
    }
}

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
