import BellwetherAuthoring
import BellwetherJSON
import Testing

/// The controls of a message by branch (docs/reference/messaging.md#controls).
@Suite struct ControlBranchesTests {
    private static func message(_ surface: Identifier, isControl: Bool = false) -> JSONValue {
        var message: JSONObject = ["surface": .string(surface), "text": "T"]
        if isControl { message["is-control"] = true }
        return .object(message)
    }

    /// An experiment; each branch has these messages.
    private static func branches(_ messages: [JSONObject]) -> ControlBranches {
        let branches = messages.enumerated().map { index, messages -> JSONValue in
            [
                "slug": .string("b\(index)"), "ratio": 1,
                "features": [["featureId": "messaging", "value": ["messages": .object(messages)]]],
            ]
        }
        return ControlBranches(["slug": "e", "branches": .array(branches)], slug: "e")
    }

    private func lines(_ branches: ControlBranches, _ message: String, _ surface: Identifier) -> [String] {
        branches.controls(of: Identifier(message), on: surface).map { "\($0.branch) \($0.key)" }
    }

    @Test func `A control has the message's key, or is the only one on its surface`() {
        let branches = Self.branches([
            ["a": Self.message("card")],
            ["a": Self.message("survey", isControl: true), "b": Self.message("card", isControl: true)],
            ["c": Self.message("card", isControl: true)],
            ["d": Self.message("card", isControl: true), "e": Self.message("card", isControl: true)],
        ])
        #expect(lines(branches, "a", "card") == ["b1 a", "b2 c"])
    }

    @Test func `A control of another surface is not the message's control`() {
        let branches = Self.branches([
            ["a": Self.message("card")], ["c": Self.message("survey", isControl: true)],
        ])
        #expect(lines(branches, "a", "card").isEmpty)
        #expect(lines(branches, "a", "survey") == ["b1 c"])
    }

    @Test func `A branch that shows the message has no control of it`() {
        let branches = Self.branches([
            ["a": Self.message("card"), "c": Self.message("card", isControl: true)],
            ["a": Self.message("card", isControl: true)],
        ])
        #expect(lines(branches, "a", "card") == ["b1 a"])
        #expect(!branches.isOnlyControl("a"))
        #expect(branches.isOnlyControl("c"))
    }
}
