import Testing

@testable import BellwetherJSON

/// Identifiers and lists of texts that are compared byte for byte.
@Suite struct IdentifierTests {
    private let composed = "caf\u{E9}"
    private let decomposed = "cafe\u{301}"

    @Test func otherSpellingsAreOtherIdentifiers() {
        #expect(composed == decomposed, "a String finds them equal")
        #expect(Identifier(composed) != Identifier(decomposed))
        #expect(Identifier(composed) != decomposed)
        #expect(Identifier(composed) == composed)
        #expect(Set([composed, decomposed, composed].map { Identifier($0) }).count == 2)
        #expect([Identifier(composed): 1][Identifier(decomposed)] == nil)
    }

    @Test func theOrderIsThatOfTheBytes() {
        let texts = ["z", "\u{1F9ED}", composed, "", decomposed, "\u{FFFD}"].map { Identifier($0) }
        #expect(texts.sorted() == texts.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) })
    }

    @Test func aListOfTextsIsSearchedByBytes() {
        #expect([composed].contains(decomposed) && ![composed].contains(bytesOf: decomposed))
        #expect([composed, decomposed].firstIndex(bytesOf: decomposed) == 1)
    }
}
