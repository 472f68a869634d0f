import BellwetherJSON
import TestSupport
import Testing

@Suite struct JSONElementsTests {
    private func texts(_ document: String) -> [String] {
        let bytes = Array(document.utf8)
        return JSONElements.ranges(of: "data", in: bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    @Test(arguments: [
        ("{\"data\":[]}", []), ("{}", []), ("[]", []), ("", []), ("{\"data\":{\"data\":[1]}}", []),
        ("{\"a\":[0],\"data\":[1],\"b\":[2]}", ["1"]), ("{\"d\\u0061ta\":[1]}", ["1"]),
        (" { \"data\" : [ {\"a\": [1, 2]} ,\n\"]\", [ ] ] } ", ["{\"a\": [1, 2]}", "\"]\"", "[ ]"]),
        ("{\"data\":[1.50, 1e2, 123456789012345678901234567890]}", ["1.50", "1e2", "123456789012345678901234567890"]),
        // Elements that the parser rejects.
        ("{\"data\":[1,2,?]}", ["1", "2"]),
    ])
    func everyElementIsAsItWasWritten(_ document: String, _ expected: [String]) {
        #expect(texts(document) == expected)
    }

    @Test func anElementsTextIsItsValue() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<100 {
            let values = (0..<4).map { _ in RandomJSON.value(depth: 3, using: &generator) }
            let document: JSONValue = ["before": [1], "data": .array(values), "after": [2]]
            #expect(try texts(document.prettyText).map { try JSONValue(parsing: $0) } == values)
        }
    }
}
