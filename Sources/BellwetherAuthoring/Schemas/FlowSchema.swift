internal import BellwetherJSON

/// The format of flows as JSON Schema, with a definition for each table. The keys of a block or field follow from its
/// type.
enum FlowSchema {
    static var document: JSONValue {
        var schema: JSONObject = [
            "$schema": .string(FormatSchema.dialect), "title": "Flow",
            "description": "An onboarding flow: steps of content, questions, forms and conversations",
        ]
        for (name, value) in FormatSchema.object(FlowStepKeys.flow).object ?? [:] { schema[name] = value }
        schema["required"] = ["steps"]
        schema["$defs"] = .object(definitions)
        return .object(schema)
    }

    private static var definitions: JSONObject {
        let tables = (FlowStepKeys.all.dropFirst() + FlowPartKeys.all).map {
            (FormatSchema.definitionName($0.name), FormatSchema.object($0))
        }
        let blocks = FlowBlockKeys.types.map { ("block.\($0.name)", FormatSchema.object($0)) }
        let fields = FlowFieldKeys.types.map { ("field.\($0.name)", FormatSchema.object($0)) }
        return JSONObject(
            [
                ("block", block), ("answer", FormatSchema.object(FlowBlockKeys.answer)), ("field", field),
                ("choice", FormatSchema.object(FlowFieldKeys.choice)),
            ] + tables + blocks + fields)
    }

    // MARK: Blocks

    /// A block has the keys of every block and those of its type. A block `input_TYPE` is a field.
    private static var block: JSONValue {
        let ofBlocks = FlowBlockKeys.types.map { type in
            rule(for: type.name, FlowBlockKeys.answerNames.contains(type.name) ? ["answer"] : [], "block.\(type.name)")
        }
        let ofFields = FlowFieldKeys.types.map { type in
            rule(for: "input_\(type.name)", ["answer"] + choice(type), "field.\(type.name)")
        }
        return object(FlowBlockKeys.common, rules: ofBlocks + ofFields)
    }

    private static func rule(for type: String, _ shared: [String], _ own: String) -> (String, JSONValue) {
        let parts = ([own] + shared).map { FormatSchema.reference($0) }
        return (type, parts.count == 1 ? parts[0] : ["allOf": .array(parts)])
    }

    // MARK: Fields

    /// A field has the keys of every field; those of its type are in `config`.
    private static var field: JSONValue {
        let rules = FlowFieldKeys.types.map { type -> (String, JSONValue) in
            let config: JSONValue = ["properties": ["config": FormatSchema.reference("field.\(type.name)")]]
            let parts = choice(type).map { FormatSchema.reference($0) } + (type.keys.isEmpty ? [] : [config])
            return (type.name, parts.count == 1 ? parts[0] : ["allOf": .array(parts)])
        }
        return object(FlowFieldKeys.common, rules: rules)
    }

    private static func choice(_ type: FormatObject) -> [String] {
        ["select", "segmented"].contains(type.name) ? ["choice"] : []
    }

    /// An object whose further keys follow from its `type`.
    private static func object(_ common: FormatObject, rules: [(type: String, keys: JSONValue)]) -> JSONValue {
        var schema = FormatSchema.object(common).object ?? [:]
        var properties = schema["properties"]?.object ?? [:]
        var type = properties["type"]?.object ?? [:]
        type["type"] = nil
        type["anyOf"] = [["enum": .array(rules.map { .string($0.type) })], [:]]
        properties["type"] = .object(type)
        schema["properties"] = .object(properties)
        schema["allOf"] = .array(
            rules.filter { $0.keys != ["allOf": []] }.map { type, keys in
                ["if": ["required": ["type"], "properties": ["type": ["const": .string(type)]]], "then": keys]
            })
        return .object(schema)
    }
}
