import BellwetherCore
import BellwetherJSON
import Testing

/// The units that a respondent has chosen in surveys (docs/reference/surveys.md#remembered-units).
@Suite struct RespondentMemoryTests {
    private func memory(_ ids: ClosedRange<Int>) -> RespondentMemory {
        var memory = RespondentMemory()
        for id in ids { memory.remember("v\(id)", under: "i\(id)") }
        return memory
    }

    @Test func theEntryChosenLongestAgoGoes() {
        var memory = memory(1...8)
        memory.remember("again", under: "i1")
        memory.remember("v9", under: "i9")
        #expect(memory.entries.count == RespondentMemory.maximumEntries)
        #expect(memory["i2"] == nil && memory["i1"] == "again" && memory["i9"] == "v9")
        #expect(memory.json["sn.i9"] == "v9")
    }

    @Test func whatIsTooLongOrEmptyIsNotRemembered() {
        var memory = RespondentMemory()
        let long = String(repeating: "é", count: 33)
        memory.remember(Identifier(long), under: "i")
        memory.remember("v", under: Identifier(long))
        memory.remember("", under: "i")
        #expect(memory.isEmpty)
        memory.remember(Identifier(String(repeating: "é", count: 32)), under: "i")
        #expect(memory.entries.count == 1)
    }

    @Test func theOwnChoiceWinsWhenRespondentsAreMerged() {
        var own = memory(1...3)
        var other = RespondentMemory()
        other.remember("theirs", under: "i1")
        other.remember("new", under: "n")
        own.merge(other)
        #expect(own["i1"] == "v1" && own["n"] == "new" && own.entries.count == 4)
        var full = memory(1...8)
        full.merge(other)
        #expect(full == memory(1...8))
    }

    @Test func itIsStoredWithTheRespondent() throws {
        var state = ClientState()
        state.memory = memory(1...8)
        let stored = state.encoded()
        #expect(ClientState(encoded: stored) == state)
        for count in 0..<stored.count { #expect(ClientState(encoded: stored[..<count]) == nil) }
        var user = ClientState()
        let own = state.split(into: &user)
        #expect(own.memory.isEmpty && user.memory == state.memory && own.joined(with: user).memory == state.memory)
    }
}
