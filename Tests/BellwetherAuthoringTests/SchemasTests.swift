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
        #expect(kind != "flow" || references.count > 100)
        for reference in references {
            #expect(definitions.contains(reference.replacing("#/$defs/", with: "")), "\(reference)")
        }
    }

    @Test func `Every key of the tables is in the schema with a label and a sentence`() throws {
        let definitions = try #require(FlowSchema.document.object?["$defs"]?.object)
        let tables: [(String, FormatObject)] =
            FlowBlockKeys.types.map { ("block.\($0.name)", $0) } + FlowFieldKeys.types.map { ("field.\($0.name)", $0) }
            + (FlowPartKeys.all + FlowStepKeys.all.dropFirst()).map { (FormatSchema.definitionName($0.name), $0) }
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
            d | [plans/words] | | four
            e | {text style} | | five
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
                    "title": "D", "description": "four", "type": "array",
                    "items": ["anyOf": [["$ref": "#/$defs/plans"], ["type": "string", "x-translatable": true]]],
                    "x-group": "look",
                ],
                "e": ["title": "E", "description": "five", "$ref": "#/$defs/text_style", "x-group": "look"],
                "f": [
                    "title": "F", "description": "six", "type": "string", "x-translatable": true, "x-lines": true,
                    "default": "next", "x-group": "look",
                ],
            ])
    }

    /// Writes the file anew if `BELLWETHER_WRITE_DOCS` is set.
    @Test func `The schema of flows in the documentation is that of the tables`() throws {
        let place = Self.root.appending(path: "docs/schemas/flow.schema.json")
        let text = FlowSchema.document.text + "\n"
        if ProcessInfo.processInfo.environment["BELLWETHER_WRITE_DOCS"] != nil {
            try text.write(to: place, atomically: true, encoding: .utf8)
        } else {
            #expect(try String(contentsOf: place, encoding: .utf8) == text)
        }
    }
}
