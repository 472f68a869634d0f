import BellwetherCore
import Testing

@testable import BellwetherService

/// A version belongs to the newest state that the table holds; it is 0 for an absent client.
struct ClientVersionTests {
    private func makeAbsent(_ number: Int, in table: ClientTable) {
        _ = table.finish(table.beginLoad(.numbered(number)), nil)
    }

    @Test func aWriteChangesIt() {
        let table = ClientTable(bound: 10)
        table.commit(.numbered(1), .showing(1))
        table.commit(.numbered(2), .showing(1))
        #expect(table.version(of: .numbered(1)) == 1)
        table.commit(.numbered(1), .showing(2))
        #expect(table.version(of: .numbered(1)) == 2)
        #expect(table.version(of: .numbered(2)) == 1)
    }

    @Test func anAbsentClientHasVersionZeroAndAnUnknownOneNone() {
        let table = ClientTable(bound: 10)
        #expect(table.version(of: .numbered(1)) == nil)
        makeAbsent(1, in: table)
        #expect(table.version(of: .numbered(1)) == 0)
        table.commit(.numbered(1), .showing(1))
        #expect(table.version(of: .numbered(1)) == 1)
        table.erase(.numbered(1))
        #expect(table.version(of: .numbered(1)) == 0)
        table.forget(.numbered(1))
        #expect(table.version(of: .numbered(1)) == nil)
    }

    /// Over many writes, in a table too small for all: a returned version is the version of the newest state.
    @Test(arguments: [1, 3, 16])
    func neverBehindAWrite(_ bound: Int) {
        let table = ClientTable(bound: bound, absentBound: bound)
        var writes = Array(repeating: 0, count: 24)
        var state = UInt64(bound)
        var told = 0
        for _ in 0..<1500 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let client = Int(state >> 33) % writes.count
            switch (state >> 60) % 4 {
            case 0:
                writes[client] += 1
                table.commit(.numbered(client), .showing(writes[client]))
            case 1 where writes[client] == 0: makeAbsent(client, in: table)
            case 2: table.forget(.numbered(client))
            default:
                guard let version = table.version(of: .numbered(client)) else { continue }
                #expect(version == UInt64(writes[client]))
                told += 1
            }
        }
        #expect(told > 20)
    }
}
