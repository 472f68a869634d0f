import BellwetherCore
import BellwetherJSON
import Dispatch
import Synchronization
import Testing

@testable import BellwetherService

/// The table of client states: the entries that it holds and evicts. It is never behind a commit.
struct ClientTableTests {
    @Test func holdsWhatWasCommitted() {
        let table = ClientTable(bound: 10)
        table.commit(.numbered(1), .showing(3))
        #expect(table.displays(of: 1) == 3)
        #expect(table.stored(.numbered(1)) == .showing(3))
        #expect(table.occupancy == (known: 1, absent: 0))
    }

    @Test func cannotTellOfAClientItWasNeverAskedFor() {
        let table = ClientTable(bound: 10)
        guard case .notLoaded = table.lookUp(.numbered(1)) else { return #expect(Bool(false), "told") }
        #expect(table.stored(.numbered(1)) == nil)
    }

    @Test func aNewerVersionReplacesAnOlderOneAndNotTheOtherWay() {
        let table = ClientTable(bound: 10)
        table.commit(.numbered(1), .showing(5))
        table.commit(.numbered(1), .showing(4))
        #expect(table.displays(of: 1) == 5)
        table.commit(.numbered(1), .showing(6))
        #expect(table.displays(of: 1) == 6)
    }

    @Test(arguments: [
        (("ab", "c"), ("a", "bc")), (("a", ""), ("", "a")), (("a", "e\u{301}"), ("a", "\u{e9}")),
        (("a", "b"), ("a", "b\0")),
    ])
    func clientsAreEqualByteForByte(_ first: (String, String), _ second: (String, String)) {
        let table = ClientTable(bound: 10)
        let (first, second) = (
            ClientReference(app: Identifier(first.0), id: Identifier(first.1)),
            ClientReference(app: Identifier(second.0), id: Identifier(second.1))
        )
        #expect(first != second)
        table.commit(first, .showing(1))
        table.commit(second, .showing(2))
        #expect(table.stored(first)?.version == 1)
        #expect(table.stored(second)?.version == 2)
    }

    @Test func unreadableBytesAreLeftToTheLoad() throws {
        let key = ClientKey(ClientReference(app: "app", id: "client-1"))
        func held(_ bytes: [UInt8]) -> CachedClient? {
            let held = SecondChanceTable.Held(
                record: [1] + [8] + Array("client-1".utf8) + bytes, settled: .none, names: ["app", "m"])
            #expect(key.begins(held.record, names: held.names))
            return CachedClient(held)
        }
        #expect(held([]) == nil)
        #expect(held([1, 0xFF])?.state == nil)
        let state = try #require(held([1, 1, 0, 1, 3, 0, 3, 0, 1, 0])?.state)
        #expect(state == StoredClient.showing(3).state)
        #expect(held([1, 1, 0, 1, 5, 0, 3, 0, 1, 0])?.state == nil, "a number that no name has")
    }

    @Test(arguments: [1, 7, 100, 5000])
    func neverHoldsMoreThanItsBound(_ bound: Int) {
        let table = ClientTable(bound: bound, absentBound: bound)
        for number in 0..<(3 * bound) {
            table.commit(.numbered(number), .showing(1))
            _ = table.finish(table.beginLoad(.numbered(-1 - number)), nil)
        }
        #expect(table.occupancy.known <= bound)
        #expect(table.occupancy.absent <= bound)
        #expect(table.occupancy.known > bound / 2)
        #expect(table.displays(of: 3 * bound - 1) == 1)
    }

    @Test func whatIsAskedForGetsASecondChance() {
        let table = ClientTable(bound: 100)
        table.commit(.numbered(0), .showing(1))
        for number in 1..<1000 {
            table.commit(.numbered(number), .showing(1))
            #expect(table.displays(of: 0) == 1)
        }
        for number in 1000..<1300 { table.commit(.numbered(number), .showing(1)) }
        #expect(table.displays(of: 0) == nil)
    }

    @Test func aFloodOfNewIdsEvictsNoClient() {
        let table = ClientTable(bound: 100, absentBound: 10)
        for number in 0..<100 { table.commit(.numbered(number), .showing(1)) }
        for number in 1000..<3000 {
            #expect(table.finish(table.beginLoad(.numbered(number)), nil) == nil)
            guard case .absent = table.lookUp(.numbered(number)) else { return #expect(Bool(false), "unknown") }
        }
        for number in 0..<100 { #expect(table.displays(of: number) == 1) }
        #expect(table.occupancy == (known: 100, absent: 10))
    }
}

/// Compares the table with a dictionary, over many operations in a random but fixed order.
struct SecondChanceTableTests {
    @Test(arguments: [1, 2, 13, 64])
    func holdsTheRightRecords(_ bound: Int) {
        var table = SecondChanceTable(bound: bound)
        var written: [Int: [UInt8]] = [:]
        var random = SplitMix(state: UInt64(bound))
        for step in 0..<5000 {
            let number = Int(random.next() % UInt64(bound * 3))
            let key = ClientKey(.numbered(number))
            switch random.next() % 4 {
            case 0, 1:
                written[number] = key.bytes + [UInt8(truncatingIfNeeded: step)]
                table.set(key, written[number] ?? [])
            case 2:
                written[number] = nil
                table.remove(key)
            default: break
            }
            let record = table.record(of: key)?.record
            #expect(record == nil || record == written[number])
            #expect(table.count <= bound)
        }
        let held = written.keys.filter { table.peek(ClientKey(.numbered($0))) != nil }
        #expect(held.count == table.count)
    }

    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}

extension ClientReference {
    static func numbered(_ number: Int) -> ClientReference { ClientReference(app: "app", id: "client-\(number)") }
}

extension StoredClient {
    /// A state in which message `m` was displayed as often as the row was written.
    static func showing(_ count: Int) -> StoredClient {
        var state = ClientState()
        state.ledger["m"].displayCount = UInt32(count)
        return StoredClient(version: UInt64(count), state: state)
    }
}

extension ClientTable {
    /// The stored client; nil if it is not in the table or has no row.
    func stored(_ client: ClientReference) -> StoredClient? {
        guard let row = row(of: client) ?? nil, case .client(let state) = row.value else { return nil }
        return StoredClient(version: row.version, state: state)
    }

    /// The displays of message `m`; nil if the client is not in the table.
    func displays(of number: Int) -> UInt32? {
        guard case .known(let held) = lookUp(.numbered(number)) else { return nil }
        return held.state?.ledger["m"].displayCount
    }
}
