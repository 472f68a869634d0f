internal import BellwetherBase
public import BellwetherJSON

/// The parameters that the address of a recipe's own page can have beside its language (docs/web.md#links): initial
/// answers and attributes. They never identify the respondent.
public struct LinkParameters: Sendable, Hashable {
    /// The ids of questions or fields.
    public let answers: [String]
    /// The names of attributes. Attributes that the manifest does not declare are not kept.
    public let attributes: [String]

    private static let maximumNames = 50
    private static let reserved: Set<String> = ["client_id", "user_id", "user_proof", "response_id", "locale"]

    public init?(_ reader: JSONReader) {
        guard reader.object() != nil else { return nil }
        reader.refuseUnknown(keys: ["answers", "attributes"])
        (answers, attributes) = (Self.names(reader.optional("answers")), Self.names(reader.optional("attributes")))
    }

    private static func names(_ reader: JSONReader?) -> [String] {
        guard let reader, let items = reader.elements() else { return [] }
        if items.count > maximumNames { reader.finding("too_many", "at most \(maximumNames) names") }
        return items.prefix(maximumNames).compactMap { item in
            guard let name = item.string(length: 1...200) else { return nil }
            if reserved.contains(name) { item.finding("reserved", "an address does not say \(name)") }
            return name
        }
    }
}
