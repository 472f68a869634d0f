import BellwetherBase
import BellwetherCore
import BellwetherJSON
import StoreSupport
import Testing

@testable import BellwetherService

/// The records that readers of Remote Settings get, and the time of their last change
/// (docs/reference/http-api.md#remote-settings).
@Suite struct RecordLedgerTests {
    private var shelf = Shelf()
    private let start = Scene.start.milliseconds

    init() throws { try shelf.manifest("a") }

    @Test mutating func liveNimbusRecipesAreTheCollection() throws {
        try shelf.publish("a", "e")
        try shelf.publish("a", "rollout", ["isRollout": true])
        try shelf.publish("a", "draft", draft: true)
        try shelf.put("a", .putRecipe(slug: "bare", Array(#"{"messages": {}}"#.utf8), asDraft: false))
        #expect(shelf.told() == ["rollout", "e"])
        #expect(shelf.told("another") == nil)
        #expect(shelf.told(app: "a") == ["rollout", "e"] && shelf.told(app: "b") == nil)
    }

    @Test mutating func aRecordIsTheDocumentWithWhatMakesItARecord() throws {
        let fields: JSONObject = ["x": [1, 1.0, nil], "last_modified": 7, "deleted": true]
        try shelf.publish("a", "e", fields)
        let record = try #require(shelf.list()?.records.first)
        var expected = Shelf.recipe("e", ["x": [1, 1.0, nil]]).object ?? [:]
        expected["id"] = "e"
        expected["last_modified"] = .integer(record.lastModified)
        expected["schema"] = .integer(start)
        #expect(record.members == expected)
        #expect(try JSONValue(parsing: record.bytes) == .object(record.members))
    }

    @Test mutating func theDocumentsOwnIdAndSchemaStay() throws {
        try shelf.publish("a", "e", ["id": "own", "schema": 5])
        try shelf.publish("a", "f", ["id": 7])
        try shelf.publish("a", "g", ["id": ""])
        #expect(shelf.told() == ["g", "f", "own"])
        #expect(shelf.list()?.records.last?.members["schema"] == 5)
        try shelf.publish("a", "e", ["id": "other"])
        #expect(shelf.told() == ["-own", "other", "g", "f"])
    }

    @Test mutating func timesAreUniqueAndRiseWhateverTheClockSays() throws {
        try shelf.publish("a", "e")
        try shelf.publish("a", "f")
        shelf.now = Timestamp(milliseconds: start - 86_400_000)
        try shelf.publish("a", "g")
        let first = try #require(shelf.list())
        #expect(first.records.map(\.lastModified) == [first.timestamp, first.timestamp - 1, first.timestamp - 2])
        shelf.now = Timestamp(milliseconds: start + 1000)
        try shelf.publish("a", "e", ["userFacingName": "Changed"])
        #expect(shelf.told() == ["e", "g", "f"] && shelf.list()?.timestamp == start + 1000)
        shelf.now = .distantFuture
        try shelf.publish("a", "h")
        try shelf.publish("a", "i")
        #expect(shelf.list()?.timestamp == .max, "no time is later; nothing breaks")
    }

    @Test mutating func whatDoesNotChangeKeepsItsTime() throws {
        try shelf.publish("a", "e")
        let list = try #require(shelf.list())
        let count = shelf.changes.count
        try shelf.publish("a", "e")
        #expect(shelf.changes.count == count)
        shelf.now = shelf.now.adding(seconds: 5)
        try shelf.put("a", .putStrings(locale: "de", Array("{}".utf8)))
        try shelf.put("a", .putRecipe(slug: "bare", Array(#"{"messages": {}}"#.utf8), asDraft: false))
        #expect(shelf.list()?.timestamp == list.timestamp)
        #expect(shelf.list()?.records.map(\.bytes) == list.records.map(\.bytes))
    }

    /// A node on a shared store loads the records of another node's publish without a change.
    @Test mutating func anotherNodeHasTheSameRecords() throws {
        try shelf.publish("a", "e")
        try shelf.publish("a", "f")
        try shelf.put("a", .deleteRecipe(slug: "e"))
        var failures: [String] = []
        let other = PublishedCatalog.load(StoredCatalog(shelf.changes), at: shelf.now, failures: &failures)
        let list = other.records.published(other.snapshots)["nimbus-mobile-experiments"]?.list(of: nil)
        #expect(list?.records.map(\.bytes) == shelf.list()?.records.map(\.bytes))
        #expect(list?.records.map(\.isDeleted) == [true, false] && failures.isEmpty)
    }

    @Test mutating func whatIsGoneLeavesATombstone() throws {
        try shelf.publish("a", "e")
        try shelf.publish("a", "f")
        let known = try #require(shelf.list()?.timestamp)
        try shelf.put("a", .deleteRecipe(slug: "e"))
        #expect(shelf.told() == ["-e", "f"] && shelf.told(since: known) == ["-e"])
        let tombstone = try #require(shelf.list()?.records.first)
        #expect(
            JSONValue.object(tombstone.members) == [
                "id": "e", "last_modified": .integer(tombstone.lastModified), "deleted": true,
            ])
        try shelf.publish("a", "e")
        #expect(shelf.told() == ["e", "f"], "a record that comes back is no tombstone")
    }

    @Test mutating func timesAndTombstonesOutliveARestart() throws {
        try shelf.publish("a", "e")
        try shelf.publish("a", "f")
        try shelf.put("a", .deleteRecipe(slug: "e"))
        let before = try #require(shelf.list())
        let count = shelf.changes.count
        shelf.now = shelf.now.adding(seconds: 60)
        shelf.restart()
        let after = try #require(shelf.list())
        #expect(after.timestamp == before.timestamp && after.records.map(\.bytes) == before.records.map(\.bytes))
        #expect(shelf.changes.count == count)
    }

    /// A store that was written by a version without records.
    @Test mutating func whatWasPublishedBeforeIsTakenUpAtTheStart() throws {
        try shelf.publish("a", "e")
        shelf.now = shelf.now.adding(seconds: 60)
        shelf.restart { for index in $0.apps.indices { $0.apps[index].records = [] } }
        #expect(shelf.told() == ["e"] && shelf.list()?.timestamp == shelf.now.milliseconds)
    }

    @Test mutating func aPauseEndsEnrollmentAndNothingElse() throws {
        try shelf.publish("a", "e")
        let live = try #require(shelf.list()?.records.first)
        #expect(live.members["isEnrollmentPaused"] == false)
        try shelf.put("a", .setState(slug: "e", .paused))
        let paused = try #require(shelf.list()?.records.first)
        #expect(paused.members["isEnrollmentPaused"] == true && paused.lastModified > live.lastModified)
        shelf.restart()
        #expect(shelf.list()?.records.first?.bytes == paused.bytes)
        try shelf.put("a", .setState(slug: "e", .live))
        #expect(shelf.list()?.records.first?.members["isEnrollmentPaused"] == false)
        try shelf.put("a", .setState(slug: "e", .ended))
        #expect(shelf.told() == ["-e"])
    }

    @Test mutating func aDraftBesideWhatIsLiveIsNotShown() throws {
        try shelf.publish("a", "e")
        let before = try #require(shelf.list())
        try shelf.publish("a", "e", ["userFacingName": "Draft"], draft: true)
        #expect(shelf.list()?.records.map(\.bytes) == before.records.map(\.bytes))
        shelf.restart()
        #expect(shelf.list()?.records.map(\.bytes) == before.records.map(\.bytes))
        try shelf.put("a", .setState(slug: "e", .live))
        let record = try #require(shelf.list()?.records.first)
        #expect(record.members["userFacingName"] == "Draft" && record.lastModified > before.timestamp)
    }

    /// Phones ignore the dates of a recipe.
    @Test mutating func aRecordIsThereBetweenItsDates() throws {
        try shelf.publish("a", "e", ["startDate": "2026-03-11", "endDate": "2026-03-12"])
        #expect(shelf.told() == [])
        shelf.now = shelf.now.adding(seconds: 86_400)
        shelf.follow()
        #expect(shelf.told() == ["e"] && shelf.list()?.timestamp == shelf.now.milliseconds)
        shelf.restart()
        #expect(shelf.told() == ["e"])
        shelf.now = shelf.now.adding(seconds: 86_400)
        shelf.follow()
        #expect(shelf.told() == ["-e"])
        shelf.restart()
        #expect(shelf.told() == ["-e"])
    }

    @Test mutating func aCollectionIsTheUnionOfTheAppsThatNameIt() throws {
        try shelf.manifest("b", collections: ["nimbus-mobile-experiments", "own"])
        try shelf.manifest("c", collections: [])
        try shelf.publish("a", "x")
        try shelf.publish("b", "y")
        try shelf.publish("c", "z")
        #expect(shelf.told() == ["y", "x"] && shelf.told("own") == ["y"])
        #expect(shelf.told(app: "a") == ["x"] && shelf.told(app: "b") == ["y"] && shelf.told(app: "c") == nil)
    }

    @Test mutating func aManifestMovesItsRecordsAndADeletedAppTakesThemAway() throws {
        try shelf.publish("a", "x")
        try shelf.manifest("a", collections: ["new"])
        #expect(shelf.told() == nil && shelf.told("new") == ["x"])
        try shelf.manifest("a")
        #expect(shelf.told() == ["x"])
        try shelf.manifest("b")
        try shelf.put("a", .deleteManifest)
        #expect(shelf.told() == ["-x"])
        shelf.restart()
        #expect(shelf.told() == ["-x"])
    }

    /// In Kinto, a collection cannot have two records with one id.
    @Test mutating func anIdIsOneRecords() throws {
        try shelf.manifest("b")
        try shelf.publish("b", "x")
        #expect(shelf.told() == ["x"])
        let known = try #require(shelf.list()?.timestamp)
        try shelf.publish("a", "x", ["userFacingName": "A's"])
        #expect(Set(shelf.told(since: known) ?? []) == ["x", "b--x"])
        #expect(shelf.list()?.records.first { $0.stored.id == "x" }?.members["userFacingName"] == "A's")
        #expect(Set(shelf.told(app: "b") ?? []) == ["b--x", "-x"])
        try shelf.publish("a", "y", ["id": "x"])
        #expect(Set(shelf.told(app: "a") ?? []) == ["x", "a--y"])
        try shelf.put("a", .deleteRecipe(slug: "x"))
        #expect(Set(shelf.told() ?? []) == ["x", "b--x", "-a--y"], "y has the id that it asked for")
    }

    @Test mutating func anEmptyCollectionHasATimeToo() throws {
        let time = try #require(shelf.list()?.timestamp)
        #expect(time == start && shelf.told() == [])
        shelf.now = shelf.now.adding(seconds: -5)
        try shelf.publish("a", "x")
        #expect(try #require(shelf.list()?.timestamp) > time)
    }
}
