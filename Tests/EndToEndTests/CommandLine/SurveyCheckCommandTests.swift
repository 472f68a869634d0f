import BellwetherJSON
import TestSupport
import Testing

/// `bellwether check` and `push` of questionnaires and surveys: every finding with file, line and pointer.
@Suite struct SurveyCheckCommandTests {
    private let folder: TemporaryDirectory

    private static let manifest = #"{"app_name": "a", "default_locale": "en", "surfaces": ["card"]}"#

    init() throws {
        folder = try TemporaryDirectory()
        try folder.write(Self.manifest, to: "apps/a/manifest.json")
    }

    private func check(_ paths: String...) throws -> Command {
        try Command.run([BellwetherProgram.path, "check"] + paths.map { folder.path + "/" + $0 })
    }

    /// Each finding as `line severity code pointer`.
    private func places(_ output: Command) throws -> [String] {
        try output.lines.map { line in
            let finding = try JSONValue(parsing: line)
            return "\(finding["line"].integer ?? 0) \(finding["severity"].string ?? "") \(finding["code"].string ?? "")"
                + " \(finding["pointer"].string ?? "")"
        }
    }

    @Test func `All faults of a definition are told at once`() throws {
        let path = try folder.write(
            """
            {"kind": "questionnaire", "schema": {"questions": [
              {"id": "Q 1", "type": "nps", "title": "?"},
              {"id": "b", "type": "slider", "title": "?"},
              {"id": "c", "type": "text", "title": " ", "required": 1},
              {"id": "d", "type": "rating", "scale": 1, "title": "?",
               "show_if": {"id": "later", "operation": "equals", "value": 1}}]},
             "offer": {"surface": "card", "text": "Hi", "trigger": {"launches": "x"}}}
            """, to: "recipes/a/q.json")
        let result = try Command.run(
            [BellwetherProgram.path, "check", "--json", folder.path + "/apps", folder.path + "/recipes"])
        #expect(result.status == 1)
        let told = try places(result)
        for expected in [
            "2 error identifier /schema/questions/0/id", "3 error choice /schema/questions/1/type",
            "4 error blank /schema/questions/2/title", "4 error type /schema/questions/2/required",
            "5 error range /schema/questions/3/scale",
        ] { #expect(told.contains(expected), "\(expected) in \(told)") }
        #expect(told.contains { $0.hasPrefix("7 ") && $0.hasSuffix(" type /offer/trigger/launches") }, "\(told)")
        #expect(try check("apps", "recipes").output.contains("\(path):3:"))
    }

    @Test(.timeLimit(.minutes(10))) func `Patterns that repeat too much are faults`() throws {
        try folder.write(
            """
            {"kind": "questionnaire", "name": "Q", "schema": {"questions": [{"id": "t", "type": "text", "title": "T?"}]},
             "offer": {"surface": "card", "text": "Hi", "pacing": {"quotas": [{"name": "n", "limit": 1,
               "when": {"ref": "answer.t", "op": "matches", "value": "((((){1000}){1000}){1000}){1000}"}}]}}}
            """, to: "recipes/a/q.json")
        let result = try Command.run(
            [BellwetherProgram.path, "check", "--json", folder.path + "/apps", folder.path + "/recipes"])
        #expect(result.status == 1)
        #expect(try places(result) == ["3 error pattern /offer/pacing/quotas/0/when/value"])
    }

    private static let warned = """
        {"kind": "survey", "questions": [
          {"id": "music", "question": "Music?", "question_type": "segment_select", "values": ["Yes", "No"]},
          {"id": "kinds", "question": "Which?", "question_type": "multi_select", "options": ["Pop", "Rock"],
           "show_if": {"id": "music", "operation": "equals", "value": "Maybe"}},
          {"id": "how", "question": "How often?", "question_type": "single_text_field",
           "show_if": {"id": "kinds", "operation": "contains", "value": "Pop"}}],
         "offer": {"surface": "card", "style": "NOPE", "text": "Hi"}}
        """

    private static let expected = [
        "4 warning unknown_option /questions/1/show_if/value", "5 warning unreachable /questions/2",
        "7 warning unknown_style /offer/style",
    ]

    @Test func `Warnings stand where their reason does, also without a manifest`() throws {
        try folder.write(Self.warned, to: "recipes/a/s.json")
        for paths in [["/apps", "/recipes"], ["/recipes"]] {
            let result = try Command.run(
                [BellwetherProgram.path, "check", "--json"] + paths.map { folder.path + $0 })
            #expect(result.status == 0)
            let told = try places(result).filter { !$0.contains("no_manifest") && !$0.contains("_style") }.sorted()
            #expect(told == Self.expected.filter { !$0.contains("_style") })
        }
        #expect(try check("apps", "recipes").output.contains("s.json:7:"))
        let strict = try Command.run([BellwetherProgram.path, "check", "--strict", folder.path + "/recipes"])
        #expect(strict.status == 1)
    }

    @Test func `Publishing and validating tell the same warnings`() throws {
        let app = try TestApp(manifest: try JSONValue(parsing: Self.manifest))
        let document = try JSONValue(parsing: Self.warned)
        let validated = try app.server.post("\(app.path)/recipes/validate", document)
        #expect(validated.status == 200)
        let codes = validated.json["warnings"].strings("pointer").sorted()
        #expect(codes == ["/offer/style", "/questions/1/show_if/value", "/questions/2"])
        let published = try app.publish("s", document)
        #expect(published.json["warnings"] == validated.json["warnings"])
        #expect(try app.server.put("\(app.path)/recipes/t?strict=true", document).status == 422)

        let path = try folder.write(Self.warned, to: "push/s.json")
        let push = try Command.run([
            BellwetherProgram.path, "push", "--app", app.name, "--url", "http://127.0.0.1:\(app.server.port)", path,
        ])
        #expect(push.status == 0, "\(push.errors)")
        #expect((push.output + push.errors).contains("\(path):5:"))
    }
}
