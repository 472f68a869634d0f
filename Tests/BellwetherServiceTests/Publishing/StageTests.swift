import BellwetherAuthoring
import BellwetherBase
import BellwetherCore
import BellwetherJSON
import StoreSupport
import Testing

@testable import BellwetherService

/// The share of a recipe grows by its stages (docs/reference/experiments.md#stages). The clock is at noon on 10 March
/// 2026.
@Suite struct StageTests {
    private var editing = Editing()

    init() throws { try editing.manifest() }

    private static let goal: JSONValue = ["name": "visits", "event": "visit", "counts": "sum", "direction": "up"]

    private static func recipe(_ stages: JSONValue?, count: Int64 = 500, more: JSONObject = [:]) -> JSONValue {
        var members: JSONObject = [
            "bucketConfig": [
                "randomizationUnit": "nimbus_id", "namespace": "n", "start": 0, "count": .integer(count),
                "total": 10_000,
            ]
        ]
        members["stages"] = stages
        for (key, value) in more { members[key] = value }
        return Shelf.recipe("e", members)
    }

    private static let guarded: JSONObject = [
        "branches": [["slug": "plain", "ratio": 1], ["slug": "short", "ratio": 1]], "goals": [goal],
        "guards": [["goal": "visits", "worse_by": 1]],
    ]
    private static let timetable: JSONValue = [
        ["count": 2_500, "at": "2026-03-11T12:00:00Z"], ["count": 5_000, "at": "2026-03-12T12:00:00Z"],
        ["count": 10_000],
    ]

    private var stored: StoredRecipe? { editing.snapshot?.recipes["e"]?.stored }
    private var count: UInt32? { editing.snapshot?.recipes["e"]?.recipe.experiment?.bucketConfig.count }

    private mutating func pass(days: Int64) {
        editing.now = editing.now.adding(seconds: days * Timestamp.secondsPerDay)
        editing.follow()
    }

    @Test mutating func `Each stage goes at its time, and the last one by hand`() throws {
        try editing.recipe("e", Self.recipe(Self.timetable))
        editing.follow()
        #expect(count == 500 && stored?.document.revision == 1)
        pass(days: 1)
        #expect(count == 2_500 && stored?.document.revision == 2 && stored?.state == .live)
        #expect(stored?.document.author == "owner", "the plan has its author")
        let changes = editing.changes.count
        editing.follow()
        #expect(editing.changes.count == changes, "nothing is due")
        pass(days: 1)
        #expect(count == 5_000)
        pass(days: 365)
        #expect(count == 5_000 && stored?.document.revision == 3)
        try editing.recipe("e", Self.recipe(Self.timetable, count: 10_000))
        #expect(count == 10_000)
    }

    /// The author's text stays as it is written, but for the number.
    @Test mutating func `A stage changes the count and nothing else`() throws {
        let text = Self.recipe(Self.timetable).prettyText + "\n"
        _ = try editing.put(.putRecipe(slug: "e", Array(text.utf8), asDraft: false))
        pass(days: 1)
        let after = String(decoding: stored?.document.text ?? [], as: UTF8.self)
        #expect(after == text.replacing("\"count\": 500,", with: "\"count\": 2500,"))
    }

    @Test mutating func `Stages that are all past go in one step, and a restart changes nothing`() throws {
        try editing.recipe("e", Self.recipe(Self.timetable))
        pass(days: 30)
        #expect(count == 5_000 && stored?.document.revision == 2)
        editing.restart()
        editing.follow()
        #expect(count == 5_000 && stored?.document.revision == 2)
    }

    @Test mutating func `A paused or ended recipe waits`() throws {
        try editing.recipe("e", Self.recipe(Self.timetable))
        _ = try editing.put(.setState(slug: "e", .paused))
        pass(days: 1)
        #expect(count == 500 && stored?.state == .paused)
        _ = try editing.put(.setState(slug: "e", .live))
        editing.follow()
        #expect(count == 2_500)
        _ = try editing.put(.setState(slug: "e", .ended))
        pass(days: 1)
        #expect(count == 2_500)
    }

    @Test mutating func `A draft stays a draft, with a share that takes nobody out`() throws {
        try editing.recipe("e", Self.recipe(Self.timetable))
        editing.author = "ben"
        try editing.recipe("e", Self.recipe(Self.timetable, more: ["userFacingName": "B"]), draft: true)
        pass(days: 1)
        #expect(count == 2_500 && stored?.served.revision == 3 && stored?.document.revision == 4)
        #expect(stored?.isNewestDraft == true && stored?.document.author == "ben")
        let draft = try JSONValue(parsing: stored?.document.text ?? [])
        #expect(draft["userFacingName"] == "B" && draft["bucketConfig"]["count"] == 2_500)
        _ = try editing.put(.setState(slug: "e", .live), meaning: 4)
        #expect(count == 2_500 && stored?.isNewestDraft == false)
        editing.restart()
        #expect(count == 2_500 && editing.failures == [])
    }

    @Test mutating func `A larger share begins no period of goals`() throws {
        try editing.recipe("e", Self.recipe(Self.timetable, more: Self.guarded))
        pass(days: 30)
        #expect(count == 5_000 && editing.snapshot?.periodCount(of: "e") == 1)
    }

    @Test mutating func `A stage that waits for guards is not published by the clock`() throws {
        let stages: JSONValue = [
            ["count": 2_500, "guards": true, "at": "2026-03-11T12:00:00Z"],
            ["count": 5_000, "at": "2026-03-11T12:00:00Z"],
        ]
        try editing.recipe("e", Self.recipe(stages, more: Self.guarded))
        #expect(editing.snapshot?.recipes["e"]?.awaitsGuards(at: editing.now) == false)
        pass(days: 1)
        #expect(count == 500, "the second stage waits for the first")
        #expect(editing.snapshot?.recipes["e"]?.awaitsGuards(at: editing.now) == true)
        let stage = try #require(editing.snapshot?.recipes["e"]?.recipe.nextStage)
        editing.advance(RecipeReference(app: "sample", slug: "e"), revision: 7, to: stage)
        #expect(count == 500, "another revision was judged")
        editing.advance(RecipeReference(app: "sample", slug: "e"), revision: 1, to: stage)
        #expect(count == 2_500)
        editing.follow()
        #expect(count == 5_000)
    }

    @Test mutating func `A person publishes the next stage, also before its time`() throws {
        try editing.recipe("e", Self.recipe(Self.timetable))
        editing.requiresApproval = true
        #expect(editing.refusal(.advance(slug: "e"), meaning: 7)?.name == "preconditionFailed 1")
        let receipt = try editing.put(.advance(slug: "e"), meaning: 1)
        #expect(receipt?.revision == 2 && receipt?.state == .live && count == 2_500, "the plan was approved")
        for _ in 0..<2 { _ = try editing.put(.advance(slug: "e")) }
        #expect(count == 10_000)
        #expect(editing.refusal(.advance(slug: "e"))?.name == "noStage")
        _ = try editing.put(.setState(slug: "e", .paused))
        #expect(editing.refusal(.advance(slug: "e"))?.name == "noStage")
        #expect(editing.refusal(.advance(slug: "other"))?.name == "notFound")
    }

    @Test mutating func `A recipe from a file has the share that its file has`() throws {
        var files = FileCatalog()
        files.apps["sample"] = FileCatalog.App()
        files.apps["sample"]?.manifest = FileCatalog.File(path: "manifest.json", text: SampleManifest.with().encoded)
        files.apps["sample"]?.recipes["e"] = FileCatalog.File(
            path: "e.json", text: Self.recipe(Self.timetable).encoded)
        editing = Editing()
        editing.load(files)
        pass(days: 2)
        #expect(count == 500 && editing.failures == [])
    }

    @Test(arguments: [
        ("[1]", ["type /stages/0"]),
        ("{}", ["type /stages"]),
        (#"[{"at": "2026-03-11T12:00:00Z"}]"#, ["required /stages/0/count"]),
        (#"[{"count": 0}]"#, ["range /stages/0/count"]),
        (#"[{"count": 2, "at": "soon"}]"#, ["time /stages/0/at"]),
        (#"[{"count": 2, "guards": true}]"#, ["reference /stages/0/guards"]),
        (#"[{"count": 2, "guards": 1}]"#, ["type /stages/0/guards"]),
        (#"[{"count": 2, "by": 1}]"#, ["unknown_key /stages/0/by"]),
        (#"[{"count": 2}, {"count": 2}]"#, ["range /stages/1/count"]),
        (#"[{"count": 10001}]"#, ["range /stages/0/count"]),
        (
            #"[{"count": 2, "at": "2026-03-11T12:00:00Z"}, {"count": 3, "at": "2026-03-10T12:00:00Z"}]"#,
            ["range /stages/1/at"]
        ),
        (
            "[" + (1...11).map { #"{"count": \#($0)}"# }.joined(separator: ",") + "]", ["range /stages"]
        ),
    ])
    mutating func `Faults are told where they are`(_ stages: String, _ faults: [String]) throws {
        let document = Self.recipe(try JSONValue(parsing: Array(stages.utf8)))
        let refusal = editing.refusal(.putRecipe(slug: "e", document.encoded, asDraft: false))
        #expect(refusal?.faultLocations == faults)
    }

    @Test mutating func `Only a recipe with a share of its own has stages`() throws {
        let message: JSONValue = [
            "messages": ["m": ["surface": "microsurvey", "text": "t"]], "stages": [["count": 2]],
        ]
        #expect(
            editing.refusal(.putRecipe(slug: "m", message.encoded, asDraft: false))?.faultLocations
                == ["stages_share /stages"])
    }

    @Test mutating func `Buckets that a stage will take count as taken`() throws {
        let other = Self.recipe(
            nil,
            more: [
                "slug": "o",
                "bucketConfig": [
                    "randomizationUnit": "nimbus_id", "namespace": "n", "start": 9_000, "count": 10, "total": 10_000,
                ],
            ])
        try editing.recipe("o", other)
        #expect(
            try editing.recipe("e", Self.recipe(nil))?.warningLocations.contains("bucket_overlap /bucketConfig")
                == false)
        let receipt = try editing.recipe("e", Self.recipe(Self.timetable))
        #expect(receipt?.warningLocations.contains("bucket_overlap /bucketConfig") == true)
    }

    @Test mutating func `Clients do not get the timetable`() throws {
        try editing.recipe("e", Self.recipe(Self.timetable))
        let recipe = try #require(editing.snapshot?.recipes["e"]?.recipe)
        #expect(recipe.documentForClients?["bucketConfig"] != nil && recipe.documentForClients?["stages"] == nil)
    }

    /// Several nodes whose guards hold at once publish one revision; beside an owner's publish, it is one of both
    /// orders.
    @Test(arguments: StoreKind.allCases)
    func `Of several nodes whose guards hold, one publishes the stage`(_ kind: StoreKind) async throws {
        let test = try ContractStore(kind)
        let publishers = (0..<3).map { _ in
            Publisher(store: test.store, clock: .system, logger: Persistence.silent)
        }
        _ = try publishers[0].start(FileCatalog())
        let stages: JSONValue = [["count": 2_500, "guards": true]]
        for change: PublishRequest.Change in [
            .putManifest(SampleManifest.with().encoded),
            .putRecipe(slug: "e", Self.recipe(stages, more: Self.guarded).encoded, asDraft: false),
        ] {
            await withCheckedContinuation { done in
                publishers[0].publish(PublishRequest(app: "sample", change: change)) { _ in
                    (200, [])
                } completion: { _ in
                    done.resume()
                }
            }
        }
        for publisher in publishers.dropFirst() { _ = try publisher.start(FileCatalog()) }
        let stage = try #require(publishers[0].app("sample")?.recipes["e"]?.recipe.nextStage)
        let recipe = RecipeReference(app: "sample", slug: "e")
        await withTaskGroup { group in
            for publisher in publishers {
                group.addTask {
                    await withCheckedContinuation { done in
                        publisher.advance(recipe, revision: 1, to: stage) { done.resume() }
                    }
                }
            }
        }
        let stored = try test.store.loadCatalog().apps.first?.recipes.first
        #expect(stored?.document.revision == 2 && stored?.state == .live)
    }
}
