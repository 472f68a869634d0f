internal import BellwetherJSON

/// Tables of keys as JSON Schema 2020-12 (docs/reference/schemas.md).
enum FormatSchema {
    static let dialect = "https://json-schema.org/draft/2020-12/schema"

    /// The schema of a document, with a definition for each object in it.
    static func document(_ format: Format) -> JSONValue {
        var schema: JSONObject = [
            "$schema": .string(dialect), "title": .string(format.title), "description": .string(format.sentence),
        ]
        for (name, value) in object(format.objects[0]).object ?? [:] { schema[name] = value }
        schema["required"] = .array(format.required.map(JSONValue.string))
        schema["$defs"] = .object(definitions(format.objects))
        return .object(schema)
    }

    private static func definitions(_ objects: [FormatObject]) -> JSONObject {
        let variants = objects.flatMap { $0.variants?.all ?? [] }
        var definitions = JSONObject()
        for object in objects.dropFirst() + variants.flatMap(\.shared) {
            definitions[object.definition] = self.object(object)
        }
        for variant in variants { definitions[variant.definition] = object(variant.own) }
        return definitions
    }

    /// An object with the keys of a table. Those of a variant are under `if` and `then`.
    static func object(_ table: FormatObject) -> JSONValue {
        var schema: JSONObject = ["type": "object"]
        if !table.title.isEmpty { schema["title"] = .string(table.title) }
        if !table.sentence.isEmpty { schema["description"] = .string(table.sentence) }
        if !table.answer.isEmpty { schema["x-answer"] = .string(table.answer) }
        schema["properties"] = properties(of: table)
        guard let variants = table.variants else { return .object(schema) }
        let rules = variants.all.compactMap { variant in
            self.keys(of: variant, variants.layout).map { keys -> JSONValue in
                let test: JSONValue = .object([variants.key: ["const": .string(variant.name)]])
                return ["if": ["required": [.string(variants.key)], "properties": test], "then": keys]
            }
        }
        var properties = schema["properties"]?.object ?? [:]
        if var type = properties[variants.key]?.object, type["type"] != nil, variants.key == "type" {
            type["type"] = nil
            type["anyOf"] = [["enum": .array(variants.all.map { .string($0.name) })], [:]]
            properties[variants.key] = .object(type)
            schema["properties"] = .object(properties)
        }
        schema["allOf"] = .array(rules)
        return .object(schema)
    }

    /// The keys that an object has as a variant; nil if it has none.
    private static func keys(of variant: FormatVariant, _ layout: FormatVariants.Layout) -> JSONValue? {
        let own = reference(variant.definition)
        var parts = variant.shared.map { reference($0.definition) }
        switch layout {
        case .apart, .together: parts.insert(own, at: 0)
        case .inside(let key): if !variant.own.keys.isEmpty { parts.append(["properties": .object([key: own])]) }
        }
        return parts.count > 1 ? ["allOf": .array(parts)] : parts.first
    }

    /// The keys of a table, each under its usual name. The other names are in `x-names`.
    static func properties(of table: FormatObject) -> JSONValue {
        .object(JSONObject(table.keys.map { ($0.names[0], schema(of: $0)) }))
    }

    /// A reference to a definition.
    private static func reference(_ name: String) -> JSONValue {
        ["$ref": .string("#/$defs/" + FormatObject.definition(name))]
    }

    private static func schema(of key: FormatKey) -> JSONValue {
        var schema: JSONObject = [
            "title": .string(key.title.isEmpty ? title(of: key.names[0]) : key.title),
            "description": .string(key.sentence),
        ]
        for (name, value) in value(of: key.kind) { schema[name] = value }
        schema["default"] = defaultValue(of: key)
        if key.names.count > 1 { schema["x-names"] = .array(key.names.dropFirst().map(JSONValue.string)) }
        if key.isNeeded { schema["x-needed"] = true }
        if !key.group.isEmpty { schema["x-group"] = .string(key.group) }
        return .object(schema)
    }

    private static func value(of kind: FormatKey.Kind) -> JSONObject {
        switch kind {
        case .text: return ["type": "string"]
        case .words: return ["type": "string", "x-translatable": true]
        case .lines: return ["type": "string", "x-translatable": true, "x-lines": true]
        case .name(let what): return ["type": "string", "x-name-of": .string(what)]
        case .expression: return ["type": "string", "format": "jexl"]
        case .number(let bounds): return number(bounds)
        case .flag: return ["type": "boolean"]
        case .any: return [:]
        case .day: return ["type": "string", "format": "date"]
        case .time: return ["type": "string", "format": "date-time"]
        case .color: return ["type": "string", "format": "color"]
        case .picture: return ["type": "string", "format": "uri-reference"]
        case .object(nil), .bag: return ["type": "object"]
        case .object(let table?): return reference(table).object ?? [:]
        case .map(let kind): return ["type": "object", "additionalProperties": .object(value(of: kind))]
        case .list(let kind): return ["type": "array", "items": .object(value(of: kind))]
        case .either(let one, let other): return ["anyOf": [.object(value(of: one)), .object(value(of: other))]]
        case .word(let words, isClosed: true): return ["enum": .array(words.map(JSONValue.string))]
        case .word(let words, isClosed: false):
            // A renderer may know other words.
            return ["anyOf": [["enum": .array(words.map(JSONValue.string))], [:]]]
        }
    }

    private static func number(_ bounds: FormatKey.Bounds) -> JSONObject {
        var schema: JSONObject = ["type": "number"]
        schema["minimum"] = bounds.low.map(JSONValue.whole)
        schema["maximum"] = bounds.high.map(JSONValue.whole)
        if !bounds.unit.isEmpty { schema["x-unit"] = .string(bounds.unit) }
        return schema
    }

    /// The default as a value; nil if the table describes it in words.
    private static func defaultValue(of key: FormatKey) -> JSONValue? {
        switch key.kind {
        case .number: Double(key.usual).map(JSONValue.whole)
        case .flag: ["true": true, "false": false][key.usual]
        case .word(let words, _): words.contains(key.usual) ? .string(key.usual) : nil
        case .text, .name, .words, .lines:
            key.usual.count > 2 && key.usual.hasPrefix("`") && key.usual != "`id`"
                ? .string(String(key.usual.dropFirst().dropLast())) : nil
        case .color: key.usual.hasPrefix("#") ? .string(key.usual) : nil
        default: nil
        }
    }

    // MARK: Titles

    private static let titles = [
        "url": "address", "ms": "", "seconds": "", "cta": "button", "bg": "background", "color": "colour",
        "colors": "colours",
        "max": "highest", "min": "lowest",
    ]
    private static let ownTitles = [
        "id": "Id", "required": "An answer is required", "seconds": "Seconds", "cta_text": "Button text",
        "url": "Address", "alt": "Text in place of the picture", "alt_text": "Text in place of the picture",
        "max_length": "Characters at most", "min_length": "Characters at least", "max_size_mb": "Largest file (MiB)",
        "max_value": "At most", "min_value": "At least", "step": "In steps of", "max_stars": "Number of stars",
        "max_chips": "Most entries", "max_selections": "Most options", "multi_select": "Several may be chosen",
        "max_user_turns": "Most turns", "min_user_turns": "Fewest turns", "max_rating": "Highest rating",
        "min_date": "First day", "max_date": "Last day", "show_seconds": "Show seconds", "days": "Days",
        "is_highlighted": "Highlighted", "input_max_length": "Longest message", "min_characters": "Fewest characters",
        "field_id": "Key of the answer", "depends_on": "Shown only if",
        "visibility_condition": "Shown only if, by other answers", "markdown": "Text in Markdown",
        "pattern_message": "Message if the pattern does not match",
    ]

    /// A label in English, which is made from the name.
    static func title(of name: String) -> String {
        if let title = ownTitles[name] { return title }
        let words = name.split(separator: "_").map { titles[String($0)] ?? String($0) }.filter { !$0.isEmpty }
        let text = words.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
