import BellwetherJSON
import Surveys
import Testing

/// The `version_` operators have the order of `versionCompare` (docs/reference/surveys.md#conditions).
@Suite struct VersionConditionTests {
    /// Versions in ascending order; those on one line are equal.
    private static let ladder = [
        ["1.9"], ["2.0b3"], ["2.0-alpha"], ["2.0-beta"], ["2.0.0-alpha"], ["2", "2.0", "2.0.0"], ["2.0.1"], ["2.10pre"],
        ["2.10"], ["3.0.0-beta"], ["3.0.0"], ["20261126.123456789012"],
    ]

    private static let operators: [(String, @Sendable (Int) -> Bool)] = [
        ("version_gt", { $0 > 0 }), ("version_gte", { $0 >= 0 }), ("version_lt", { $0 < 0 }),
        ("version_lte", { $0 <= 0 }), ("version_eq", { $0 == 0 }),
    ]

    private func holds(_ word: String, _ own: String, _ other: String) -> JSONValue? {
        ConditionBatch.answer([
            "dialect": "core", "condition": ["op": .string(word), "ref": "attr.v", "value": .string(other)],
            "facts": ["attributes": ["v": .string(own)]],
        ]).object?["value"]
    }

    @Test func `Prereleases come before their version and after the one before`() {
        for (low, lower) in Self.ladder.enumerated() {
            for (high, higher) in Self.ladder.enumerated() {
                for (word, isMeant) in Self.operators {
                    let order = low == high ? 0 : low < high ? -1 : 1
                    for (own, other) in lower.flatMap({ own in higher.map { (own, $0) } }) {
                        #expect(holds(word, own, other) == .bool(isMeant(order)), "\(own) \(word) \(other)")
                    }
                }
            }
        }
    }

    @Test(arguments: ["1.\u{E9}", "99999999999999999999"]) func `What is no version makes each test false`(
        _ text: String
    ) {
        for (word, _) in Self.operators { #expect(holds(word, text, "2.0") == false) }
    }
}
