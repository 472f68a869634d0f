import BellwetherJSON
import Testing

@Suite struct JSONLimitsTests {
    private func nested(_ open: String, _ close: String, _ depth: Int) -> [UInt8] {
        Array((String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
    }

    @Test func depthCountsArraysAndObjects() throws {
        #expect(throws: Never.self) { try JSONValue(parsing: nested("[", "]", 64)) }
        #expect(throws: Never.self) { try JSONValue(parsing: nested("{\"a\":", "}", 64)) }
        #expect(JSONRefusalTests.refusal(of: nested("[", "]", 65))?.kind == .depth)
        #expect(JSONRefusalTests.refusal(of: nested("[", "]", 65))?.offset == 64)
        #expect(JSONRefusalTests.refusal(of: nested("[{\"a\":", "}]", 33))?.kind == .depth)
        // Each closing bracket reduces the depth again.
        let wide = "[" + Array(repeating: "[[]]", count: 1000).joined(separator: ",") + "]"
        #expect(throws: Never.self) { try JSONValue(parsing: wide, limits: JSONLimits(depth: 3)) }
        #expect(throws: Never.self) { try JSONValue(parsing: "1", limits: JSONLimits(depth: 0)) }
    }

    @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
    func depthBombsAreRefusedWhateverTheLimit(_ open: String) {
        let bomb = Array(String(repeating: open, count: 100_000).utf8)
        #expect(JSONRefusalTests.refusal(of: bomb)?.kind == .depth)
        #expect(JSONRefusalTests.refusal(of: bomb, limits: JSONLimits(depth: .max))?.kind == .depth)
    }

    @Test func bytesAreCountedOverTheWholeText() {
        let bytes = Array("[1]  ".utf8)
        #expect(JSONRefusalTests.refusal(of: bytes, limits: JSONLimits(bytes: 5)) == nil)
        #expect(JSONRefusalTests.refusal(of: bytes, limits: JSONLimits(bytes: 4))?.kind == .size)
    }

    @Test func valuesAreCountedAndKeysAreNot() {
        let bytes = Array(#"{"a":[1,2],"b":null}"#.utf8)
        #expect(JSONRefusalTests.refusal(of: bytes, limits: JSONLimits(values: 5)) == nil)
        let error = JSONRefusalTests.refusal(of: bytes, limits: JSONLimits(values: 4))
        #expect(error?.kind == .count)
        #expect(error?.offset == 15)
    }
}
