internal import BellwetherJSON
import Testing

@testable import BellwetherBase

/// Numbered names. Data that is written with them is read with them, and their number is limited.
struct PackedNamesTests {
    private func written(_ texts: [Identifier], _ names: inout PackedNames) -> [UInt8] {
        names.bytes { writer in
            for text in texts { writer.name(text) }
        }
    }

    private func read(_ bytes: [UInt8], _ names: [Identifier]?) -> [Identifier] {
        var reader = PackedReader(bytes[...], names: names)
        var texts: [Identifier] = []
        while let text = reader.name() { texts.append(text) }
        return reader.isAtEnd ? texts : []
    }

    @Test func aNameIsWrittenOnce() {
        var names = PackedNames()
        let texts: [Identifier] = ["tab.opened", "", "Zoë 🧭", "tab.opened"]
        #expect(written(texts, &names) == [1, 3, 5, 1])
        #expect(written(["Zoë 🧭", "new"], &names) == [5, 7])
        #expect(names.all == ["tab.opened", "", "Zoë 🧭", "new"])
        #expect(read([1, 3, 5, 1, 7], names.all) == texts + ["new"])
    }

    @Test func withoutNamesATextIsWrittenAsItWas() {
        var (one, other) = (PackedWriter(), PackedWriter())
        for text in ["tab.opened", "", "Zoë 🧭", String(repeating: "a", count: 300)] {
            one.name(Identifier(text), by: .client)
            other.string(text)
        }
        #expect(one.bytes == other.bytes)
        #expect(read(one.bytes, nil).map(\.utf8.count) == [10, 0, 9, 300])
    }

    @Test func namesAreToldApartByteForByte() {
        var names = PackedNames()
        #expect(written(["e\u{301}", "\u{E9}"], &names) == [1, 3])
        #expect(read([1, 3], names.all).map { Array($0.text.unicodeScalars).count } == [2, 1])
    }

    @Test func aLongNameIsWrittenOut() {
        var names = PackedNames()
        let (long, longest) = (String(repeating: "é", count: 33), String(repeating: "é", count: 32))
        let bytes = written([Identifier(long), Identifier(longest)], &names)
        #expect(names.all == [Identifier(longest)])
        #expect(bytes == [132, 1] + Array(long.utf8) + [1])
        #expect(read(bytes, names.all) == [Identifier(long), Identifier(longest)])
    }

    @Test func beyondTheBoundNamesAreWrittenOut() {
        var names = PackedNames()
        let texts = (0..<(PackedNames.bound + 100)).map { Identifier("name-\($0)") }
        let bytes = written(texts, &names)
        #expect(names.all == Array(texts.prefix(PackedNames.bound)))
        #expect(read(bytes, names.all) == texts)
        #expect(written([texts[5]], &names) == [11], "those that have a number keep it")
    }

    @Test func clientsCannotUseUpTheNumbers() {
        var names = PackedNames()
        for number in 0..<2000 { _ = names.number(of: "event-\(number)", by: .client) }
        #expect(names.all.count == PackedNames.clientBound)
        #expect(names.number(of: "slug", by: .owner) == PackedNames.clientBound)
        #expect(names.number(of: "slug", by: .client) == PackedNames.clientBound, "it has one")
        #expect(names.number(of: "event-0", by: .owner) == 0)
    }

    @Test(
        arguments: [
            [1], [0xFF, 0xFF, 3], [4, 65], [2, 0xFF], [0x80],
            [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1],
        ])
    func whatIsNoNameIsNil(_ bytes: [UInt8]) {
        var reader = PackedReader(bytes[...], names: [])
        #expect(reader.name() == nil)
        #expect(!reader.isAtEnd, "a failed read stays where it was")
        #expect(reader.unsigned() != nil || bytes == [0x80])
    }

    @Test func aTextThatIsNoUTF8IsCopiedAsItIs() {
        var names = PackedNames()
        var reader = PackedReader([1, 0xFF, 1, 65])
        let bytes = names.bytes { writer in
            for _ in 0..<3 { reader.copyName(to: &writer, by: .owner) }
        }
        #expect(bytes == [2, 0xFF, 1])
        #expect(names.all == ["A"])
    }
}
