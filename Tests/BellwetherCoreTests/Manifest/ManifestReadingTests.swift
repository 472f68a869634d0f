import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// The manifest (docs/reference/http-api.md#manifest): its required fields, their types, and the defaults of the
/// others.
@Suite struct ManifestReadingTests {
    private func faults(_ document: JSONValue) -> [String] {
        let findings = Findings()
        let manifest = Manifest.read(document, findings: findings)
        #expect((manifest == nil) == !findings.faults.isEmpty)
        return findings.faultLocations
    }

    @Test(arguments: ["app_name", "default_locale", "surfaces"])
    func requiredField(_ key: String) {
        #expect(faults(Sample.document([key: .null])) == ["required /\(key)"])
        #expect(faults(Sample.document([key: 5])) == ["type /\(key)"])
        var document = Sample.fields
        document[key] = .some(.null)
        #expect(faults(.object(document)) == ["type /\(key)"])
    }

    @Test func allFaultsAreFoundAtOnce() {
        #expect(faults([:]) == ["required /app_name", "required /default_locale", "required /surfaces"])
        #expect(faults(["app_name": true, "surfaces": "x"]).count == 3)
    }

    @Test(arguments: [JSONValue.array([]), "text", 1, true, nil])
    func notAnObject(_ document: JSONValue) { #expect(faults(document) == ["type "]) }

    @Test(
        arguments: [
            ("channel", 1, "type /channel"), ("short_name", [], "type /short_name"),
            ("deep_link_scheme", "a b", "scheme /deep_link_scheme"),
            ("deep_link_scheme", "fennec://", "scheme /deep_link_scheme"),
            ("deep_link_scheme", "9x", "scheme /deep_link_scheme"),
            ("deep_link_scheme", "", "scheme /deep_link_scheme"),
            ("default_locale", "", "locale /default_locale"), ("default_locale", "en US", "locale /default_locale"),
            ("dialect", "desktop", "choice /dialect"), ("dialect", 1, "type /dialect"),
            ("attributes", [], "type /attributes"), ("attributes", ["x": "text"], "choice /attributes/x"),
            ("attributes", ["x": 1], "type /attributes/x"), ("surfaces", ["a", 5], "type /surfaces/1"),
            ("surfaces", [""], "length /surfaces/0"), ("surfaces", ["a", "a"], "duplicate /surfaces"),
            ("app_id", 5, "type /app_id"), ("application_ids", "x", "type /application_ids"),
            ("application_ids", [5], "type /application_ids/0"), ("collections", [[]], "type /collections/0"),
            ("messaging", [], "type /messaging"), ("privacy", "x", "type /privacy"),
        ] as [(String, JSONValue, String)])
    func faultyField(_ key: String, _ value: JSONValue, _ expected: String) {
        #expect(faults(Sample.document([key: value])).first == expected)
    }

    @Test(arguments: ["application_ids", "collections"])
    func anAppHasAHundredNamesAtMost(_ key: String) {
        let names = (0..<101).map { JSONValue.string("name-\($0)") }
        #expect(faults(Sample.document([key: .array(names)])) == ["too_many /\(key)"])
        #expect(faults(Sample.document([key: .array(Array(names.dropLast()))])) == [])
    }

    @Test(arguments: ["base", "path", "fallback"])
    func privacyField(_ key: String) throws {
        var privacy = try #require(Sample.fields["privacy"]?.object)
        privacy[key] = 5
        #expect(faults(Sample.document(["privacy": .object(privacy)])) == ["type /privacy/\(key)"])
        privacy[key] = nil
        #expect(faults(Sample.document(["privacy": .object(privacy)])) == ["required /privacy/\(key)"])
    }

    @Test func `An attribute of the SDK with another type is reported`() throws {
        func warnings(_ attributes: JSONValue) -> [String] {
            let findings = Findings()
            _ = Manifest.read(Sample.document(["attributes": attributes]), findings: findings)
            return findings.warningLocations
        }
        for (name, type) in SDKAttributes.types {
            #expect(warnings(.object([name: .string(type.rawValue)])).isEmpty)
            let other = type == .number ? "string" : "number"
            #expect(warnings(.object([name: .string(other)])) == ["type_mismatch /attributes/\(name)"])
        }
        #expect(warnings(["plan": "number"]).isEmpty)
    }

    @Test func defaults() throws {
        let manifest = try #require(
            Manifest.read(
                ["app_name": "bare", "default_locale": "de", "surfaces": ["a"]], findings: Findings()))
        #expect(manifest.shortName == "bare")
        #expect(manifest.dialect == .ios)
        #expect(manifest.channel == nil)
        #expect(manifest.deepLinkScheme == nil)
        #expect(manifest.privacy == nil)
        #expect(manifest.identity.collections == ["nimbus-mobile-experiments"])
        #expect(manifest.attributes == SDKAttributes.types)
        #expect(manifest.messaging.isEmpty)
        #expect(
            JSONValue.object(manifest.baseMessaging) == [
                "triggers": ["ALWAYS": "true", "NEVER": "false"],
                "styles": ["DEFAULT": ["priority": 50, "max-display-count": 5]], "on-control": "show-next-message",
            ])
    }

    @Test func androidLandsItsOpenURL() throws {
        let manifest = try Sample.manifest(messaging: [:], dialect: .android)
        #expect(manifest.baseMessaging["actions"] == ["OPEN_URL": "://open"])
    }

    @Test func messagingLiesOverBuiltIns() throws {
        let manifest = try Sample.manifest(messaging: [
            "triggers": ["NEVER": nil, "MORE": "age > 1"], "styles": ["DEFAULT": ["priority": 7]],
            "on-control": "show-none",
        ])
        #expect(
            JSONValue.object(manifest.baseMessaging) == [
                "triggers": ["ALWAYS": "true", "MORE": "age > 1"],
                "styles": ["DEFAULT": ["priority": 7, "max-display-count": 5]], "on-control": "show-none",
            ])
    }

    @Test func wrongTypesInMessagingLeaveBuiltIns() throws {
        let findings = Findings()
        let manifest = try #require(
            Manifest.read(
                Sample.document([
                    "messaging": ["triggers": 5, "styles": ["DEFAULT": 1], "on-control": "sometimes", "messages": []]
                ]), findings: findings))
        #expect(
            manifest.baseMessaging["triggers"] == ["ALWAYS": "true", "NEVER": "false"]
                && manifest.baseMessaging["on-control"] == "show-next-message")
        #expect(
            findings.warningLocations == [
                "type /messaging/triggers", "type /messaging/styles/DEFAULT", "choice /messaging/on-control",
                "type /messaging/messages",
            ])
    }

    @Test func unknownFieldsAreWarnings() throws {
        let findings = Findings()
        _ = try #require(
            Manifest.read(Sample.document(["bucket": 1, "messaging": ["mesages": [:]]]), findings: findings))
        #expect(findings.warningLocations == ["unknown_key /bucket", "unknown_key /messaging/mesages"])
    }

    @Test func expressionsMustParse() {
        #expect(
            faults(Sample.document(["messaging": ["triggers": ["T": "1 +", "U": "true"]]]))
                == ["jexl_parse /messaging/triggers/T"])
    }
}
