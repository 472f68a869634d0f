import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// The declarations of features in a manifest (docs/reference/features.md#declaring-features).
@Suite struct FeatureDeclarationTests {
    private func findings(_ features: JSONValue) -> (faults: [String], warnings: [String]) {
        let findings = Findings()
        let manifest = Manifest.read(Sample.document(["features": features]), findings: findings)
        #expect((manifest == nil) == !findings.faults.isEmpty)
        return (findings.faultLocations, findings.warningLocations)
    }

    private static func variable(_ type: String, _ value: JSONValue) -> JSONValue {
        ["f": ["variables": ["v": ["type": .string(type), "default": value]]]]
    }

    @Test func `Variables have types, and may have defaults`() throws {
        let manifest = try Sample.manifest([
            "features": [
                "checkout": [
                    "description": "The checkout",
                    "variables": ["steps": ["type": "int", "default": 3], "label": ["type": "string"]],
                ], "search": ["exposure": "on-evaluation", "variables": [:]],
            ]
        ])
        #expect(manifest.features.map(\.id) == ["checkout", "search"])
        #expect(manifest.features.map(\.recordsExposure) == [false, true])
        let variables = try #require(manifest.features.first?.variables)
        #expect(variables.map(\.name) == ["steps", "label"])
        #expect(variables.map(\.type) == [.int, .string])
        #expect(variables.map(\.defaultValue) == [3, nil])
        #expect(try Sample.manifest().features.isEmpty)
    }

    @Test(
        arguments: [
            ("string", "x"), ("int", 3), ("int", -1), ("number", 1.5), ("number", 2), ("boolean", false),
            ("json", ["a": [1]]), ("json", [1]), ("json", "x"), ("json", false),
        ] as [(String, JSONValue)])
    func `A default of the type is taken`(_ type: String, _ value: JSONValue) {
        #expect(findings(Self.variable(type, value)).faults.isEmpty)
    }

    @Test(
        arguments: [
            ("string", 1), ("int", 1.5), ("int", 1.0), ("int", "1"), ("number", "1"), ("number", true), ("boolean", 0),
            ("boolean", "true"),
        ] as [(String, JSONValue)])
    func `A default of another type is a fault`(_ type: String, _ value: JSONValue) {
        #expect(findings(Self.variable(type, value)).faults == ["type /features/f/variables/v/default"])
    }

    @Test func `A number's default is a float`() throws {
        let manifest = try Sample.manifest(["features": Self.variable("number", 2)])
        #expect(manifest.features[0].variables[0].defaultValue == .number(2))
    }

    @Test func `All faults are told at once, with their places`() {
        let told = findings([
            "a.b": ["variables": ["x y": ["type": "float"], "": ["default": 1]]], "messaging": ["variables": [:]],
            "c": [:], "d": 5,
            "e": ["variables": ["v": ["type": "int", "default": "x"], "w": 3], "exposure": "never"],
        ])
        #expect(
            told.faults == [
                "flag_name /features/a.b", "flag_name /features/a.b/variables/x y",
                "choice /features/a.b/variables/x y/type", "flag_name /features/a.b/variables/",
                "required /features/a.b/variables//type", "reserved /features/messaging",
                "required /features/c/variables", "type /features/d", "choice /features/e/exposure",
                "type /features/e/variables/v/default", "type /features/e/variables/w",
            ])
    }

    @Test func `A key that nothing reads is a warning`() {
        let told = findings(["f": ["variables": ["v": ["type": "int", "enum": [1]]], "owner": "me"]])
        #expect(told.faults.isEmpty)
        #expect(told.warnings == ["unknown_key /features/f/owner", "unknown_key /features/f/variables/v/enum"])
    }

    @Test func `Features that are no object are a fault`() {
        #expect(findings([]).faults == ["type /features"])
        #expect(findings(["f": ["variables": []]]).faults == ["type /features/f/variables"])
    }
}
