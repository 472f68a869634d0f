import Testing

@testable import BellwetherJSON

/// The known key that an author may have meant (docs/findings.md#keys-of-other-formats).
@Suite struct NearestKeyTests {
    private static let known = [
        "show_if", "show_label", "max_user_turns", "launches", "days_since_first_launch", "title", "$title", "text",
        "cooldown_seconds",
    ]

    @Test(
        arguments: [
            ("showif", "show_if"), ("showIf", "show_if"), ("show-if", "show_if"), ("launchs", "launches"),
            ("daysSinceFirstLaunch", "days_since_first_launch"), ("tittle", "title"), ("titel", "title"),
            ("max_turns", "max_user_turns"), ("turns", "max_user_turns"), ("texts", "text"), ("colour", nil),
            ("cooldown_days", "cooldown_seconds"), ("ok_days", nil),
            ("x", nil), ("launches_at_least", "launches"), ("minutes_since_launches", "launches"),
            ("", nil), (String(repeating: "title", count: 1000), nil),
        ] as [(String, String?)])
    func `The nearest key is found`(_ key: String, _ expected: String?) {
        #expect(NearestKey.to(key, among: Self.known) == expected)
    }

    @Test func `A slip is one character`() {
        #expect(NearestKey.to("tittle", among: Self.known, isSlip: true) == "title")
        #expect(NearestKey.to("max_turns", among: Self.known, isSlip: true) == nil)
        #expect(NearestKey.to("tex", among: Self.known, isSlip: true) == nil)
    }

    @Test func `Of two letters none is a slip`() {
        #expect(NearestKey.to("is", among: ["id", "op"]) == nil)
        #expect(NearestKey.to("ID", among: ["id"]) == "id" && NearestKey.to("idd", among: ["id"]) == "id")
    }

    @Test func `Of equally near keys the first in order is taken`() {
        #expect(NearestKey.to("abcdez", among: ["abcdey", "abcdex"]) == "abcdex")
    }
}
