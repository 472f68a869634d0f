import BellwetherAuthoring
import BellwetherBase
import BellwetherCore
import BellwetherJSON
import StoreSupport
import Testing

@testable import BellwetherService

/// Goals of published recipes: what refuses them, what is warned of, and who gets them
/// (docs/reference/goals.md#goals).
@Suite struct GoalPublishingTests {
    private static let goal: JSONValue = [
        "name": "revenue", "event": "purchase", "counts": "sum", "property": "amount",
    ]
    private static let members: JSONObject = [
        "goals": [goal], "guards": [["goal": "revenue", "worse_than": 0.2]],
        "notify": ["url": "https://hooks.example/bw", "secret_name": "hooks"],
    ]
    private static let events: JSONObject = ["events": ["purchase": ["properties": ["amount": "number"]]]]

    private var editing = Editing()

    private static func recipe(_ members: JSONObject = members) -> JSONValue {
        var fields: JSONObject = ["branches": [["slug": "plain", "ratio": 1], ["slug": "short", "ratio": 1]]]
        for (key, value) in members { fields[key] = value }
        return Shelf.recipe("e", fields)
    }

    private func intake(_ document: JSONValue, _ change: (inout RecipeIntake) -> Void) throws -> Findings {
        let findings = Findings()
        let manifest = try #require(Manifest.read(SampleManifest.with(Self.events), findings: findings))
        var intake = RecipeIntake(slug: "e", manifest: manifest, now: Scene.start)
        change(&intake)
        _ = intake.read(document, findings: findings)
        return findings
    }

    @Test mutating func `A PUT with a fault is refused, and nothing changes`() throws {
        try editing.manifest(Self.events)
        var document = Self.members
        document["goals"] = [["name": "x", "event": "purchase"], ["name": "x", "event": "e", "counts": "sum"]]
        let refusal = editing.refusal(.putRecipe(slug: "e", Self.recipe(document).encoded, asDraft: false))
        #expect(
            refusal?.faultLocations.sorted() == [
                "duplicate /goals/1/name", "reference /guards/0/goal", "required /goals/0/counts",
            ])
        try editing.recipe("e", Self.recipe())
        #expect(editing.snapshot?.recipes["e"]?.recipe.goals?.goals.map(\.name) == ["revenue"])
        editing.restart()
        #expect(editing.snapshot?.recipes["e"]?.recipe.goals?.guards.count == 1)
    }

    /// The period keeps the property, because the recipe's document does not have it.
    @Test mutating func `A goal on a sum adds the property of the sum`() throws {
        try editing.manifest([
            "events": [
                "purchase": ["properties": ["amount": "number"]], "spent": ["of": "purchase", "sum": "amount"],
            ]
        ])
        let goals: JSONValue = [
            ["name": "revenue", "event": "spent", "counts": "sum"],
            ["name": "bought", "event": "spent", "counts": "converted"],
        ]
        try editing.recipe("e", Self.recipe(["goals": goals]))
        let period = editing.snapshot?.goals["e"]?.periods.first
        #expect(period?.goals.map(\.property) == ["amount", nil])
        #expect(
            RecipePeriods(editing.snapshot?.periods["e"]?.stored.json ?? [:])?.periods.first?.properties
                == ["revenue": "amount"])
    }

    @Test mutating func `A manifest that takes away a property of a goal is refused`() throws {
        try editing.manifest(Self.events)
        try editing.recipe("e", Self.recipe())
        let refusal = editing.refusal(.putManifest(SampleManifest.with().encoded))
        #expect(refusal?.faultLocations == ["reference /goals/0/property"])
        _ = try editing.put(.setState(slug: "e", .ended))
        try editing.manifest()
        #expect(editing.snapshot?.manifest.events.isEmpty == true)
    }

    @Test func `A stored recipe with faults is served without goals`() throws {
        let text = Self.recipe(["goals": "later"]).encoded
        let stored = StoredRecipe(
            slug: "e", state: .live,
            document: StoredDocument(revision: 1, source: .api, text: text, publishedAt: Scene.start))
        let manifest = StoredDocument(
            revision: 1, source: .api, text: SampleManifest.with().encoded, publishedAt: Scene.start)
        let app = StoredApp(name: "sample", revision: 1, manifest: manifest, strings: [:], recipes: [stored])
        var failures: [String] = []
        let catalog = PublishedCatalog.load(StoredCatalog(apps: [app]), at: Scene.start, failures: &failures)
        let recipe = catalog.snapshots["sample"]?.compiledApp.live.first
        #expect(failures.isEmpty && recipe?.experiment != nil && recipe?.goals == nil)
    }

    @Test mutating func `The bundle has no goals, guards and notifications`() throws {
        try editing.manifest(Self.events)
        try editing.recipe("e", Self.recipe())
        var other = Self.members
        other["slug"] = "p"
        try editing.recipe("p", Self.recipe(other))
        _ = try editing.put(.setState(slug: "p", .paused))
        let text = Array((editing.snapshot?.bundle.pieces ?? []).joined())
        let bundle = try JSONValue(parsing: text).object
        for recipe in [bundle?["recipes"]?.array?.first, bundle?["paused"]?.array?.first?.object?["recipe"]] {
            #expect(recipe?.object?["branches"]?.array?.count == 2)
            #expect(RecipeGoals.members.allSatisfy { recipe?.object?[$0] == nil })
        }
    }

    @Test func `Remote Settings has no goals, guards and notifications`() throws {
        var shelf = Shelf()
        try shelf.put("a", .putManifest(SampleManifest.with(Self.events).encoded))
        try shelf.put("a", .putRecipe(slug: "e", Self.recipe().encoded, asDraft: false))
        let record = try #require(shelf.list()?.records.first)
        #expect(record.members["branches"]?.array?.count == 2)
        #expect(RecipeGoals.members.allSatisfy { record.members[$0] == nil })
        #expect(!String(decoding: record.bytes, as: UTF8.self).contains("hooks.example"))
    }

    @Test mutating func `New goals of a recipe that was live count no client that is enrolled already`() throws {
        func isWarned(_ receipt: PublishReceipt?) -> Bool {
            receipt?.warnings.contains { $0.code == "goals_running" && $0.pointer.description == "/goals" } ?? false
        }
        try editing.manifest(Self.events)
        #expect(!isWarned(try editing.recipe("e", Self.recipe(["goals": []]))))
        #expect(isWarned(try editing.recipe("e", Self.recipe())))
        var goal = Self.goal.object ?? [:]
        (goal["direction"], goal["primary"], goal["cuped"]) = ("down", true, false)
        #expect(!isWarned(try editing.recipe("e", Self.recipe(["goals": [.object(goal)]]))))
        goal["within_days"] = 7
        #expect(isWarned(try editing.recipe("e", Self.recipe(["goals": [.object(goal)]]))))
        _ = try editing.put(.setState(slug: "e", .paused))
        #expect(isWarned(try editing.recipe("e", Self.recipe())))
        #expect(!isWarned(try editing.recipe("d", Self.recipe(["slug": "d", "goals": []]), draft: true)))
        #expect(!isWarned(try editing.recipe("d", Self.recipe(["slug": "d"]), draft: true)))
    }

    @Test func `A secret that signs notifications is checked as that of a survey`() throws {
        func found(_ secrets: WebhookSecrets) throws -> [String] {
            let findings = try intake(Self.recipe()) {
                $0.secrets = RecipeSecrets(secrets, of: "sample", for: "e", beside: [:])
            }
            return (findings.faults + findings.warnings).map { "\($0.code) \($0.pointer)" }
        }
        #expect(try found(WebhookSecrets()) == ["unknown_secret /notify/secret_name"])
        var known = WebhookSecrets()
        _ = known.add("x", named: "hooks")
        #expect(try found(known) == [])
        var foreign = WebhookSecrets()
        _ = foreign.add("x", named: "hooks", for: WebhookSecrets.Scope(apps: ["other"]))
        #expect(try found(foreign) == ["secret /notify/secret_name"])
    }

    @Test func `The names of events are kept for a day`() {
        let (seen, event) = (
            SeenEvents(),
            { (name: Identifier) in
                ResolvedEvent(
                    index: 0, id: nil, at: Scene.start, kind: .behavior(BehaviorEvent(name: name, count: 1), then: nil))
            }
        )
        seen.note([event("a")], in: "app", at: Scene.start)
        let later = Scene.start.adding(milliseconds: 23 * 3_600_000)
        seen.note([event("b")], in: "app", at: later)
        #expect(seen.names(in: "app", at: later) == ["a", "b"])
        #expect(seen.names(in: "app", at: later.adding(milliseconds: 3_600_000)) == ["b"])
        #expect(seen.names(in: "other", at: later) == [])
    }

    @Test func `The number of names is bounded, and old ones go first`() {
        let seen = SeenEvents()
        func note(_ names: Range<Int>, at now: Timestamp) {
            let events = names.map { name in
                ResolvedEvent(
                    index: 0, id: nil, at: now, kind: .behavior(BehaviorEvent(name: "n\(name)", count: 1), then: nil))
            }
            seen.note(events, in: "app", at: now)
        }
        let later = Scene.start.adding(milliseconds: 24 * 3_600_000)
        note(0..<SeenEvents.maximumNames + 1, at: Scene.start)
        #expect(seen.names(in: "app", at: Scene.start).count == SeenEvents.maximumNames)
        note(SeenEvents.maximumNames..<SeenEvents.maximumNames + 1, at: later)
        #expect(seen.names(in: "app", at: later).count == 1)
    }
}
