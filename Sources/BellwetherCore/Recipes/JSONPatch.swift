public import BellwetherJSON

/// How a recipe's value is laid over what it patches (nimbus-messaging.md G, "Patch rule").
public enum JSONPatch {
    /// Objects merge key by key, anything else replaces; a null deletes the key it meets, and stays where there is
    /// none to delete.
    public static func merge(_ patch: JSONObject, over fallback: JSONObject) -> JSONObject {
        var result = fallback
        for (key, value) in patch {
            guard let below = fallback[key] else {
                result[key] = value
                continue
            }
            result[key] = value == .null ? nil : merge(value, over: below)
        }
        return result
    }

    static func merge(_ patch: JSONValue, over fallback: JSONValue) -> JSONValue {
        guard case .object(let patch) = patch, case .object(let fallback) = fallback else { return patch }
        return .object(merge(patch, over: fallback))
    }
}
