public import BellwetherJSON

/// What is known of who answered: results are broken down by it, and lists are filtered by it
/// (docs/reference/surveys.md#kept-attributes).
extension Run {
    /// What an app says of where the respondent of a flow came from (docs/reference/flows.md#attribution).
    public static let attributionKeys = ["source", "campaign", "referrer"]

    /// Of a flow, as the app said it at the start.
    public var attribution: JSONObject {
        guard let context = flow?.context else { return [:] }
        return JSONObject(Self.attributionKeys.compactMap { key in context[key].map { (key, $0) } })
    }

    /// A kept attribute, else a part of the attribution, as a text. Nil: the run has none.
    public func attribute(_ name: String) -> String? {
        (attributes[name] ?? attribution[name])?.present?.canonicalText
    }
}
