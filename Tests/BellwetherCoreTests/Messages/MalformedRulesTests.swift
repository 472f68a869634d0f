import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// Malformed messages (docs/reference/messaging.md#malformed-messages): the reasons in their order, in both dialects.
@Suite struct MalformedRulesTests {
    /// A message that breaks every rule; the faults are then fixed one by one.
    private static let broken: JSONObject = [
        "text": "", "action": "FOO", "style": "NOPE", "trigger-if-all": ["ALWAYS", "BOGUS"],
        "except-if-any": ["NEVER", "BOGUS2"], "surface": "microsurvey",
    ]

    private static let mending: [(fix: (String, JSONValue), reason: Malformation?)] = [
        (("x", 0), .emptyText), (("text", "t"), .unknownAction("FOO")), (("action", "OPEN"), .unknownStyle("NOPE")),
        (("style", "DEFAULT"), .unknownTrigger("BOGUS")), (("trigger-if-all", []), .unknownExclusion("BOGUS2")),
        (("except-if-any", []), nil),
    ]

    private func catalog(_ message: JSONObject, _ dialect: Dialect) throws -> Catalog {
        let manifest = try Sample.manifest(messaging: ["actions": ["OPEN": "://open"]], dialect: dialect)
        return try Sample.catalog(["e": ["messages": ["m": .object(message)]]], in: manifest)
    }

    private func reason(_ message: JSONObject, _ dialect: Dialect = .ios) throws -> Malformation? {
        let catalog = try catalog(message, dialect)
        #expect(catalog.messages.count + catalog.malformed.count == 1)
        return catalog.malformed.first?.reason
    }

    @Test(arguments: Dialect.allCases, mending.indices)
    func firstBrokenRuleIsTheReason(_ dialect: Dialect, _ mended: Int) throws {
        var message = Self.broken
        for (fix, _) in Self.mending[...mended] { message[fix.0] = fix.1 }
        #expect(try reason(message, dialect) == Self.mending[mended].reason)
    }

    @Test(arguments: Dialect.allCases)
    func controlsSkipTextAndAction(_ dialect: Dialect) throws {
        var message = Self.broken
        message["is-control"] = true
        #expect(try reason(message, dialect) == .unknownStyle("NOPE"))
        message["style"] = "DEFAULT"
        #expect(try reason(message, dialect) == .unknownTrigger("BOGUS"))
        message["trigger-if-all"] = []
        #expect(try reason(message, dialect) == .unknownExclusion("BOGUS2"))
        message["except-if-any"] = []
        #expect(try reason(message, dialect) == nil)
    }

    @Test(arguments: [
        ("", true, true), (" ", false, true), ("\n\t\u{A0}\u{3000}", false, true), ("\r\n", false, true),
        ("x", false, false), (" x ", false, false), ("\u{200B}", false, false),
    ])
    func emptyText(_ text: String, _ onIOS: Bool, _ onAndroid: Bool) throws {
        let message: JSONObject = ["text": .string(text), "action": "OPEN"]
        #expect(try (reason(message, .ios) == .emptyText) == onIOS)
        #expect(try (reason(message, .android) == .emptyText) == onAndroid)
    }

    @Test func missingTextIsEmpty() throws { #expect(try reason([:]) == .emptyText) }

    @Test(
        arguments: [
            ("OPEN", "OPEN", "://open", true), ("https://x.org/", nil, "https://x.org/", false),
            ("://deep", nil, "://deep", false), ("x://", nil, "x://", false), ("NOTHING", nil, nil, false),
            ("https:/x.org", nil, nil, false), ("", nil, nil, false), ("NO_URL", nil, nil, true),
        ] as [(String, String?, String?, Bool)])
    func actionRule(_ action: String, _ name: String?, _ url: String?, _ isKnownOnAndroid: Bool) throws {
        let actions: JSONValue = ["actions": ["OPEN": "://open", "NO_URL": "nothing"]]
        let recipe: JSONValue = ["messages": ["m": ["text": "t", "action": .string(action)]]]
        let ios = try Sample.catalog(["e": recipe], in: try Sample.manifest(messaging: actions))
        #expect(ios.message("m")?.action?.name == name.map { Identifier($0) } && ios.message("m")?.action?.url == url)
        #expect((ios.malformed.first?.reason == .unknownAction(Identifier(action))) == (url == nil))
        let android = try Sample.catalog(["e": recipe], in: try Sample.manifest(messaging: actions, dialect: .android))
        #expect((android.message("m") != nil) == isKnownOnAndroid)
    }

    @Test func withoutActionThereIsNone() throws {
        #expect(try catalog(["text": "t"], .ios).message("m")?.action == nil)
        #expect(try catalog(["text": "t"], .android).message("m")?.action?.name == "OPEN_URL")
        #expect(try catalog(["text": "t", "action": nil], .android).message("m")?.action?.name == "OPEN_URL")
    }

    @Test func jexlIsNotLookedAt() throws {
        let manifest = try Sample.manifest(messaging: ["triggers": ["T": "nonsense|foo(1)"]])
        let catalog = try Sample.catalog(
            ["e": ["messages": ["m": ["text": "t", "trigger-if-all": ["T"]]]]], in: manifest)
        #expect(catalog.malformed.isEmpty)
    }

    @Test func malformedOnesStandByKey() throws {
        let catalog = try Sample.catalog(messages: ["b": ["text": ""], "a": ["text": ""], "Z": ["style": "NOPE"]])
        #expect(catalog.malformed.map(\.facts.key) == ["Z", "a", "b"])
        #expect(catalog.malformed.map(\.priority) == [nil, 50, 50])
    }
}
