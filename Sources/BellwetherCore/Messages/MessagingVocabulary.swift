public import BellwetherJSON
internal import JEXL

/// The names that a messaging value may use, as its app's manifest declares them.
public struct MessagingVocabulary: Sendable {
    public let dialect: Dialect
    public let surfaces: Set<Identifier>
    /// Attributes that an expression may read without a warning.
    public let attributes: Set<String>
    /// The meaning of `segment`, `list` and `answer` in an expression that is read alone.
    let audienceScope: AudienceScope
    /// The schema by which a messaging value of this app is read.
    let shape: FieldSchema

    public init(dialect: Dialect, surfaces: [Identifier], attributes: Set<String>) {
        self.dialect = dialect
        self.surfaces = Set(surfaces)
        self.attributes = attributes
        audienceScope = AudienceScope(
            attributes: Set(AudienceScope.Word.allCases.filter { attributes.contains($0.rawValue) }))
        shape = MessagingSchema.messaging(dialect: dialect, surfaces: self.surfaces)
    }

    /// A message with the canonical spellings of its keys.
    func normalised(message: JSONValue) -> JSONValue {
        let value: JSONValue = ["messages": ["m": message]]
        return shape.normalised(JSONReader(value, findings: Findings())).object?["messages"]?.object?["m"] ?? message
    }

    /// A value without the parts that the SDK reads as missing.
    package func reading(_ messaging: JSONObject) -> JSONObject { shape.reading(.object(messaging))?.object ?? [:] }
}
