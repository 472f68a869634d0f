import BellwetherJSON
import TestSupport
import Testing

@Suite struct JSONSourceMapTests {
    static let text = """
        {
          "ä": [10, {"b/c~": true},
                30],
          "e": {"f": null}, "g": {}
        }
        """

    static let positions: [([String], Int, Int)] = [
        ([], 1, 1), (["ä"], 2, 8), (["ä", "0"], 2, 9), (["ä", "1"], 2, 13), (["ä", "1", "b/c~"], 2, 22),
        (["ä", "2"], 3, 9), (["e"], 4, 8), (["e", "f"], 4, 14), (["g"], 4, 26),
        // For an absent value, the position is that of the nearest ancestor.
        (["ä", "3"], 2, 8), (["ä", "x"], 2, 8), (["ä", "00"], 2, 8), (["ä", "0", "y"], 2, 9), (["z"], 1, 1),
        (["e", "f", "g", "h"], 4, 14), (["g", "0"], 4, 26),
    ]

    @Test(arguments: positions) func findsEveryValue(_ tokens: [String], _ line: Int, _ column: Int) throws {
        let map = JSONSourceMap(Array(Self.text.utf8))
        let position = try #require(map.position(of: JSONPointer(tokens: tokens)))
        #expect(position.line == line)
        #expect(position.column == column)
    }

    @Test func aBrokenTextIsMappedUpToTheMistake() throws {
        let map = JSONSourceMap(Array("{\"a\":1,\n\"b\":?}".utf8))
        #expect(try #require(map.position(of: JSONPointer(tokens: ["a"]))) == (1, 6))
        #expect(try #require(map.position(of: JSONPointer(tokens: ["c"]))) == (1, 1))
        #expect(JSONSourceMap([]).position(of: .root)?.line == 1)
    }

    @Test func everyValueOfARandomDocumentIsWhereItIsWritten() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            let value = RandomJSON.value(depth: 3, using: &generator)
            let bytes = value.encoded
            let map = JSONSourceMap(bytes)
            let lines = String(decoding: bytes, as: UTF8.self).unicodeScalars
            for (pointer, part) in Self.parts(of: value, at: .root) {
                let position = try #require(map.position(of: pointer))
                let found = String(String.UnicodeScalarView(lines.dropFirst(position.column - 1)))
                #expect(position.line == 1)
                let isThere = found.utf8.starts(with: part.encoded)
                #expect(isThere, "\(pointer)")
            }
        }
    }

    private static func parts(of value: JSONValue, at pointer: JSONPointer) -> [(JSONPointer, JSONValue)] {
        let inner: [(JSONPointer, JSONValue)] =
            switch value {
            case .array(let values):
                values.enumerated().flatMap { parts(of: $0.element, at: pointer.appending($0.offset)) }
            case .object(let members): members.flatMap { parts(of: $0.value, at: pointer.appending($0.key)) }
            default: []
            }
        return [(pointer, value)] + inner
    }
}
