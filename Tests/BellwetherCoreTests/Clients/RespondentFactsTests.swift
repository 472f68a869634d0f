import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Testing

/// The newest answers of a person (docs/reference/audiences.md#answers).
@Suite struct RespondentFactsTests {
    private static func time(_ seconds: Int64) -> Timestamp { Timestamp(seconds: 1_800_000_000 + seconds) }

    private func facts(_ answers: [(name: Identifier, value: JSONValue, at: Int64)]) -> RespondentFacts {
        var facts = RespondentFacts()
        for (index, answer) in answers.enumerated() {
            facts.note(
                answer.value, as: answer.name, at: Self.time(answer.at), of: .init(Identifier("run\(index)")))
        }
        return facts
    }

    @Test func `The newest answer stays, and the later commit of two at one time`() {
        #expect(facts([("n", 1, 5), ("n", 2, 4)]).json == ["n": 1.0])
        #expect(facts([("n", 1, 5), ("n", 2, 5)]).json == ["n": 2.0])
        #expect(facts([("n", 1, 5), ("n", 2, 6), ("m", "x", 0)]).json == ["m": "x", "n": 2.0])
        #expect(facts([("n", 1, 5)])["m"] == nil && facts([("n", 1, 5)])["n"] == 1.0)
    }

    @Test(
        arguments: [
            (3, 3.0), (.unsigned(.max), .number(Double(UInt64.max))), (2.5, 2.5), (true, true),
            (false, false), ("", ""), ("é", "é"), (["a", "b"], ["a", "b"]), ([], []),
        ] as [(JSONValue, JSONValue)])
    func `A value is a float, a boolean, a text or a list of texts`(_ answer: JSONValue, _ value: JSONValue) throws {
        #expect(RespondentFacts.value(of: answer) == value)
        var state = ClientState()
        state.facts.note(answer, as: "n", at: Self.time(0), of: .init("run"))
        let read = try #require(ClientState(encoded: state.encoded()))
        #expect(read == state && read.facts["n"] == value)
    }

    @Test(
        arguments: [
            .null, [:], ["a", 1], [["a"]], ["k": "v"], .string(.init(repeating: "x", count: 255)),
        ] as [JSONValue])
    func `Anything else removes the fact`(_ answer: JSONValue) {
        #expect(RespondentFacts.value(of: answer) == nil)
        #expect(facts([("n", 1, 5), ("n", answer, 6)]).isEmpty)
        #expect(facts([("n", 1, 5), ("n", answer, 4)]).json == ["n": 1.0], "an older answer changes nothing")
        #expect(RespondentFacts.value(of: .string(.init(repeating: "x", count: 254))) != nil)
    }

    @Test func `The oldest of more than 32 go first`() {
        let all = facts((0..<40).map { ("f\($0)", .integer($0), $0 * 7 % 40) })
        #expect(all.facts.map(\.at) == (8..<40).map { Self.time($0) })
        #expect(facts((0..<32).map { ("f\($0)", 1, 10) } + [("late", 1, 3)])["late"] == nil)
    }

    @Test func `Of two facts with one name the later one stays, and of one time the user's`() {
        var user = facts([("a", 1, 5), ("b", 1, 5), ("c", 1, 5)])
        user.merge(facts([("a", 2, 4), ("b", 2, 6), ("c", 2, 5), ("d", 2, 1)]))
        #expect(user.json == ["d": 2.0, "a": 1.0, "c": 1.0, "b": 2.0])
        var many = facts((0..<30).map { ("f\($0)", 1, $0) })
        many.merge(facts((0..<30).map { ("g\($0)", 1, $0) }))
        #expect(many.facts.count == 32 && many.facts.allSatisfy { $0.at >= Self.time(14) })
    }

    @Test func `A response takes its facts with it, and no earlier one comes back`() {
        var facts = facts([("n", 1, 5), ("n", 2, 6), ("m", "x", 6)])
        facts.note("y", as: "k", at: Self.time(7), of: .init("run1"))
        facts.forget(.init("run0"))
        #expect(facts.json == ["n": 2.0, "m": "x", "k": "y"])
        facts.forget(.init("run1"))
        #expect(facts.json == ["m": "x"] && facts.contains(.init("run2")) && !facts.contains(.init("run1")))
    }

    @Test func `An identified client's facts are its user's`() {
        var (client, user) = (ClientState(), ClientState())
        client.userID = "u"
        user.facts = facts([("n", 1, 5)])
        let joined = client.joined(with: user)
        #expect(joined.facts == user.facts && ClientState().joined(with: client).facts.isEmpty)
        var after = ClientState()
        #expect(joined.split(into: &after).facts.isEmpty && after.facts == user.facts)
    }

    @Test func `A row has 8 bytes each for a fact's time and response`() {
        var state = ClientState()
        let before = state.encoded().count
        state.facts = facts([("score", 9, 5)])
        // A tag, a length, a count, the name with its length, the kind and the number.
        #expect(state.encoded().count == before + 3 + 6 + 16 + 1 + 8)
    }
}
