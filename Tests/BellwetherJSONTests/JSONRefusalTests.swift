import BellwetherJSON
import Testing

@Suite struct JSONRefusalTests {
    struct Refused: Sendable, CustomTestStringConvertible {
        let bytes: [UInt8]
        let kind: JSONError.Kind
        let offset: Int
        var testDescription: String { "\(kind) at \(offset): \(String(decoding: bytes, as: UTF8.self))" }

        init(_ text: String, _ kind: JSONError.Kind, _ offset: Int) {
            self.init(Array(text.utf8), kind, offset)
        }

        init(_ bytes: [UInt8], _ kind: JSONError.Kind, _ offset: Int) {
            self.bytes = bytes
            self.kind = kind
            self.offset = offset
        }

        /// A string with these bytes.
        init(quoting bytes: [UInt8], _ kind: JSONError.Kind, _ offset: Int) {
            self.init([0x22] + bytes + [0x22], kind, offset)
        }
    }

    static func refusal(of bytes: [UInt8], limits: JSONLimits = .standard) -> JSONError? {
        do {
            _ = try JSONValue(parsing: bytes, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    private func check(_ example: Refused) throws {
        let error = try #require(Self.refusal(of: example.bytes))
        #expect(error.kind == example.kind)
        #expect(error.offset == example.offset)
        #expect(error.message.contains("line \(error.line), column \(error.column)"))
    }

    @Test(arguments: [
        Refused("", .truncated, 0), Refused("   ", .truncated, 3), Refused("[", .truncated, 1),
        Refused("[1", .truncated, 2), Refused("[1,", .truncated, 3), Refused("{", .truncated, 1),
        Refused("{\"a\"", .truncated, 4), Refused("{\"a\":", .truncated, 5), Refused("{\"a\":1", .truncated, 6),
        Refused("{\"a\":1,", .truncated, 7), Refused("tru", .truncated, 3), Refused("-", .truncated, 1),
        Refused("1.", .truncated, 2), Refused("1e", .truncated, 2), Refused("1e+", .truncated, 3),
        Refused("\"", .truncated, 1), Refused("\"abc", .truncated, 4), Refused("\"\\", .truncated, 2),
        Refused("\"\\u", .truncated, 3), Refused("\"\\u0", .truncated, 4), Refused("\"\\u004", .truncated, 6),
        Refused("\"\\u0041", .truncated, 7), Refused("\"\\ud83d", .truncated, 7),
        Refused("\"\\ud83d\\", .truncated, 8), Refused("\"\\ud83d\\u", .truncated, 9),
        Refused("\"\\ud83d\\ude0", .truncated, 12), Refused("\"a\\n", .truncated, 4),
    ]) func truncated(_ example: Refused) throws { try check(example) }

    @Test(arguments: [
        Refused("x", .syntax, 0), Refused("True", .syntax, 0), Refused("nul!", .syntax, 0), Refused("'a'", .syntax, 0),
        Refused("NaN", .syntax, 0), Refused("Infinity", .syntax, 0), Refused("+1", .syntax, 0),
        Refused(".5", .syntax, 0), Refused("[1 2]", .syntax, 3), Refused("[,1]", .syntax, 1),
        Refused("[1,,2]", .syntax, 3), Refused("[1,]", .syntax, 2), Refused("[1 , ]", .syntax, 3),
        Refused("{\"a\":1,}", .syntax, 6), Refused("{,}", .syntax, 1), Refused("{a:1}", .syntax, 1),
        Refused("{\"a\" 1}", .syntax, 5), Refused("{\"a\":1 \"b\":2}", .syntax, 7), Refused("{1:2}", .syntax, 1),
        Refused("[1}", .syntax, 2), Refused("{\"a\":1]", .syntax, 6), Refused("]", .syntax, 0),
        Refused("// c\n1", .syntax, 0), Refused("[1/*c*/]", .syntax, 2), Refused("\u{a0}1", .syntax, 0),
        Refused("\u{c}1", .syntax, 0), Refused("\u{0}", .syntax, 0), Refused("[\u{0}]", .syntax, 1),
    ]) func syntax(_ example: Refused) throws { try check(example) }

    @Test(arguments: [
        Refused("1 2", .trailing, 2), Refused("[]]", .trailing, 2), Refused("{}{}", .trailing, 2),
        Refused("null\u{0}", .trailing, 4), Refused("1x", .trailing, 1), Refused("\"a\"\"b\"", .trailing, 3),
        Refused("1,", .trailing, 1), Refused("truefalse", .trailing, 4), Refused("0x10", .trailing, 1),
        Refused("1.5.5", .trailing, 3),
    ]) func trailing(_ example: Refused) throws { try check(example) }

    @Test(arguments: [
        Refused("00", .number, 0), Refused("-01", .number, 0), Refused("[ 012]", .number, 2), Refused("-x", .number, 1),
        Refused("--1", .number, 1), Refused("1.x", .number, 2), Refused("[1.]", .number, 3), Refused("1ex", .number, 2),
        Refused("[1e]", .number, 3), Refused("1e+-1", .number, 3), Refused("-.5", .number, 1),
        Refused("1e999", .number, 0), Refused("-1e999", .number, 0), Refused("[1,1e309]", .number, 3),
        Refused("1e99999999999999999999999999", .number, 0), Refused("1.8e308", .number, 0),
        Refused(String(repeating: "9", count: 400), .number, 0),
    ]) func numbers(_ example: Refused) throws { try check(example) }

    @Test(arguments: [
        Refused(#""\x""#, .escape, 1), Refused(#""ab\'""#, .escape, 3), Refused(#""\u12G4""#, .escape, 1),
        Refused(#""\u 123""#, .escape, 1), Refused(#""\u""#, .escape, 1), Refused(#""\U0041""#, .escape, 1),
        Refused(#""\u+123""#, .escape, 1), Refused(#""\ud83d\u12""#, .escape, 7), Refused("\"\\\u{0}\"", .escape, 1),
        Refused(#""\ud800""#, .surrogate, 1), Refused(#""a\udc00""#, .surrogate, 2),
        Refused(#""\ud800\ud800""#, .surrogate, 1), Refused(#""\ud800\u0041""#, .surrogate, 1),
        Refused(#""\ud800x""#, .surrogate, 1), Refused(#""\ud800\n""#, .surrogate, 1),
        Refused(#""\ud83d\ude00\ude00""#, .surrogate, 13), Refused(#"{"\udfff":1}"#, .surrogate, 2),
        Refused("\"a\nb\"", .control, 2), Refused("\"\t\"", .control, 1), Refused("\"\u{0}\"", .control, 1),
        Refused("\"\\n\u{1f}\"", .control, 3), Refused("{\"a\r\":1}", .control, 3),
    ]) func strings(_ example: Refused) throws { try check(example) }

    @Test(arguments: [
        Refused(quoting: [0x80], .utf8, 1),  // a continuation byte alone
        Refused(quoting: [0x61, 0xFF], .utf8, 2), Refused(quoting: [0xFE], .utf8, 1),
        Refused(quoting: [0xC0, 0x80], .utf8, 1), Refused(quoting: [0xC1, 0xBF], .utf8, 1),  // overlong
        Refused(quoting: [0xE0, 0x80, 0x80], .utf8, 1), Refused(quoting: [0xF0, 0x80, 0x80, 0x80], .utf8, 1),
        Refused(quoting: [0xED, 0xA0, 0x80], .utf8, 1), Refused(quoting: [0xED, 0xBF, 0xBF], .utf8, 1),  // surrogates
        Refused(quoting: [0xF4, 0x90, 0x80, 0x80], .utf8, 1), Refused(quoting: [0xF5, 0x80, 0x80, 0x80], .utf8, 1),
        Refused(quoting: [0xE2, 0x82], .utf8, 1), Refused(quoting: [0xC3], .utf8, 1),  // cut short
        Refused(quoting: [0x5C, 0x6E, 0xC3, 0xA9, 0xC3], .utf8, 5),  // behind an escape
        Refused([0xEF, 0xBB, 0xBF, 0x31], .byteOrderMark, 0), Refused([0xEF, 0xBB, 0xBF], .byteOrderMark, 0),
        Refused([0xFF, 0xFE, 0x31, 0x00], .syntax, 0), Refused([0x31, 0xFF], .trailing, 1),
    ]) func encoding(_ example: Refused) throws { try check(example) }

    @Test(arguments: [
        Refused(#"{"a":1,"a":2}"#, .duplicateKey, 7), Refused(#"{"a":1,"b":{"a":1},"\u0061":2}"#, .duplicateKey, 19),
        Refused(#"[{"x":{"k":0,"j":1,"k":2}}]"#, .duplicateKey, 19), Refused(#"{"":0,"":1}"#, .duplicateKey, 6),
        Refused(#"{"a":{"b":1,"c":2},"b":3,"a":4}"#, .duplicateKey, 25),
    ]) func duplicateKeys(_ example: Refused) throws { try check(example) }

    @Test func namesTheDuplicateKeyAndItsPlace() throws {
        let error = try #require(Self.refusal(of: Array("{\n  \"ä\": 1,\n  \"é\": 2, \"ä\": 3}".utf8)))
        #expect(error.message == #"a duplicate key "ä" at line 3, column 11"#)
        #expect(error.line == 3 && error.column == 11)
    }

    @Test func findsADuplicateAmongManyKeysFast() throws {
        let keys = (0..<100_000).map { "\"key\($0)\":0" }.joined(separator: ",")
        #expect(try JSONValue(parsing: "{\(keys)}").object?.count == 100_000)
        let error = try #require(Self.refusal(of: Array("{\(keys),\"key77\":1}".utf8)))
        #expect(error.kind == .duplicateKey)
        #expect(error.offset == keys.utf8.count + 2)
    }
}
