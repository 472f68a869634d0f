import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Dispatch
import Testing

@testable import BellwetherService

/// The size of a client's record in the table, and the names that belong to it.
struct ClientRecordTests {
    /// A client with five events and five enrollments.
    private static func typical(_ number: Int) -> StoredClient {
        var state = ClientState()
        for name in ["homepage_viewed", "app_cycle.foreground", "sync.login", "tab.opened", "search.done"] {
            state.behavior.record(Identifier(name), count: 1, at: Timestamp(seconds: 1_795_000_000))
        }
        let enrollments = (1...5).map { place in
            Enrollment(slug: "experiment-of-bench-\(place)", status: .enrolled(.qualified, branch: "treatment-a"))
        }
        state.enrollments = PackedEnrollments(ClientEnrollments(enrollments: enrollments))
        return StoredClient(version: UInt64(number), state: state)
    }

    @Test func aTypicalClientTakesFewBytes() {
        var names = PackedNames()
        let client = Self.typical(2)
        let key = ClientKey(ClientReference(app: "firefox-ios", id: "client-123456"))
        let record = client.record(for: key, names: &names)
        // An array of more than 104 bytes occupies another 16 bytes.
        #expect(record.count <= 104)
        #expect(client.state.encoded().count == 318, "what a store keeps")
        #expect(StoredClient(in: record, names: names.all) == client)
    }

    @Test func recordsAreReadWithTheNamesOfTheirTime() {
        let table = ClientTable(bound: 10_000)
        func client(_ number: Int) -> StoredClient {
            var client = Self.typical(1).state
            client.ledger["message-\(number)"].displayCount = 1
            client.behavior.record("event-\(number)", count: 1, at: Timestamp(seconds: 1_795_000_000))
            return StoredClient(version: 1, state: client)
        }
        for number in 0..<5000 {
            if number % 2 == 0 {
                table.commit(.numbered(number), client(number))
            } else {
                #expect(table.finish(table.beginLoad(.numbered(number)), client(number)) == client(number))
            }
        }
        for number in 0..<5000 { #expect(table.stored(.numbered(number)) == client(number)) }
        #expect(table.occupancy.known == 5000)
    }

    /// More names than a shard has numbers for, including the names of apps.
    @Test func namesBeyondTheBoundAreKeptToo() {
        let table = ClientTable(bound: 1000)
        func reference(_ number: Int) -> ClientReference { ClientReference(app: "app-\(number)", id: "client") }
        func client(_ number: Int) -> StoredClient {
            var state = ClientState()
            for key in 0..<10 { state.ledger["message-\(number)-\(key)"].displayCount = 1 }
            return StoredClient(version: 1, state: state)
        }
        for number in 0..<600 { table.commit(reference(number), client(number)) }
        for number in 0..<600 {
            #expect(table.stored(reference(number)) == client(number))
            table.commit(reference(number), client(number))
        }
        #expect(table.occupancy.known == 600, "each has one record")
        table.erase(reference(599))
        #expect(table.stored(reference(599)) == nil)
        #expect(table.occupancy == (known: 599, absent: 1))
    }

    /// Threads enter clients with their own names while other threads look them up.
    @Test func whoLooksUpHasTheNamesOfTheRecord() {
        let table = ClientTable(bound: 100)
        @Sendable func client(_ number: Int) -> StoredClient {
            var state = ClientState()
            state.ledger["message-\(number)"].displayCount = UInt32(number)
            return StoredClient(version: UInt64(number), state: state)
        }
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for step in 0..<1000 {
                let number = step * 2 + thread % 2
                if thread < 2 {
                    table.commit(.numbered(number % 50), client(number))
                } else if case .known(let held) = table.lookUp(.numbered(number % 50)) {
                    let entry = held.state?.ledger.entries.first
                    #expect(entry?.message == "message-\(held.version)")
                    #expect(entry?.displayCount == UInt32(held.version))
                }
            }
        }
    }
}
