import BellwetherJSON
import Samples
import TestSupport

@testable import BellwetherCore

/// Random catalogs whose messages need events, attributes and branches, and clients that have some of them.
struct IndexedCatalogGenerator {
    static let surfaces = ["microsurvey", "homescreen", uniform]
    /// A surface on which no message needs an event, though some conditions read events.
    static let uniform = "notification"
    private static let undemanding: JSONObject = [
        "SELDOM": "'e0'|eventSum('Years', 4) < 2", "NEVER_OR": "age >= 18 || 'e1'|eventSum('Years', 4) == 0",
        "ADULT": "age >= 18", "LATER": "current_date > 1773200000", "IN_X": "'x' in enrollments",
    ]
    private static let events = (0..<7).map { "e\($0)" }
    private static let triggerCount = 24

    var random: SeededGenerator

    /// A recipe for all clients, and two experiments with branches that change messages, triggers and the on-control
    /// rule.
    mutating func catalog() throws -> Catalog {
        let manifest = try Sample.manifest()
        var recipes = [try Sample.recipe(value(messages: 160, isWhole: true), slug: "all", in: manifest)]
        for slug in ["x", "y"] {
            let branches = (0..<2).map { branch -> JSONValue in
                [
                    "slug": .string("b\(branch)"), "ratio": 1,
                    "features": [["featureId": "messaging", "value": value(messages: 6, isWhole: false)]],
                ]
            }
            let document = SampleExperiment.document(["branches": .array(branches)], slug: Identifier(slug))
            recipes.append(try Sample.recipe(document, slug: slug, in: manifest))
        }
        return Sample.catalog(recipes, in: manifest)
    }

    private mutating func value(messages count: Int, isWhole: Bool) -> JSONValue {
        var triggers = JSONObject()
        var formulas = RandomTrigger(random: random, events: Self.events)
        for number in 0..<(isWhole ? Self.triggerCount : 2) {
            triggers["T\(number)"] = .string(formulas.text(depth: Int.random(in: 0...3, using: &formulas.random)))
        }
        for (number, event) in Self.events.enumerated() where isWhole {
            triggers["HAD_\(event)"] = .string("'\(event)'|eventSum('Years', 4) > \((number + 1) % 3)")
        }
        random = formulas.random
        if isWhole { for (name, source) in Self.undemanding { triggers[name] = source } }
        var styles = JSONObject()
        for number in 0..<4 where isWhole || Bool.random(using: &random) {
            styles["S\(number)"] = [
                "priority": .integer(Int64.random(in: 49...51, using: &random)),
                "max-display-count": .integer(Int64.random(in: 0...3, using: &random)),
            ]
        }
        var messages = JSONObject()
        for _ in 0..<count { messages["m\(Int.random(in: 0..<200, using: &random))"] = message() }
        var value: JSONObject = [
            "messages": .object(messages), "triggers": .object(triggers), "styles": .object(styles),
        ]
        if isWhole || Bool.random(using: &random) {
            value["on-control"] = Bool.random(using: &random) ? "show-none" : "show-next-message"
        }
        return .object(value)
    }

    private mutating func message() -> JSONValue {
        let surface = Self.surfaces.randomElement(using: &random) ?? ""
        let isUniform = surface == Self.uniform
        let undemanding = JSONValue.string(Self.undemanding.keys.randomElement(using: &random) ?? "")
        return [
            "text": "t", "style": .string("S\(Int.random(in: 0..<4, using: &random))"), "surface": .string(surface),
            "is-control": .bool(Int.random(in: 0..<5, using: &random) == 0),
            "trigger-if-all": isUniform ? [undemanding] : names(upTo: 2),
            "except-if-any": isUniform ? (Bool.random(using: &random) ? ["ADULT"] : []) : names(upTo: 1),
        ]
    }

    private mutating func names(upTo count: Int) -> JSONValue {
        let names = (0..<Int.random(in: 0...count, using: &random)).map { _ -> JSONValue in
            if Bool.random(using: &random) {
                // The lower numbers are more frequent, so that many messages share a trigger.
                let number = (0..<5).map { _ in Int.random(in: 0..<Self.events.count, using: &random) }.min() ?? 0
                return .string("HAD_\(Self.events[number])")
            }
            return .string("T\(Int.random(in: 0..<Self.triggerCount, using: &random))")
        }
        return .array(names)
    }

    mutating func context() -> TargetingContext {
        var attributes: [String: JSONValue] = [:]
        if Bool.random(using: &random) { attributes["age"] = .integer(Int64.random(in: 10...40, using: &random)) }
        if Bool.random(using: &random) { attributes["city"] = ["Bern", "Wien"].randomElement(using: &random) }
        return Sample.context(attributes)
    }

    mutating func state(in catalog: Catalog) -> ClientState {
        var state = ClientState()
        var formulas = RandomTrigger(random: random, events: Self.events + ["unasked", "e\u{301}"])
        state.behavior = formulas.history()
        random = formulas.random
        let enrollments = ["x", "y"].compactMap { slug -> Enrollment? in
            let branch = Int.random(in: 0...2, using: &random)
            return branch == 2
                ? nil : Enrollment(slug: Identifier(slug), status: .enrolled(.qualified, branch: "b\(branch)"))
        }
        state.enrollments = PackedEnrollments(ClientEnrollments(enrollments: enrollments))
        for number in 0..<200 where Int.random(in: 0..<6, using: &random) == 0 {
            state.ledger["m\(number)"] = LedgerEntry(
                message: "m\(number)", displayCount: UInt32.random(in: 0...3, using: &random),
                dismissals: Int.random(in: 0..<4, using: &random) == 0 ? 1 : 0)
        }
        return state
    }
}
