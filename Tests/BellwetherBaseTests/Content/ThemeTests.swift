import BellwetherBase
import BellwetherJSON
import Testing

/// The members of a theme, and the warnings about it (docs/web.md#theming).
struct ThemeTests {
    private func findings(_ value: JSONValue) -> (faults: [String], warnings: [String]) {
        let findings = Findings()
        _ = Theme(JSONReader(value, findings: findings))
        return (
            findings.faults.map { "\($0.code) \($0.pointer)" }, findings.warnings.map { "\($0.code) \($0.pointer)" }
        )
    }

    @Test func aThemeThatCanBeReadIsTaken() {
        let found = findings([
            "light": ["accent": "#2f6f5e", "ground": "#fffdf8", "text": "#22302b"], "dark": ["accent": "#8fd0b8"],
            "radius": 16, "font": "Georgia, 'Times New Roman', serif",
        ])
        #expect(found.faults == [] && found.warnings == [])
    }

    private static let faulty: [(JSONValue, String)] = [
        (["light": ["accent": "red"]], "color /light/accent"), (["dark": ["ground": "#12345"]], "color /dark/ground"),
        (["light": ["accent": "#１２３"]], "color /light/accent"), (["radius": 41], "range /radius"),
        (["font": "x; background: url(https://e.example)"], "font /font"), (["light": "#fff"], "type /light"),
        (["colour": "#fff"], "unknown_key /colour"), (["light": ["border": "#fff"]], "unknown_key /light/border"),
    ]

    @Test(arguments: faulty)
    func whatIsNoThemeIsAFault(theme: JSONValue, fault: String) {
        #expect((findings(theme).faults + findings(theme).warnings).contains(fault))
    }

    @Test func aTextThatIsHardToReadIsAWarning() {
        let pale: JSONValue = ["light": ["text": "#777", "accent": "#ffd000"], "dark": ["ground": "#777777"]]
        #expect(
            findings(pale).warnings
                == ["contrast /light/text", "contrast /light/accent", "contrast /dark/text", "contrast /dark/accent"])
        // The contrasts are 4.48 and 4.54 to one.
        #expect(findings(["light": ["text": "#777777"]]).warnings == ["contrast /light/text"])
        #expect(findings(["light": ["text": "#767676"]]).warnings == [])
    }

    @Test func aRecipesThemeStandsOverTheManifestsMemberByMember() throws {
        func theme(_ value: JSONValue) throws -> Theme {
            try #require(Theme(JSONReader(value, findings: Findings())))
        }
        let app = try theme(["light": ["accent": "#111111", "text": "#222222"], "radius": 4])
        let own = try theme(["light": ["accent": "#333333"], "font": "Arial"])
        let merged = try #require(Theme.merged(own, over: app))
        #expect(
            merged.document
                == ["light": ["accent": "#333333", "text": "#222222"], "radius": 4, "font": "Arial"])
        #expect(Theme.merged(nil, over: app) == app && Theme.merged(own, over: nil) == own)
        #expect(Theme.merged(nil, over: nil) == nil)
    }
}
