import BellwetherJSON
import Foundation
import Testing

@testable import BellwetherAuthoring

/// The schemas of kinds are made of the tables of keys (docs/reference/schemas.md).
@Suite struct SchemasTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Every value of a document.
    private func values(_ value: JSONValue) -> [JSONValue] {
        switch value {
        case .array(let values): [value] + values.flatMap(self.values)
        case .object(let members): [value] + members.flatMap { self.values($0.value) }
        default: [value]
        }
    }

    @Test(arguments: Schemas.kinds) func `Every reference of a schema leads to a definition`(_ kind: String) throws {
        let schema = try #require(Schemas.schema(of: kind))
        #expect(schema.object?["$schema"] == "https://json-schema.org/draft/2020-12/schema")
        let definitions = Set(schema.object?["$defs"]?.object?.keys ?? [])
        let references = values(schema).compactMap { $0.object?["$ref"]?.string }
        #expect(references.count >= (kind == "flow" ? 100 : kind == "segment" ? 0 : 5))
        for reference in references {
            #expect(definitions.contains(reference.replacing("#/$defs/", with: "")), "\(reference)")
        }
    }

    @Test(arguments: Schemas.kinds)
    func `Every key of the tables is in the schema with a label and a sentence`(_ kind: String) throws {
        let format = try #require(Format.all[kind])
        let definitions = try #require(Schemas.schema(of: kind)?.object?["$defs"]?.object)
        let variants = format.objects.flatMap { $0.variants?.all ?? [] }
        let tables = format.objects.dropFirst().map { ($0.definition, $0) } + variants.map { ($0.definition, $0.own) }
        for (name, table) in tables {
            let properties = try #require(definitions[name]?.object?["properties"]?.object, "\(name)")
            #expect(properties.keys == table.keys.map { $0.names[0] })
            for (key, property) in properties {
                #expect(property.object?["title"]?.string?.isEmpty == false, "\(name) \(key)")
                #expect(property.object?["description"]?.string?.isEmpty == false, "\(name) \(key)")
            }
        }
    }

    @Test func `A type in the tables is a type of the schema`() throws {
        let keys = FormatObject(
            "test",
            """
            a other | number 1..9 px | 2 | one
            # look
            b | on off | on | two
            c | =on off | | three
            d | [{plans}/words] | | four | Fourth
            e | {text style} | | five
            g | {*number/text} | | six
            h | =a b;c | | seven
            !i | name surfaces | | eight
            f | lines | `next` | six
            """)
        #expect(
            FormatSchema.properties(of: keys) == [
                "a": [
                    "title": "A", "description": "one", "type": "number", "minimum": 1, "maximum": 9, "x-unit": "px",
                    "default": 2, "x-names": ["other"],
                ],
                "b": [
                    "title": "B", "description": "two", "anyOf": [["enum": ["on", "off"]], [:]], "default": "on",
                    "x-group": "look",
                ],
                "c": ["title": "C", "description": "three", "enum": ["on", "off"], "x-group": "look"],
                "d": [
                    "title": "Fourth", "description": "four", "type": "array",
                    "items": ["anyOf": [["$ref": "#/$defs/plans"], ["type": "string", "x-translatable": true]]],
                    "x-group": "look",
                ],
                "e": ["title": "E", "description": "five", "$ref": "#/$defs/text_style", "x-group": "look"],
                "g": [
                    "title": "G", "description": "six", "type": "object",
                    "additionalProperties": ["anyOf": [["type": "number"], ["type": "string"]]], "x-group": "look",
                ],
                "h": ["title": "H", "description": "seven", "enum": ["a b", "c"], "x-group": "look"],
                "i": [
                    "title": "I", "description": "eight", "type": "string", "x-name-of": "surfaces", "x-needed": true,
                    "x-group": "look",
                ],
                "f": [
                    "title": "F", "description": "six", "type": "string", "x-translatable": true, "x-lines": true,
                    "default": "next", "x-group": "look",
                ],
            ])
    }

    /// Writes the file anew if `BELLWETHER_WRITE_DOCS` is set.
    @Test(arguments: Schemas.kinds)
    func `The schema in the documentation is that of the tables`(_ kind: String) throws {
        let place = Self.root.appending(path: "docs/schemas/\(kind).schema.json")
        let text = try #require(Schemas.schema(of: kind)).text + "\n"
        if ProcessInfo.processInfo.environment["BELLWETHER_WRITE_DOCS"] != nil {
            try text.write(to: place, atomically: true, encoding: .utf8)
        } else {
            #expect(try String(contentsOf: place, encoding: .utf8) == text)
        }
    }
}
