import Testing

@testable import BellwetherSettings

/// Flags override the environment, which overrides the file, which overrides the defaults
/// (docs/reference/http-api.md#the-command-serve).
@Suite struct SettingsLayersTests {
    @Test func `Each layer overrides those below it`() {
        let environment = ["BELLWETHER_HTTP_PORT": "2", "BELLWETHER_DATA": "b"]
        let file: [String: SettingValue] = ["http.port": .number(1), "data": .text("a"), "apps": .text("file")]
        let layers = SettingsLayers(flags: ["http.port": .number(3)], environment: environment, file: file)
        #expect(layers.number("http.port") == 3)
        #expect(layers.text("data") == "b")
        #expect(layers.text("apps") == "file")
        #expect(layers.text("http.host") == "127.0.0.1")
    }

    @Test func `Development has defaults of its own`() {
        #expect(SettingsLayers(isOpen: true).number("results.minimum_cell") == 1)
        #expect(SettingsLayers().number("results.minimum_cell") == 5)
        let file: [String: SettingValue] = ["results.minimum_cell": .number(7)]
        #expect(SettingsLayers(file: file, isOpen: true).number("results.minimum_cell") == 7)
    }

    @Test(arguments: [
        ("true", true), ("YES", true), ("1", true), ("False", false), ("no", false), ("0", false), ("perhaps", nil),
        ("", nil),
    ])
    func `A variable is true or false`(text: String, expected: Bool?) {
        #expect(
            SettingsLayers(environment: ["BELLWETHER_TELEMETRY_BEHAVIOR": text]).flag("telemetry.behavior") == expected)
    }

    /// A value of the wrong type hides the value below it: it is a fault, and the file does not decide.
    @Test(arguments: ["none", "", " 5", "1.5", "70000", "-1"])
    func `A variable that is no number of the range is no value`(text: String) {
        let layers = SettingsLayers(environment: ["BELLWETHER_HTTP_PORT": text], file: ["http.port": .number(1)])
        #expect(layers.number("http.port") == nil)
    }

    @Test func `A variable lists texts, and mappings are lists`() {
        let layers = SettingsLayers(
            environment: ["BELLWETHER_PUBLIC": " hosted , web,", "BELLWETHER_WEBHOOKS_SECRETS": "a=b=c,d"],
            file: ["web.identity_secrets": .pairs(["b": "2", "a": "1"])])
        #expect(layers.texts("public") == ["hosted", "web", ""])
        #expect(layers.texts("web.identity_secrets") == ["a=1", "b=2"])
        let secrets = layers.secrets("webhooks.secrets")
        #expect(secrets?.map { $0?.name } == ["a", nil])
        #expect(secrets?.first??.secret == SecretSetting("b=c"))
        #expect(SettingsLayers().secrets("webhooks.secrets")?.isEmpty == true)
    }

    @Test func `Every setting has a default of its type`() {
        let layers = SettingsLayers()
        for entry in SettingsTable.entries {
            switch entry.defaultValue {
            case .number: #expect(layers.number(entry.key) != nil, "\(entry.key)")
            case .flag: #expect(layers.flag(entry.key) != nil, "\(entry.key)")
            case .text: #expect(layers.text(entry.key) != nil, "\(entry.key)")
            case .texts, .pairs: #expect(layers.texts(entry.key) != nil, "\(entry.key)")
            case .secrets: #expect(layers.secrets(entry.key) != nil, "\(entry.key)")
            }
        }
    }
}
