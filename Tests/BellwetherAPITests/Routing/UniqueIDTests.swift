import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherAPI

@Suite struct UniqueIDTests {
    @Test func `Ids are UUIDv7, and sort by time`() throws {
        let instants = [0, 1, 1_773_144_000_000, 253_402_300_799_999].map { Timestamp(milliseconds: $0) }
        let ids = instants.map { UniqueID.make(at: $0) }
        #expect(ids == ids.sorted())
        for id in ids {
            #expect(
                id.text.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        }
        #expect(
            ids[2].text.hasPrefix("019cd7ff-2200-7")
                || UInt64(ids[2].text.filter { $0 != "-" }.prefix(12), radix: 16) == 1_773_144_000_000)
        #expect(Set((0..<1000).map { _ in UniqueID.make(at: instants[2]) }).count == 1000)
    }

    @Test func `A time before 1970 does not crash`() {
        #expect(UniqueID.make(at: Timestamp(milliseconds: .min)).text.hasPrefix("00000000-0000-7"))
    }
}
