import HTTPWire
import Testing

struct EntityTagTests {
    private static func bytes(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

    @Test(
        arguments: [
            ("\"a\"", true), ("W/\"a\"", true), ("*", true), (" * ", true), ("\"b\", \"a\"", true),
            ("\"b\",\"a\"", true),
            ("\"b\" , W/\"a\" ", true), (",, \"a\",", true), ("\"b\"", false), ("\"A\"", false), ("a", false),
            ("", false), ("\"a", false), ("w/\"a\"", false), ("\"a\" \"b\"", false), ("\"b\" \"a\"", false),
            ("*, \"a\"", false), ("\"a\",x", false), ("\"\"", false), ("\"b,\"a\"", false), ("\"b, a\"", false),
        ])
    func `If-None-Match compares weakly`(_ value: String, _ matches: Bool) {
        #expect(EntityTag.matches(ifNoneMatch: Self.bytes(value), etag: "\"a\"") == matches)
        #expect(EntityTag.matches(ifNoneMatch: Self.bytes(value), etag: "W/\"a\"") == matches)
    }

    @Test(arguments: [("\"a\"", true), ("W/\"a\"", false), ("*", true), ("\"b\", \"a\"", true), ("\"b\"", false)])
    func `If-Match compares strongly`(_ value: String, _ matches: Bool) {
        #expect(EntityTag.matches(ifMatch: Self.bytes(value), etag: "\"a\"") == matches)
        #expect(!EntityTag.matches(ifMatch: Self.bytes(value), etag: "W/\"a\"") || value == "*")
    }
}
