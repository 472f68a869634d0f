import BellwetherCore
import BellwetherJSON
import Testing

/// The differences between two revisions that an owner sees.
@Suite struct JSONDifferenceTests {
    private func lines(_ before: JSONValue, _ after: JSONValue) -> [String] {
        JSONDifference.between(before, after).map {
            "\($0.pointer) \($0.before?.text ?? "-") \($0.after?.text ?? "-")"
        }
    }

    @Test(
        arguments: [
            (["a": 1], ["a": 1], []), (["a": 1], ["a": 2], ["/a 1 2"]), (["a": 1], [:], ["/a 1 -"]),
            ([:], ["a": nil], ["/a - null"]), (["a": nil], [:], ["/a null -"]), (["a": 1], ["a": 1.0], ["/a 1 1.0"]),
            (["a": 1, "b": 2], ["b": 2, "a": 1], []), ([1, 2, 3], [1, 4], ["/1 2 4", "/2 3 -"]),
            (["a": ["b": [1]]], ["a": ["b": [1, 2]]], ["/a/b/1 - 2"]),
            (["a": [1]], ["a": ["x": 1]], ["/a [1] {\"x\":1}"]),
            ("e\u{301}", "\u{E9}", [" \"e\u{301}\" \"\u{E9}\""]), (["a/b~": 1], ["a/b~": 2], ["/a~1b~0 1 2"]),
        ] as [(JSONValue, JSONValue, [String])])
    func differences(_ before: JSONValue, _ after: JSONValue, _ expected: [String]) {
        #expect(lines(before, after) == expected)
    }

    @Test func isBounded() {
        let many = JSONValue.array((0..<5000).map { .integer($0) })
        #expect(JSONDifference.between([], many).count == JSONDifference.maximum)
    }
}
