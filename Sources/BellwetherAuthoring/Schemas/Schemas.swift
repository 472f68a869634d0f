public import BellwetherJSON

/// The formats of documents as JSON Schema 2020-12 (docs/reference/schemas.md).
public enum Schemas {
    /// The kinds of documents with a schema.
    public static let kinds = ["experiment", "flow", "questionnaire", "survey"]

    /// The schema of a kind; nil for an unknown kind.
    public static func schema(of kind: String) -> JSONValue? {
        switch kind {
        case "flow": FlowSchema.document
        case "experiment": names("Experiment", KeyTable.experiment)
        case "questionnaire": names("Questionnaire", KeyTable.questionnaire)
        case "survey": names("Survey", KeyTable.survey)
        default: nil
        }
    }

    /// A schema with the names of keys, without the types of their values.
    private static func names(_ title: String, _ table: KeyTable) -> JSONValue {
        var schema: JSONObject = ["$schema": .string(FormatSchema.dialect), "title": .string(title)]
        for (name, value) in table.schema.object ?? [:] { schema[name] = value }
        return .object(schema)
    }
}

extension KeyTable {
    /// The keys of the table and of the tables in it. A table that contains itself is not followed.
    fileprivate var schema: JSONValue {
        switch self {
        case .anything, .later: [:]
        case .object(let keys), .recipe(let keys), .open(let keys): ["properties": Self.properties(keys)]
        case .list(let table): ["items": table.schema]
        case .map(let table): ["additionalProperties": table.schema]
        case .either(let object, let list): ["anyOf": [object.schema, list.schema]]
        case .kinds(let name, let common, let kinds): Self.schema(by: name, common, kinds)
        case .hinted(let table, _): table.schema
        }
    }

    private static func properties(_ keys: [String: KeyTable]) -> JSONValue {
        .object(JSONObject(keys.sorted { $0.key.precedes($1.key) }.map { ($0.key, $0.value.schema) }))
    }

    private static func schema(
        by name: String, _ common: [String: KeyTable], _ kinds: [String: [String: KeyTable]]
    ) -> JSONValue {
        let kinds = kinds.sorted { $0.key.precedes($1.key) }
        let rules: [JSONValue] = kinds.map { kind, keys in
            [
                "if": ["required": [.string(name)], "properties": .object([name: ["const": .string(kind)]])],
                "then": ["properties": properties(keys)],
            ]
        }
        return ["properties": properties(common), "allOf": .array(rules)]
    }
}
