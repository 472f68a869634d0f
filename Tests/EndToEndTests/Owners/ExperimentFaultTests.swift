import BellwetherJSON
import TestSupport
import Testing

/// The required fields of a Nimbus recipe (docs/reference/experiments.md#recipe-documents). Without one, the whole
/// recipe is refused, and the live one stays.
@Suite struct ExperimentFaultTests {
    /// A change of a valid recipe by path, in which null removes a field, and the expected code.
    private static let faults: [([String], JSONValue, String)] = [
        (["schemaVersion"], nil, "required"), (["schemaVersion"], 7, "type"),
        (["slug"], nil, "required"), (["slug"], "other", "slug_mismatch"), (["slug"], [:], "type"),
        (["userFacingName"], nil, "required"), (["userFacingName"], true, "type"),
        (["userFacingDescription"], nil, "required"), (["userFacingDescription"], 1.5, "type"),
        (["proposedEnrollment"], nil, "required"), (["proposedEnrollment"], "7", "type"),
        (["proposedEnrollment"], -1, "range"), (["isEnrollmentPaused"], nil, "required"),
        (["isEnrollmentPaused"], "false", "type"), (["bucketConfig"], nil, "required"),
        (["bucketConfig"], [], "type"), (["bucketConfig", "randomizationUnit"], nil, "required"),
        (["bucketConfig", "randomizationUnit"], "group_id", "choice"),
        (["bucketConfig", "randomizationUnit"], "normandy_id", "choice"),
        (["bucketConfig", "randomizationUnit"], 1, "type"), (["bucketConfig", "namespace"], nil, "required"),
        (["bucketConfig", "namespace"], 1, "type"), (["bucketConfig", "start"], nil, "required"),
        (["bucketConfig", "start"], "0", "type"), (["bucketConfig", "start"], -1, "range"),
        (["bucketConfig", "start"], 4_294_967_296, "range"), (["bucketConfig", "count"], nil, "required"),
        (["bucketConfig", "count"], 0.5, "type"), (["bucketConfig", "total"], 0, "range"),
        (["branches"], nil, "required"), (["branches"], [:], "type"), (["branches"], [], "empty"),
        (["branches", "0"], "control", "type"), (["branches", "0", "slug"], nil, "required"),
        (["branches", "1", "slug"], 1, "type"), (["branches", "0", "ratio"], nil, "required"),
        (["branches", "0", "ratio"], "1", "type"), (["branches", "1", "ratio"], -1, "range"),
        (["branches", "0", "features", "0"], 1, "type"),
        (["branches", "0", "features", "0", "featureId"], nil, "required"),
        (["branches", "0", "features", "0", "featureId"], 1, "type"),
        (["branches", "1", "features", "0", "value", "triggers"], ["T": "1 +"], "jexl_parse"),
        (["targeting"], "!x", "jexl_parse"), (["targeting"], 7, "type"), (["targeting"], [:], "type"),
    ]

    private static func changed(_ value: JSONValue, _ path: ArraySlice<String>, _ new: JSONValue) -> JSONValue {
        guard let first = path.first else { return new }
        if let place = Int(first), var items = value.array {
            items[place] = changed(items[place], path.dropFirst(), new)
            return .array(items)
        }
        var members = value.object ?? [:]
        let member = changed(members[first] ?? .null, path.dropFirst(), new)
        members[first] = path.count == 1 && new == .null ? .none : .some(member)
        return .object(members)
    }

    /// A live recipe, and the values that show that it is unchanged.
    private struct Scene {
        let app: TestApp
        private let document: JSONValue
        private let tag: String?
        private let messages: JSONValue

        init() throws {
            app = try TestApp()
            try app.publish("e", Sample.experiment("e"))
            let stored = try app.server.get("\(app.path)/recipes/e")
            document = stored.json
            tag = stored.header("ETag")
            messages = try app.poll("c").json
        }

        func expectUntouched(_ sourceLocation: SourceLocation = #_sourceLocation) throws {
            let stored = try app.server.get("\(app.path)/recipes/e")
            #expect(stored.json == document && stored.header("ETag") == tag, sourceLocation: sourceLocation)
            #expect(try app.poll("c").json == messages, sourceLocation: sourceLocation)
            #expect(try app.telemetry().count == 1, sourceLocation: sourceLocation)
        }
    }

    @Test func `Each is refused with its place, over a live recipe and as a new one`() throws {
        let scene = try Scene()
        for (path, value, code) in Self.faults {
            let bad = Self.changed(Sample.experiment("e"), path[...], value)
            let place =
                "/" + path.joined(separator: "/") + (code == "jexl_parse" && path.last == "triggers" ? "/T" : "")
            let answer = try scene.app.server.put("\(scene.app.path)/recipes/e", bad)
            #expect(places(expectProblem(answer, 422)) == ["\(place) \(code)"], "\(path) \(value)")
            let validated = try scene.app.server.post("\(scene.app.path)/recipes/validate", bad)
            // `validate` has no path to compare the slug with, so another slug is no fault there; a missing slug is
            // one.
            if path != ["slug"] { #expect(places(expectProblem(validated, 422)) == ["\(place) \(code)"]) }
        }
        try scene.expectUntouched()
    }

    @Test func `Ratios that sum to 0 leave nobody a branch`() throws {
        let scene = try Scene()
        var bad = Sample.experiment("e")
        for branch in ["0", "1"] { bad = Self.changed(bad, ["branches", branch, "ratio"], 0) }
        let answer = try scene.app.server.put("\(scene.app.path)/recipes/e", bad)
        #expect(places(expectProblem(answer, 422)) == ["/branches ratios"])
        try scene.expectUntouched()
    }

    @Test func `All faults of a recipe are told at once`() throws {
        let scene = try Scene()
        var bad = Sample.experiment("e")
        let changes: [([String], JSONValue)] = [
            (["schemaVersion"], nil), (["userFacingName"], 1), (["bucketConfig", "randomizationUnit"], "group_id"),
            (["bucketConfig", "total"], 0), (["branches", "0", "ratio"], nil), (["branches", "1", "slug"], nil),
            (["targeting"], "1 =="), (["branches", "1", "features", "0", "value", "triggers"], ["A": ")", "B": "'"]),
        ]
        for (path, value) in changes { bad = Self.changed(bad, path[...], value) }
        let answer = try scene.app.server.put("\(scene.app.path)/recipes/e", bad)
        #expect(
            Set(places(expectProblem(answer, 422))) == [
                "/schemaVersion required", "/userFacingName type", "/bucketConfig/randomizationUnit choice",
                "/bucketConfig/total range", "/branches/0/ratio required", "/branches/1/slug required",
                "/targeting jexl_parse", "/branches/1/features/0/value/triggers/A jexl_parse",
                "/branches/1/features/0/value/triggers/B jexl_parse",
            ])
        try scene.expectUntouched()
    }
}
