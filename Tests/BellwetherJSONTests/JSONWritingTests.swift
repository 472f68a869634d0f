import BellwetherJSON
import TestSupport
import Testing

@Suite struct JSONWritingTests {
    @Test(arguments: [
        ("plain", #""plain""#), ("", "\"\""), ("\"\\/", #""\"\\/""#), ("\u{8}\u{c}\n\r\t", #""\b\f\n\r\t""#),
        ("\u{0}\u{1}\u{b}\u{1f}", #""\u0000\u0001\u000b\u001f""#), ("\u{7f}é\u{2028}😀", "\"\u{7f}é\u{2028}😀\""),
    ]) func escapesAsLittleAsItMust(_ text: String, _ written: String) {
        #expect(JSONValue.string(text).text == written)
        var output: [UInt8] = []
        JSONText.append(quoted: text, to: &output)
        #expect(String(decoding: output, as: UTF8.self) == written)
    }

    private let value: JSONValue = [
        "b": [1, 2.0, nil, true], "a": ["é": [:], "e\u{301}": [], "Z": "x"], "": -0.0,
    ]

    @Test func compactTextKeepsTheOrder() {
        #expect(value.text == "{\"b\":[1,2.0,null,true],\"a\":{\"é\":{},\"e\u{301}\":[],\"Z\":\"x\"},\"\":-0.0}")
    }

    @Test func sortedTextGoesByBytesAtEveryLevel() {
        var output: [UInt8] = []
        value.write(sortedKeysTo: &output)
        let text = String(decoding: output, as: UTF8.self)
        #expect(text == "{\"\":-0.0,\"a\":{\"Z\":\"x\",\"e\u{301}\":[],\"é\":{}},\"b\":[1,2.0,null,true]}")
    }

    @Test func prettyTextIsForPeople() {
        let text = """
            {
              "a": [
                1,
                {}
              ],
              "b": {
                "c": []
              }
            }
            """
        #expect((["a": [1, [:]], "b": ["c": []]] as JSONValue).prettyText == text)
        #expect(JSONValue.null.prettyText == "null")
    }

    @Test func appendsToWhatIsThere() {
        var output = Array("x=".utf8)
        value.array?.first?.write(to: &output)
        JSONValue.bool(false).write(to: &output)
        #expect(String(decoding: output, as: UTF8.self) == "x=false")
    }

    @Test func whatIsWrittenReadsBackTheSame() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            let value = RandomJSON.value(using: &generator)
            let compact = try JSONValue(parsing: value.encoded)
            #expect(compact == value)
            // Equality ignores the order of members and the sign of zero; the text does not.
            #expect(compact.encoded == value.encoded)
            #expect(try JSONValue(parsing: value.prettyText) == value)
            var sorted: [UInt8] = []
            value.write(sortedKeysTo: &sorted)
            #expect(try JSONValue(parsing: sorted) == value)
        }
    }
}
