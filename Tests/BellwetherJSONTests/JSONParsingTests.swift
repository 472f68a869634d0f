import BellwetherJSON
import FuzzChecks
import Testing

@Suite struct JSONParsingTests {
    struct Accepted: Sendable, CustomTestStringConvertible {
        let text: String
        let value: JSONValue
        var testDescription: String { text }
        init(_ text: String, _ value: JSONValue) {
            self.text = text
            self.value = value
        }
    }

    @Test(arguments: [
        Accepted("null", .null),
        Accepted("true", true),
        Accepted("false", false),
        Accepted(" \t\r\n1 \n", 1),
        Accepted("[]", []),
        Accepted("[ ]", []),
        Accepted("{}", [:]),
        Accepted("{ }", [:]),
        Accepted("[1,2 , 3]", [1, 2, 3]),
        Accepted(#"{"a":1,"b":[true,null,{"c":"d"}]}"#, ["a": 1, "b": [true, nil, ["c": "d"]]]),
        Accepted(#"{"":0}"#, ["": 0]),
        Accepted("\"\"", ""),
        Accepted(#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
        Accepted(#""\u0041\u00e9\u20AC""#, "Aé€"),
        Accepted(#""\ud83d\ude00 and \uD834\uDD1E""#, "😀 and 𝄞"),
        Accepted(#""\u0000""#, "\u{0}"),
        Accepted(#""\uFFFF\ufdd0""#, .string(String(decoding: [0xFFFF, 0xFDD0] as [UInt16], as: UTF16.self))),
        Accepted("\"é😀\u{7f}\u{2028}\"", "é😀\u{7f}\u{2028}"),
        Accepted("\"\u{feff}\"", "\u{feff}"),
        Accepted(#"{"é":1,"e\u0301":2}"#, .object(["é": 1, "e\u{301}": 2])),
    ]) func accepts(_ example: Accepted) throws {
        #expect(try JSONValue(parsing: example.text) == example.value)
    }

    @Test func keepsTheOrderOfMembers() throws {
        let keys = (0..<40).map { "k\(($0 * 17) % 40)" }
        let text = "{" + keys.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
        #expect(try JSONValue(parsing: text).object?.keys == keys)
    }

    @Test func aSliceCountsFromItsOwnBeginning() throws {
        let bytes = Array("xx[1,?]".utf8)
        #expect(throws: JSONError.self) { try JSONValue(parsing: bytes[2...]) }
        #expect(try JSONValue(parsing: bytes[3..<4]) == 1)
        do {
            _ = try JSONValue(parsing: bytes[2...])
        } catch {
            #expect(error.offset == 3 && error.line == 1 && error.column == 4)
        }
    }

    @Test func foundationAgrees() throws {
        for text in JSONSamples.documents {
            let value = try JSONValue(parsing: text)
            #expect(FoundationJSON.agrees(try FoundationJSON.parse(Array(text.utf8)), value), "\(text)")
        }
    }
}
