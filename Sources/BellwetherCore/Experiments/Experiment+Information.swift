internal import BellwetherJSON

extension Experiment {
    private enum Form { case string, boolean, count, array, object }

    /// The optional fields of docs/reference/experiments.md#recipe-documents that have no rule but their type. Others
    /// are nobody's concern: the document keeps them.
    private static let information: [(key: String, form: Form)] = [
        ("appName", .string), ("appId", .string), ("channel", .string), ("isFirefoxLabsOptIn", .boolean),
        ("featureIds", .array), ("proposedDuration", .count), ("referenceBranch", .string), ("outcomes", .array),
        ("locales", .array), ("localizations", .object), ("featureValidationOptOut", .boolean),
        ("firefoxLabsTitle", .string), ("firefoxLabsDescription", .string), ("firefoxLabsDescriptionLinks", .object),
        ("requiresRestart", .boolean), ("documentationLinks", .array),
    ]

    /// Warns of optional fields with the wrong type.
    static func readInformation(_ reader: JSONReader) {
        for (key, form) in information {
            guard let place = reader.tolerant.optional(key) else { continue }
            switch form {
            case .string: _ = place.string()
            case .boolean: _ = place.bool()
            case .count: _ = place.integer()
            case .array: _ = place.elements()
            case .object: _ = place.object()
            }
        }
    }
}
