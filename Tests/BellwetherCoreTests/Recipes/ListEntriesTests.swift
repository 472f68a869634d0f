import BellwetherBase
import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherCore

/// Sets of hashed ids, against sets of numbers.
@Suite struct ListEntriesTests {
    /// Numbers that fall into few buckets, so that buckets have several entries.
    private static func entry(_ number: Int) -> ListEntry {
        ListEntry(high: UInt64(number % 3) << 56 | UInt64(number / 7), low: UInt64(number % 7))
    }

    private static func entries(_ numbers: some Sequence<Int>) -> ListEntries {
        var builder = ListEntriesBuilder(atMost: 1000)
        for number in numbers { builder.add(entry(number)) }
        return builder.finish()
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func `Changes are those of sets`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func draw() -> [Int] { (0..<40).map { _ in Int.random(in: 0..<60, using: &random) } }
        let (first, second) = (draw(), draw())
        let (left, right) = (Self.entries(first), Self.entries(second))
        #expect(left.count == Set(first).count)
        for number in 0..<60 { #expect(left.contains(Self.entry(number)) == first.contains(number)) }
        var union = left
        union.formUnion(right)
        #expect(union == Self.entries(first + second) && union.count == Set(first + second).count)
        var rest = left
        rest.subtract(right)
        let wanted = Set(first).subtracting(second)
        #expect(rest == Self.entries(wanted) && rest.count == wanted.count)
        let common = (0..<256).reduce(0) { $0 + left.commonCount(with: right, in: $1) }
        #expect(common == Set(first).intersection(second).count)
        #expect(left.changedBuckets(from: left) == [] && (left == right) == left.changedBuckets(from: right).isEmpty)
    }

    @Test func `A builder removes duplicates, and notices more ids than it may hold`() {
        var builder = ListEntriesBuilder(atMost: 10)
        for number in 0..<1000 { builder.add(Self.entry(number % 10)) }
        #expect(!builder.isTooMuch && builder.count == 1000 && builder.finish().count == 10)
        for number in 0..<20 { builder.add(Self.entry(number)) }
        #expect(builder.isTooMuch && builder.count == 1020)
    }

    @Test func `A list asks for the id of a client, or of its user`() {
        let hash = SipHash(1, 2)
        var builder = ListEntriesBuilder(atMost: 10)
        builder.add(ListEntry("ada", hash))
        let entries = builder.finish()
        let lists = AudienceLists(["c": .init(of: .clients, entries), "u": .init(of: .users, entries)], hash)
        #expect(lists.contains("c", clientID: "ada", userID: nil) == true)
        #expect(lists.contains("c", clientID: "x", userID: "ada") == false)
        #expect(lists.contains("u", clientID: "x", userID: "ada") == true)
        #expect(lists.contains("u", clientID: "ada", userID: nil) == false)
        #expect(lists.contains("c", clientID: nil, userID: nil) == false)
        #expect(lists.contains("other", clientID: "ada", userID: "ada") == nil)
        let supposed = lists.supposing(["u"])
        #expect(supposed.contains("u", clientID: nil, userID: nil) == true)
        #expect(supposed.contains("c", clientID: "ada", userID: nil) == false)
    }
}
