internal import BellwetherJSON

/// The styles, triggers and actions that a value can name: its own over those of the layers below, without merging
/// them all.
struct MessagingNames {
    /// As the SDK reads it.
    let patch: JSONObject
    let base: JSONObject

    func style(_ name: String) -> JSONValue? { value("styles", name) }
    func trigger(_ name: String) -> JSONValue? { value("triggers", name) }
    func action(_ name: String) -> JSONValue? { value("actions", name) }

    /// A message as it is when nothing but this value lies over the layers below.
    func message(_ key: String) -> JSONObject {
        let layers = [base, patch].compactMap { $0["messages"]?.object?[key]?.object }
        return JSONPatch.merge(layers)
    }

    private func value(_ variable: String, _ name: String) -> JSONValue? {
        // Not `? nil :`, which would be JSON's null.
        if let own = patch[variable]?.object?[name] { return own == .null ? .none : .some(own) }
        return patch[variable] == .null ? .none : base[variable]?.object?[name]
    }
}
