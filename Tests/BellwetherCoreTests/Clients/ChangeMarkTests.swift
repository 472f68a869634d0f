import BellwetherBase
import BellwetherCore
import BellwetherJSON
import TestSupport
import Testing

/// Which streams the changes of a row notify, by the mark in the row (docs/reference/streams.md#who-is-notified).
@Suite struct ChangeMarkTests {
    private static let names: [String?] = [nil, "tab", "phone"]

    private static func key(_ name: String?) -> ChangeMark.StreamKey? {
        name.map { ChangeMark.StreamKey(client: "c", name: $0) }
    }

    /// The mark says the same as the list of all changes since the one that a stream knows.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func `A mark says what the list of changes says`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var now = Timestamp(seconds: 1_800_000_000)
        var mark = ChangeMark()
        var writers: [String?] = []
        var marks = [ChangeMark()]
        for _ in 0..<12 {
            now = now.adding(milliseconds: Int64.random(in: 0...3_000, using: &random))
            let writer = Self.names.randomElement(using: &random) ?? nil
            mark.advance(at: now, by: Self.key(writer))
            writers.append(writer)
            #expect(mark.last > marks[marks.count - 1].last)
            marks.append(mark)
            for (position, known) in marks.enumerated() {
                for name in Self.names {
                    let wanted = writers[position...].contains { $0 == nil || $0 != name }
                    #expect(mark.notifies(Self.key(name), knowing: known.last) == wanted, "\(writers), \(position)")
                }
            }
        }
    }

    @Test func `Another client's stream of the same name is another stream`() {
        var mark = ChangeMark()
        mark.advance(at: Timestamp(seconds: 1_800_000_100), by: Self.key("tab"))
        #expect(mark.notifies(ChangeMark.StreamKey(client: "d", name: "tab"), knowing: 0))
    }
}
