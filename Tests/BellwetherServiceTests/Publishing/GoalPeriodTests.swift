import BellwetherBase
import BellwetherCore
import BellwetherJSON
import StoreSupport
import Testing

@testable import BellwetherAuthoring
@testable import BellwetherService

/// The periods of a recipe's goals, and the guards in them (docs/reference/goals.md#periods).
@Suite struct GoalPeriodTests {
    private var editing = Editing()

    private static let goals: JSONValue = [
        ["name": "bought", "event": "purchase", "counts": "converted"],
        ["name": "visits", "event": "visit", "counts": "sum", "cap": 9],
    ]

    private static func recipe(_ members: JSONObject = [:]) -> JSONValue {
        var fields: JSONObject = [
            "branches": [["slug": "plain", "ratio": 1], ["slug": "short", "ratio": 1]], "goals": goals,
            "bucketConfig": buckets(100), "guards": [["goal": "visits", "worse_by": 1]],
        ]
        for (key, value) in members { fields[key] = value }
        return Shelf.recipe("e", fields)
    }

    private static func buckets(_ count: Int64, namespace: String = "n") -> JSONValue {
        [
            "randomizationUnit": "nimbus_id", "namespace": .string(namespace), "start": 0, "count": .integer(count),
            "total": 1_000,
        ]
    }

    private var count: Int { editing.snapshot?.periodCount(of: "e") ?? 0 }

    private mutating func put(_ members: JSONObject = [:], draft: Bool = false) throws {
        editing.now = editing.now.adding(seconds: 60)
        try editing.recipe("e", Self.recipe(members), draft: draft)
    }

    @Test
    mutating func `A period begins with other goals, branches, buckets, targeting or control, and with nothing else`()
        throws
    {
        try editing.manifest()
        try put(["goals": nil, "guards": nil])
        #expect(count == 0)
        try put()
        #expect(count == 1)
        let same: [JSONObject] = [
            ["userFacingName": "Another name"], ["bucketConfig": Self.buckets(200)], ["referenceBranch": "plain"],
            ["guards": []],
            [
                "goals": [
                    [
                        "name": "bought", "event": "purchase", "counts": "converted", "direction": "down",
                        "plan": ["mean": 0.1, "mde": 0.1], "cuped": false,
                    ],
                    ["name": "visits", "event": "visit", "counts": "sum", "cap": 9, "primary": true],
                ]
            ],
        ]
        for members in same {
            try put(members.filled(from: ["bucketConfig": Self.buckets(200)]))
            #expect(count == 1, "\(members)")
        }
        let other: [JSONObject] = [
            ["bucketConfig": Self.buckets(150)], ["bucketConfig": Self.buckets(150, namespace: "m")],
            ["referenceBranch": "short"], ["targeting": "locale == 'de'"],
            ["branches": [["slug": "plain", "ratio": 2], ["slug": "short", "ratio": 1]]],
            ["goals": [["name": "bought", "event": "purchase", "counts": "converted", "within_days": 3]]],
        ]
        for (number, members) in other.enumerated() {
            try put(members.filled(from: ["guards": nil]))
            #expect(count == number + 2, "\(members)")
        }
        #expect(editing.snapshot?.periods["e"]?.periods.map(\.number) == Array(1...7))
    }

    @Test mutating func `A draft begins no period until it is live, and a rollback begins another`() throws {
        try editing.manifest()
        try put(draft: true)
        #expect(count == 0)
        try editing.put(.setState(slug: "e", .live))
        #expect(count == 1)
        try put(["goals": [["name": "bought", "event": "purchase", "counts": "converted"]], "guards": nil])
        try put()
        #expect(count == 3)
        editing.restart()
        #expect(editing.catalog.apps["sample"]?.recipes["e"] != nil)
    }

    @Test mutating func `A deleted recipe counts nothing more, and its slug continues the numbers`() throws {
        try editing.manifest()
        try put()
        #expect(editing.snapshot?.goals["e"]?.periods.count == 1 && editing.snapshot?.goals["e"]?.current == 1)
        try editing.put(.deleteRecipe(slug: "e"))
        #expect(editing.snapshot?.goals["e"]?.periods.isEmpty == true && editing.snapshot?.goals["e"]?.current == nil)
        try put()
        let table = try #require(editing.snapshot?.goals["e"])
        #expect(table.periods.map(\.number) == [2] && table.current == 2 && table.count == 2)
    }

    private func fired(_ branch: Identifier = "short") throws -> FiredGuard {
        let bound = try #require(editing.snapshot?.recipes["e"]?.recipe.goals?.guards.first)
        return FiredGuard(bound, GuardFiring(at: editing.now, branch: branch, numbers: [:], exposed: 100))
    }

    private mutating func fire(revision: Int = 1) throws {
        let fired = try fired()
        editing.pause(RecipeReference(app: "sample", slug: "e"), revision: revision, [fired])
    }

    private var states: [GuardStanding.State] {
        let guards = editing.snapshot?.recipes["e"]?.recipe.goals?.guards ?? []
        return editing.snapshot?.periods["e"]?.stored.standings(of: guards).map(\.state) ?? []
    }

    @Test mutating func `A guard pauses only the revision that it has judged, and is off after the owner resumes`()
        throws
    {
        try editing.manifest()
        try put()
        try fire(revision: 2)
        #expect(editing.snapshot?.recipes["e"]?.isLive == true && states == [.armed])
        try fire()
        #expect(editing.snapshot?.recipes["e"]?.stored.state == .paused && states == [.fired])
        #expect(editing.snapshot?.recipes["e"]?.unserved(at: editing.now)?.reason == .pausedByGuard)
        try fire()
        #expect(editing.snapshot?.periods["e"]?.stored.periods.last?.fired.count == 1, "it is not live any more")
        try editing.put(.setState(slug: "e", .live))
        #expect(states == [.off] && editing.snapshot?.recipes["e"]?.pausedBy == nil)
        _ = try editing.put(.setState(slug: "e", .paused))
        #expect(editing.snapshot?.recipes["e"]?.unserved(at: editing.now)?.reason == .paused, "an owner's own pause")
        _ = try editing.put(.setState(slug: "e", .live))
        try put(["referenceBranch": "short"])
        #expect(states == [.armed], "a new period arms")
    }

    @Test mutating func `A guard's pause of a recipe from a file outlives the next reading of the file`() throws {
        var files = FileCatalog()
        files.apps["sample"] = .init()
        files.apps["sample"]?.manifest = .init(path: "manifest.json", text: SampleManifest.with().encoded)
        files.apps["sample"]?.recipes["e"] = .init(path: "e.json", text: Self.recipe().encoded)
        editing.load(files)
        try fire()
        editing.load(files)
        #expect(editing.snapshot?.recipes["e"]?.stored.state == .paused && states == [.fired])
        try editing.put(.setState(slug: "e", .live))
        editing.load(files)
        #expect(editing.snapshot?.recipes["e"]?.isLive == true && states == [.off])
    }
}

extension JSONObject {
    /// The members of this object, then those of another that it does not have.
    fileprivate func filled(from others: JSONObject) -> JSONObject {
        var filled = self
        for (key, value) in others where filled[key] == nil { filled[key] = value }
        return filled
    }
}
