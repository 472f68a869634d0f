public import BellwetherJSON

/// The facts about a run's respondent by which results are broken down and lists are filtered
/// (docs/reference/surveys.md#kept-attributes).
extension Run {
    /// The keys with which an app describes the origin of a flow's respondent (docs/reference/flows.md#attribution).
    public static let attributionKeys: [Identifier] = ["source", "campaign", "referrer"]

    /// The attribution of a flow, as the app sent it at the start.
    public var attribution: JSONObject {
        guard let context = flow?.context else { return [:] }
        return JSONObject(Self.attributionKeys.compactMap { key in context[key].map { (key.text, $0) } })
    }

    /// The text of a kept attribute, else of a part of the attribution; nil if the run has neither.
    public func attribute(_ name: Identifier) -> String? {
        (attributes[name] ?? attribution[name])?.present?.canonicalText
    }
}
