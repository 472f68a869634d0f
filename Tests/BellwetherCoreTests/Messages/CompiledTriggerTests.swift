import BellwetherJSON
import Samples
import Testing

@testable import BellwetherCore

/// The triggers whose value depends only on the context, and not on the client.
@Suite struct CompiledTriggerTests {
    @Test(arguments: [
        ("true", true), ("age > 1 && 'de' in locale", true), ("days_since_install < 7", true), ("nothing", true),
        ("[age, 'n']|bucketSample(0, 1, 2)", true), ("'x'|eventSum('Days', 1, 0) > 0", false),
        ("age|eventLastSeen('Days') > 0", false), ("true || 'x'|eventSum('Days', 1) > 0", false),
        ("current_date > 5", false), ("[nimbus_id, 'n']|bucketSample(0, 1, 2)", false), ("user_id == 'x'", false),
        ("'e' in enrollments", false), ("'e' in active_experiments", false), ("enrollments_map.e == 'x'", false),
        ("is_already_enrolled || age > 1", false), ("1 +", true),
    ])
    func isDecidedByContext(_ source: String, _ expected: Bool) {
        #expect(CompiledTrigger(source).isDecidedByContext == expected)
    }

    @Test(arguments: [("true", TriggerVerdict.holds), ("false", .doesNotHold), ("os == null", .holds)])
    func verdict(_ source: String, _ expected: TriggerVerdict) throws {
        #expect(
            CompiledTrigger(source).verdict(in: Sample.selector(try Sample.catalog(messages: [:])).environment)
                == expected)
    }

    @Test(arguments: ["2.0", "'true'", "null", "nothing", "'a' + 1", "1 +", "[1]|nope"])
    func failure(_ source: String) throws {
        let environment = Sample.selector(try Sample.catalog(messages: [:])).environment
        guard case .failed = CompiledTrigger(source).verdict(in: environment) else {
            Issue.record("\(source) did not fail")
            return
        }
    }
}
