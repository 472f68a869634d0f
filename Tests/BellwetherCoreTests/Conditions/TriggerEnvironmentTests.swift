import BellwetherBase
import BellwetherCore
import BellwetherJSON
import JEXL
import Samples
import Testing

/// The values that a trigger can read from a client.
@Suite struct TriggerEnvironmentTests {
    private func value(
        _ expression: String, attributes: [String: JSONValue] = [:], clientID: Identifier? = "c-1"
    ) throws -> JSONValue {
        var behavior = BehaviorHistory()
        behavior.record("homepage_viewed", count: 2, at: Sample.now)
        let environment = TriggerEnvironment(
            context: Sample.context(attributes), clientID: clientID, behavior: behavior,
            branches: try SampleExperiment.branches(["a": "x", "b": "y"]),
            now: Sample.now)
        return try CompiledExpression(expression).evaluate(in: environment)
    }

    @Test(
        arguments: [
            ("current_date", .integer(Sample.now.seconds)), ("nimbus_id", "c-1"), ("user_id", "c-1"),
            ("is_already_enrolled", false), ("enrollments", ["a", "b"]), ("active_experiments", ["a", "b"]),
            ("enrollments_map", ["a": "x", "b": "y"]), ("'b' in enrollments", true), ("enrollments_map.a == 'x'", true),
            ("os", nil), ("'homepage_viewed'|eventSum('Years', 4, 0) >= 2", true),
            ("'nothing'|eventLastSeen('Days') > 100", true),
            // The result depends on SHA-256 (docs/reference/experiments.md#bucketing).
            ("0|bucketSample(1.1, 1000, 1000)", true), ("0|bucketSample(0, 1.1, 1000)", false),
        ] as [(String, JSONValue)])
    func value(_ expression: String, _ expected: JSONValue) throws {
        #expect(try value(expression) == expected)
    }

    @Test func whatTheClientSendsWins() throws {
        #expect(try value("nimbus_id", attributes: ["nimbus_id": "other"]) == "other")
        #expect(try value("enrollments", attributes: ["enrollments": ["z"]]) == ["z"])
        #expect(try value("current_date", attributes: ["current_date": 5]) == 5)
    }

    @Test func withoutAClientThereIsNoId() throws {
        #expect(try value("nimbus_id", clientID: nil) == .null)
    }

    @Test func otherNamesAreUndefined() {
        #expect(throws: JEXLError.self) { try value("homepage_views") }
    }
}
