import BellwetherBase
import BellwetherCore
import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherService

/// A reader that only requests newer records has the current records, whatever changes were made and whenever it read.
@Suite struct RecordSyncTests {
    private struct Reader {
        let app: Identifier?
        var known: [Identifier: JSONObject] = [:]
        var time: Int64 = 0

        mutating func sync(_ list: RecordList) {
            for record in list.records.prefix(list.count(newerThan: time)).reversed() {
                known[record.stored.id] = record.isDeleted ? nil : record.members
            }
            time = list.timestamp
        }
    }

    @Test(arguments: 0..<20) func deltasAddUp(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var shelf = Shelf()
        for app in ["a", "b"] { try shelf.manifest(Identifier(app)) }
        var readers = [Reader(app: nil), Reader(app: nil), Reader(app: "a"), Reader(app: "b")]
        for step in 0..<60 {
            let app = Bool.random(using: &generator) ? "a" : "b"
            let slug: Identifier = "s\(Int.random(in: 0..<3, using: &generator))"
            shelf.now = shelf.now.adding(milliseconds: Int64.random(in: -2...2, using: &generator))
            switch Int.random(in: 0..<6, using: &generator) {
            case 0 where shelf.catalog.snapshots[Identifier(app)]?.recipes[slug] != nil:
                try shelf.put(Identifier(app), .deleteRecipe(slug: slug))
            case 1: shelf.restart()
            case 2: try shelf.manifest(Identifier(app), collections: Bool.random(using: &generator) ? [] : nil)
            default: try shelf.publish(Identifier(app), slug, ["userFacingName": .string("\(step)")])
            }
            for index in readers.indices where Bool.random(using: &generator) || step == 59 {
                guard let list = shelf.list(app: readers[index].app) else { continue }
                readers[index].sync(list)
                let there = list.records.filter { !$0.isDeleted }
                let expected = Dictionary(uniqueKeysWithValues: there.map { ($0.stored.id, $0.members) })
                #expect(readers[index].known == expected, "step \(step)")
                #expect(Set(list.records.map(\.lastModified)).count == list.records.count)
            }
        }
    }
}
