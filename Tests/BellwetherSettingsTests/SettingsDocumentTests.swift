import BellwetherSettings
import Testing

@Suite struct SettingsDocumentTests {
    private func read(_ text: String) -> SettingsDocument { SettingsDocument(Array(text.utf8)) }

    private func faults(_ text: String) -> [String] { read(text).faults.map { "\($0.line): \($0.sentence)" } }

    @Test func `Groups, dotted names, lists and all types are read`() {
        let document = read(
            """
            http: {port: 8_081, host: "::1", trusted_proxies: [10.0.0.0/8, '2001:db8::/48']}
            limits:
              rate:
                token_burst: +5
            limits.rate.client_burst: 6
            telemetry:
              behavior: on
            data: 2026-01-01
            apps:
            cors:
            """)
        #expect(document.faults == [])
        #expect(
            document.values == [
                "http.port": .number(8081), "http.host": .text("::1"),
                "http.trusted_proxies": .texts(["10.0.0.0/8", "2001:db8::/48"]), "limits.rate.token_burst": .number(5),
                "limits.rate.client_burst": .number(6), "telemetry.behavior": .flag(true), "data": .text("2026-01-01"),
            ])
    }

    @Test func `Names with texts are read`() {
        let document = read("web: {identity_secrets: {shop: abc, 'yes': \"12\"}}")
        #expect(document.faults == [])
        #expect(document.values == ["web.identity_secrets": .pairs(["shop": "abc", "yes": "12"])])
        for bad in ["[a]", "{a: [b]}", "{a: 12}", "{a: b, a: c}", "{a=b: c}", "{'': c}", "text", "{a: {value: b}}"] {
            #expect(
                faults("web: {identity_secrets: \(bad)}").first?
                    .hasPrefix("1: web.identity_secrets is not a mapping of names to texts") == true, "\(bad)")
        }
    }

    @Test func `Secrets are texts or say for whom they are`() {
        let document = read(
            """
            webhooks:
              secrets:
                hooks: whsec_Zm9v
                crm: {value: "12", apps: [shop], hosts: [crm.example]}
                bare: {value: x}
                nobody: {value: x, apps: []}
            """)
        #expect(document.faults == [])
        #expect(
            document.values["webhooks.secrets"]
                == .secrets([
                    "hooks": SecretSetting("whsec_Zm9v"),
                    "crm": SecretSetting("12", scope: .init(apps: ["shop"], hosts: ["crm.example"])),
                    "bare": SecretSetting("x", scope: .init(apps: nil, hosts: nil)),
                    "nobody": SecretSetting("x", scope: .init(apps: [], hosts: nil)),
                ]))
        for bad in [
            "[a]", "{a: [b]}", "{a: 12}", "{a: b, a: c}", "{a=b: c}", "{'': c}", "text", "{a: {}}", "{a: {value: 12}}",
            "{a: {value: b, app: [c]}}", "{a: {value: b, apps: c}}", "{a: {value: b, hosts: [1]}}",
            "{a: {value: b, value: c}}", "{a: {apps: [b]}}",
        ] {
            #expect(
                faults("webhooks: {secrets: \(bad)}").first?
                    .hasPrefix("1: webhooks.secrets is not a mapping of names to texts or to mappings of value")
                    == true,
                "\(bad)")
        }
    }

    @Test func `An empty file sets nothing`() {
        for text in ["", "# a comment\n", "---\n", "~", "--- # a comment\n...\n"] {
            #expect(read(text).values == [:])
            #expect(faults(text) == [], "\(text)")
        }
    }

    @Test func `An alias stands for what its anchor marks`() {
        let document = read("limits:\n  events: &n 100\n  event_lines: *n\ncors: {origins: &o [a]}\npublic: *o\n")
        #expect(document.faults == [])
        #expect(document.values["limits.event_lines"] == .number(100))
        #expect(document.values["public"] == .texts(["a"]))
    }

    @Test(
        arguments: [
            (
                "http:\n  port: {{ http_port }}",
                "2: http.port is not a whole number from 0 to 65535, but a mapping (a template that was not rendered?)"
            ),
            ("data: x\n{{ http }}: 1", "2: the name of a setting is a text, not a mapping (a template"),
            ("http:\n  {{ all }}", "2: the name of a setting is a text, not a mapping (a template"),
            ("{{ all }}", "1: the name of a setting is a text, not a mapping (a template"),
            ("[a]: b", "1: the name of a setting is a text, not a list"),
            ("data: x\n? [a]\n: b", "2: the name of a setting is a text, not a list"),
            ("data: {? [a] : b}", "1: data is not a text, but a mapping"),
            ("http:\n  ? {a: b}\n  : c", "2: the name of a setting is a text, not a mapping"),
            ("data: x\nhttp: 8080", "2: http is a group of settings, not a single value"),
            ("http:\n- port", "2: http is a group of settings, not a list"),
            ("\nhttp: {prot: 1}", "2: there is no setting http.prot"),
            ("limits: {<<: {events: 5}}", "1: merge keys (<<) are not supported"),
            ("http: {port: 70000}", "1: http.port is not a whole number from 0 to 65535"),
            ("http: {port: 1:00:00:00:00:00:00:00:00:00:00:00}", "1: http.port is not a whole number from 0 to 65535"),
            ("http: {port: 99999999999999999999}", "1: http.port is not a whole number from 0 to 65535"),
            ("http: {port: 010}", "1: http.port is not a whole number from 0 to 65535"),
            ("http: {port: '80'}", "1: http.port is not a whole number from 0 to 65535"),
            ("data: 7", "1: data is not a text"), ("data: no", "1: data is not a text"),
            ("tokens: [a, [b]]", "1: tokens is not a list of texts, but a list"),
            ("data: !ENV x", "1: the tag !ENV is not supported"),
            ("data: x\ndata: y", "2: data is set twice, first in line 1"),
            ("http: {port: 1}\nhttp.port: 2", "2: http.port is set twice, first in line 1"),
            ("data: x\n---\ndata: y", "2: a second YAML document begins here; a file has one"),
            ("[1, 2]", "1: a settings file is a mapping of settings, not a list"),
            ("data: *a", "1: the alias *a has no anchor before it"),
            ("data: &a [*a]", "1: the alias *a has no anchor before it"),
            ("data: x\na: [", "2: this is not YAML: while parsing a flow node: did not find expected node content"),
            ("data: \"a\u{0}\"", "1: this is not YAML: control characters are not allowed"),
        ])
    func `A fault has its line and a sentence`(_ text: String, _ fault: String) throws {
        let found = faults(text)
        #expect(found.count == 1)
        #expect(try #require(found.first).hasPrefix(fault))
    }

    @Test func `Bytes that are no characters are a fault in their line`() {
        let document = SettingsDocument(Array("data: x\napps: ".utf8) + [0xFF, 0x0A])
        #expect(document.faults.map(\.line) == [2])
    }

    /// The text expands to nine to the ninth power elements if each alias is followed: as a value, as a key, and twice
    /// as one key.
    @Test(arguments: ["tokens: *j", "? *j\n: x", "? [*j, 1]\n: x\n? [*j, 2]\n: y\n? [*j, 1]\n: z\n? [*j, 2]\n: w"])
    func `Aliases that multiply cost no more than their text`(_ use: String) {
        var text = "a: &a [x,x,x,x,x,x,x,x,x]\n"
        for (outer, inner) in zip("bcdefghij", "abcdefghi") {
            text += "\(outer): &\(outer) [\(Array(repeating: "*\(inner)", count: 9).joined(separator: ","))]\n"
        }
        #expect(faults(text + use).count >= 11)
    }

    @Test(arguments: ["[", "{a: ", "- ", "? "])
    func `Deep nesting is a fault`(_ level: String) {
        let text = String(repeating: level, count: 100_000)
        #expect(faults(text) == ["1: the nesting is deeper than 32 levels"])
    }

    @Test func `A large file is not looked at, and many faults are counted`() {
        let large = "data: " + String(repeating: "x", count: SettingsDocument.maximumBytes)
        #expect(faults(large) == ["1: the file has more than 1048576 bytes"])
        let many = read((0..<250).map { "s\($0): 1\n" }.joined())
        #expect(many.faults.count == 100)
        #expect(many.furtherFaults == 150)
    }

    @Test func `A fault repeats names in one short line, and no value`() throws {
        let name = "\"a\\nb\\e[31m\(String(repeating: "n", count: 500))\""
        let fault = try #require(faults("\(name): secret\ndata: [secret]\ntokens: secret").first)
        #expect(fault.count < 150)
        #expect(!fault.contains("\n") && !fault.contains("\u{1B}"))
        #expect(faults("\(name): secret\ndata: [secret]\ntokens: secret").allSatisfy { !$0.contains("secret") })
    }
}
