public import BellwetherJSON

/// The facts about a run's respondent: results are broken down by it, and lists are filtered by it
/// (docs/reference/surveys.md#kept-attributes).
extension Run {
    /// The keys by which an app describes the origin of a flow's respondent (docs/reference/flows.md#attribution).
    public static let attributionKeys = ["source", "campaign", "referrer"]

    /// The attribution of a flow, as the app sent it at the start.
    public var attribution: JSONObject {
        guard let context = flow?.context else { return [:] }
        return JSONObject(Self.attributionKeys.compactMap { key in context[key].map { (key, $0) } })
    }

    /// A kept attribute, else a part of the attribution, as a text. Nil: the run has none.
    public func attribute(_ name: String) -> String? {
        (attributes[name] ?? attribution[name])?.present?.canonicalText
    }
}
