import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// The goals, guards and notifications of recipes, with every fault at its location (docs/reference/goals.md#goals).
@Suite struct RecipeGoalsTests {
    private static let bought: JSONValue = ["name": "bought", "event": "purchase", "counts": "converted"]
    private static let revenue: JSONValue = [
        "name": "revenue", "event": "purchase", "counts": "sum", "property": "amount", "cap": 500,
    ]
    private static let annoyed: JSONValue = [
        "name": "annoyed", "event": ["message": "dismissed"], "counts": "converted", "direction": "down",
    ]
    private static let branches: JSONValue = [
        ["slug": "plain", "ratio": 1], ["slug": "short", "ratio": 1], ["slug": "long", "ratio": 1],
    ]

    private func read(
        _ members: JSONObject, isStored: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> (recipe: Recipe?, findings: Findings) {
        let manifest = try Sample.manifest(
            ["events": ["purchase": ["properties": ["amount": "number", "currency": "string"]], "opened": [:]]])
        var document: JSONObject = ["branches": Self.branches]
        for (key, value) in members { document[key] = value }
        let findings = Findings()
        let recipe = Recipe.read(
            SampleExperiment.document(document), slug: "e", revision: 1, manifest: manifest, findings: findings)
        findings.settle(isStored: isStored)
        return (recipe, findings)
    }

    private func faults(_ members: JSONObject) throws -> [String] { try read(members).findings.faultLocations.sorted() }

    private func faults(ofGoal changes: JSONObject) throws -> [String] {
        var goal = Self.revenue.object ?? [:]
        for (key, value) in changes { goal[key] = value == .null ? .none : .some(value) }
        return try faults(["goals": [.object(goal)]])
    }

    @Test func `A recipe has what it declares`() throws {
        let (recipe, findings) = try read([
            "goals": [Self.bought, Self.revenue, Self.annoyed],
            "guards": [
                ["goal": "annoyed", "worse_than": 0.2], ["goal": "bought", "worse_by": 0.02, "branch": "short"],
            ],
            "notify": ["url": "https://hooks.example/bw", "secret_name": "hooks"],
        ])
        #expect(findings.faults.isEmpty && findings.warnings.isEmpty)
        let goals = try #require(recipe?.goals)
        #expect(goals.goals.map(\.name) == ["bought", "revenue", "annoyed"])
        #expect(goals.goals.map(\.isPrimary) == [true, false, false])
        #expect(goals.guards.map(\.branch) == [nil, "short"])
        #expect(goals.notify?.url == "https://hooks.example/bw" && goals.notify?.secretName == "hooks")
    }

    @Test func `The goal that says so is primary, not the first`() throws {
        var second = Self.revenue.object ?? [:]
        second["primary"] = true
        let goals = try read(["goals": [Self.bought, .object(second)]]).recipe?.goals
        #expect(goals?.goals.map(\.isPrimary) == [false, true])
    }

    @Test func `A recipe without goals has none`() throws {
        let silent: [JSONObject] = [[:], ["goals": nil], ["goals": []], ["goals": [], "guards": []]]
        for members in silent {
            let (recipe, findings) = try read(members)
            #expect(recipe != nil && recipe?.goals == nil && findings.faults.isEmpty)
        }
    }

    @Test func `Members of other types are faults`() throws {
        #expect(try faults(["goals": [:]]) == ["type /goals"])
        #expect(try faults(["goals": [5]]) == ["type /goals/0"])
        #expect(try faults(["goals": [Self.bought], "guards": "g"]) == ["type /guards"])
        #expect(try faults(["goals": [Self.bought], "guards": [true]]) == ["type /guards/0"])
        #expect(try faults(["goals": [Self.bought], "notify": []]) == ["type /notify"])
    }

    @Test func `There are at most 8 goals and 8 guards`() throws {
        func goals(_ count: Int) -> JSONValue {
            .array((0..<count).map { ["name": .string("g\($0)"), "event": "e", "counts": "converted"] })
        }
        func guards(_ count: Int) -> JSONValue {
            .array((0..<count).map { _ in ["goal": "g0", "worse_than": 0.1] })
        }
        #expect(try faults(["goals": goals(8), "guards": guards(8)]) == [])
        #expect(try faults(["goals": goals(9), "guards": guards(9)]) == ["range /goals", "range /guards"])
    }

    @Test func `Names and the primary goal are there once`() throws {
        var (first, second) = (Self.bought.object ?? [:], Self.annoyed.object ?? [:])
        (first["primary"], second["primary"], second["name"]) = (true, true, "bought")
        #expect(
            try faults(["goals": [.object(first), .object(second)]])
                == ["duplicate /goals/1/name", "duplicate /goals/1/primary"])
    }

    @Test(
        arguments: [
            (["property": "price"], ["reference /goals/0/property"]),
            (["property": "currency"], ["reference /goals/0/property"]),
            (["event": "opened"], ["reference /goals/0/property"]),
            (["event": "closed"], ["reference /goals/0/property"]),
            (["event": "closed", "property": nil], []),
            (["property": "price", "cap": 0], ["range /goals/0/cap", "reference /goals/0/property"]),
            (["event": ["message": "clicked"]], ["exclusive /goals/0/property"]),
            (["counts": "converted"], ["exclusive /goals/0/cap", "exclusive /goals/0/property"]),
            (["name": nil, "x": 1], ["required /goals/0/name", "unknown_key /goals/0/x"]),
        ] as [(JSONObject, [String])])
    func `Each member of a goal is checked`(_ changes: JSONObject, _ expected: [String]) throws {
        #expect(try faults(ofGoal: changes) == expected)
    }

    @Test(
        arguments: [
            (["goal": "gone", "worse_than": 1], ["reference /guards/0/goal"]),
            (["goal": "bought", "worse_than": 1, "branch": "plain"], ["reference /guards/0/branch"]),
            (["goal": "bought", "worse_than": 1, "branch": "gone"], ["reference /guards/0/branch"]),
            (
                ["goal": "gone", "worse_than": 1, "branch": "gone", "x": 1],
                ["reference /guards/0/branch", "reference /guards/0/goal", "unknown_key /guards/0/x"]
            ),
            (["goal": "bought"], ["required /guards/0/worse_than"]),
            (["goal": "bought", "worse_than": 1, "worse_by": 1], ["exclusive /guards/0/worse_by"]),
        ] as [(JSONValue, [String])])
    func `Each member of a guard is checked`(_ bound: JSONValue, _ expected: [String]) throws {
        #expect(try faults(["goals": [Self.bought], "guards": [bound]]) == expected)
    }

    @Test func `The control is the reference branch, or the first one`() throws {
        let bound: JSONValue = ["goal": "bought", "worse_by": 1, "branch": "short"]
        let members: JSONObject = ["goals": [Self.bought], "guards": [bound], "referenceBranch": "short"]
        #expect(try faults(members) == ["reference /guards/0/branch"])
        var first = bound.object ?? [:]
        first["branch"] = "plain"
        #expect(try faults(["goals": [Self.bought], "guards": [.object(first)], "referenceBranch": "short"]) == [])
    }

    @Test func `Guards need goals`() throws {
        #expect(try faults(["guards": [["goal": "bought", "worse_by": 1]]]) == ["required /goals"])
        #expect(try faults(["goals": [], "guards": [["goal": "bought", "worse_by": 1]]]) == ["required /goals"])
    }

    @Test func `Goals need two branches`() throws {
        let few: [JSONValue] = [
            [["slug": "a", "ratio": 1]], [["slug": "a", "ratio": 1], ["slug": "a", "ratio": 1]],
        ]
        for branches in few {
            #expect(try faults(["goals": [Self.bought], "branches": branches]) == ["goals_branches /goals"])
        }
    }

    @Test(
        arguments: [
            ["messages": [:]], ["kind": "questionnaire", "name": "Q", "schema": ["version": 1, "questions": []]],
            ["kind": "survey", "questions": []], ["kind": "flow", "steps": []],
        ] as [JSONObject])
    func `Other recipes have no goals`(_ recipe: JSONObject) throws {
        func faults(_ goals: JSONValue) throws -> [String] {
            var document = recipe
            document["goals"] = goals
            let findings = Findings()
            _ = Recipe.read(
                .object(document), slug: "e", revision: 1, manifest: try Sample.manifest(), findings: findings)
            #expect(findings.warningLocations == findings.warningLocations.filter { $0 == "goals_branches /goals" })
            findings.settle()
            return findings.faultLocations
        }
        #expect(try faults([Self.bought]) == ["goals_branches /goals"])
        #expect(try faults([]) == [])
    }

    @Test func `The address of notifications is checked`() throws {
        func faults(_ notify: JSONValue) throws -> [String] {
            try self.faults(["goals": [Self.bought], "notify": notify])
        }
        #expect(try faults(["url": "ftp://a.example"]) == ["url /notify/url"])
        #expect(try faults([:]) == ["required /notify/url"])
        #expect(
            try faults(["url": "https://a.example", "secret_name": 5, "when": true])
                == ["type /notify/secret_name", "unknown_key /notify/when"])
    }

    @Test func `All faults of a document are told at once`() throws {
        #expect(
            try faults([
                "schemaVersion": 5, "goals": [["name": "A"]], "guards": [["goal": "b", "worse_than": -1]],
            ]) == [
                "identifier /goals/0/name", "range /guards/0/worse_than", "reference /guards/0/goal",
                "required /goals/0/counts", "required /goals/0/event", "type /schemaVersion",
            ])
    }

    @Test func `A stored recipe with faults is served without goals`() throws {
        let (recipe, findings) = try read(["goals": [Self.bought, Self.bought]], isStored: true)
        #expect(recipe != nil && recipe?.goals == nil)
        #expect(findings.faults.isEmpty && findings.warningLocations == ["duplicate /goals/1/name"])
    }
}
