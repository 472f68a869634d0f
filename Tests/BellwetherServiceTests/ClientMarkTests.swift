import BellwetherCore
import Testing

@testable import BellwetherService

/// A mark is current until something is written of its client, and never after.
struct ClientMarkTests {
    private func mark(_ table: ClientTable, _ number: Int) -> ClientMark? {
        switch table.lookUp(.numbered(number)) {
        case .known(let held): held.mark
        case .absent(let mark): mark
        case .notLoaded: nil
        }
    }

    private func makeAbsent(_ number: Int, in table: ClientTable) {
        _ = table.finish(table.beginLoad(.numbered(number)), nil)
    }

    @Test func aWriteEndsIt() throws {
        let table = ClientTable(bound: 10)
        table.commit(.numbered(1), .showing(1))
        table.commit(.numbered(2), .showing(1))
        let (first, second) = (try #require(mark(table, 1)), try #require(mark(table, 2)))
        #expect(table.isCurrent(first) && table.isCurrent(second))
        table.commit(.numbered(1), .showing(2))
        #expect(!table.isCurrent(first))
        #expect(table.isCurrent(second))
        #expect(mark(table, 1) != first)
    }

    @Test func theFirstWriteOfAnAbsentClientEndsIt() throws {
        let table = ClientTable(bound: 10)
        makeAbsent(1, in: table)
        makeAbsent(2, in: table)
        let (first, second) = (try #require(mark(table, 1)), try #require(mark(table, 2)))
        #expect(table.isCurrent(first) && table.isCurrent(second))
        table.commit(.numbered(1), .showing(1))
        #expect(!table.isCurrent(first))
        let known = try #require(mark(table, 1))
        table.erase(.numbered(1))
        #expect(!table.isCurrent(known) && !table.isCurrent(first))
    }

    /// Over many writes, in a table too small for all: a mark that is current is that of the newest state.
    @Test(arguments: [1, 3, 16])
    func neverCurrentAfterAWrite(_ bound: Int) {
        let table = ClientTable(bound: bound, absentBound: bound)
        var marks: [(client: Int, writes: Int, mark: ClientMark)] = []
        var writes = Array(repeating: 0, count: 24)
        var state = UInt64(bound)
        for _ in 0..<1500 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let client = Int(state >> 33) % writes.count
            switch (state >> 60) % 4 {
            case 0:
                writes[client] += 1
                table.commit(.numbered(client), .showing(writes[client]))
            case 1 where writes[client] == 0: makeAbsent(client, in: table)
            case 2: table.forget(.numbered(client))
            default: if let mark = mark(table, client) { marks.append((client, writes[client], mark)) }
            }
            for known in marks.suffix(16) where table.isCurrent(known.mark) {
                #expect(writes[known.client] == known.writes)
                #expect(mark(table, known.client) == known.mark)
            }
        }
        #expect(marks.count > 20)
    }
}
