import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import TestSupport

/// Random recipes over a few triggers. Some triggers depend on the context, some on the client, some on the clock.
struct CatalogGenerator {
    static let surfaces = ["microsurvey", "new-tab-card"]
    static let triggers: JSONObject = [
        "ADULT": "age >= 18", "MUENCHEN": "city == 'München'", "DEFAULT": "is_default_browser", "ERROR": "nothing == 1",
        "NUMBER": "age", "VIEWED": "'x'|eventSum('Weeks', 1, 0) >= 2", "SEEN": "'x'|eventLastSeen('Days') < 3",
        "EITHER": "age > 30 || 'x'|eventSum('Days', 7, 0) > 0", "LATER": "current_date > 1773200000",
        "BOTH": "'x'|eventSum('Years', 1) > 0 && 'y'|eventSum('Hours', 40) > 0",
        "UNSEEN": "'y'|eventSum('Days', 9) == 0",
        "LATER_Y": "'y'|eventLastSeen('Hours') < 99 && current_date > 1773200000",
        "MINE": "[nimbus_id, 'n']|bucketSample(0, 5000, 10000)", "THERE": "'e' in enrollments",
    ]

    var random: SeededGenerator

    mutating func recipe() -> JSONValue {
        var messages = JSONObject()
        var styles = JSONObject()
        for _ in 0..<Int.random(in: 1...14, using: &random) {
            let key = "m\(Int.random(in: 0..<20, using: &random))"
            let style = "S\(Int.random(in: 0..<4, using: &random))"
            styles[style] = [
                "priority": .integer(Int64.random(in: 49...51, using: &random)),
                "max-display-count": .integer(Int64.random(in: 0...3, using: &random)),
            ]
            var message: JSONObject = [
                "text": "t", "style": .string(style), "trigger-if-all": names(upTo: 3), "except-if-any": names(upTo: 2),
                "surface": .string(Self.surfaces.randomElement(using: &random) ?? ""),
            ]
            if Int.random(in: 0..<4, using: &random) == 0 { message["is-control"] = true }
            if Int.random(in: 0..<8, using: &random) == 0 { message["trigger-if-all"] = ["BOGUS"] }
            messages[key] = .object(message)
        }
        let onControl: JSONValue = Bool.random(using: &random) ? "show-none" : "show-next-message"
        return [
            "messages": .object(messages), "styles": .object(styles), "triggers": .object(Self.triggers),
            "on-control": onControl,
        ]
    }

    private mutating func names(upTo count: Int) -> JSONValue {
        // ALWAYS is repeated so that most messages are eligible, and ranks matter.
        let pool = Self.triggers.keys + ["ALWAYS", "ALWAYS", "ALWAYS", "ALWAYS", "NEVER"]
        return .array(
            (0..<Int.random(in: 0...count, using: &random)).map { _ in .string(pool.randomElement(using: &random) ?? "")
            })
    }

    mutating func context() -> TargetingContext {
        var attributes: [String: JSONValue] = [:]
        if Bool.random(using: &random) { attributes["age"] = .integer(Int64.random(in: 10...40, using: &random)) }
        if Bool.random(using: &random) { attributes["city"] = ["München", "Bern"].randomElement(using: &random) }
        if Bool.random(using: &random) { attributes["is_default_browser"] = .bool(Bool.random(using: &random)) }
        return Sample.context(attributes)
    }

    mutating func client() -> (id: String, state: ClientState) {
        var state = ClientState()
        for number in 0..<20 where Int.random(in: 0..<3, using: &random) == 0 {
            state.ledger["m\(number)"] = LedgerEntry(
                message: "m\(number)", displayCount: UInt32.random(in: 0...3, using: &random),
                dismissals: Int.random(in: 0..<6, using: &random) == 0 ? 1 : 0,
                isClicked: Int.random(in: 0..<6, using: &random) == 0,
                isExpired: Int.random(in: 0..<6, using: &random) == 0)
        }
        for event in ["x", "y"] where Bool.random(using: &random) {
            let ago = Int64.random(in: 0...1_000_000, using: &random)
            _ = state.behavior.recordPast(
                Identifier(event), count: UInt64.random(in: 1...3, using: &random),
                at: Sample.now.adding(seconds: -ago),
                now: Sample.now)
        }
        return ("client-\(UInt16.random(in: 0...(.max), using: &random))", state)
    }
}
