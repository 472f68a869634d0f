public import BellwetherJSON

/// The formats of documents as JSON Schema 2020-12 (docs/reference/schemas.md).
public enum Schemas {
    /// The kinds of documents with a schema.
    public static let kinds: [String] = Format.all.keys.sorted()

    /// The schema of a kind; nil for an unknown kind.
    public static func schema(of kind: String) -> JSONValue? { Format.all[kind].map(FormatSchema.document) }
}
