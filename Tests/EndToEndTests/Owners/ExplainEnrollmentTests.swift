import BellwetherJSON
import TestSupport
import Testing

/// The enrollments in `explain`: for a known client as they are stored, for a supposed client as supposed
/// (docs/reference/http-api.md#explain).
@Suite struct ExplainEnrollmentTests {
    private func explain(_ app: TestApp, _ question: JSONObject) throws -> JSONValue {
        let answer = try app.server.post("\(app.path)/explain", .object(question.merging("surface", "card")))
        guard answer.status == 200 else { throw Failure("\(answer.status): \(answer.text)") }
        return answer.json
    }

    /// Each enrollment as `slug status reason branch`.
    private func standings(_ explanation: JSONValue) -> [String] {
        (explanation["enrollments"].array ?? []).map { standing in
            ["slug", "status", "reason", "branch"].compactMap { standing[$0].string }.joined(separator: " ")
        }
    }

    private static let manifest: JSONValue = {
        var manifest = TestApp.manifest.object ?? [:]
        manifest["attributes"] = ["age": "number", "nimbus_id": "string"]
        return .object(manifest)
    }()

    private func app() throws -> TestApp {
        let app = try TestApp(manifest: Self.manifest)
        try app.publish("e", Sample.experiment("e", Sample.treatment, ["targeting": "age > 30"]))
        try app.publish("r", Sample.experiment("r", ["b": [:]], ["isRollout": true]))
        try app.publish("all", Sample.message("rest", ["surface": "notification"]))
        return app
    }

    private static let all = "all Enrolled Qualified rollout"

    @Test func `A client's stored enrollments are told, whatever context is put to it`() throws {
        let app = try app()
        let question: JSONObject = ["client_id": "c", "context": ["age": 40]]
        let inside = [Self.all, "r Enrolled Qualified b", "e Enrolled Qualified treatment"]
        // The client has no enrollment yet: `explain` says what its first poll would decide.
        let first = try explain(app, question)
        #expect(standings(first) == inside && first["first_poll"] == true)
        // The explanation has the reason why the client is not enrolled.
        let unknown = try explain(app, ["client_id": "c"])["enrollments"]
        #expect(unknown.strings("slug") == ["all", "r", "e"])
        #expect(unknown[2]["status"] == "Error" && unknown[2]["reason"].string?.contains("age") == true)
        _ = try app.keys("c", "&age=40")
        let polled = try explain(app, question)
        #expect(standings(polled) == inside && polled["first_poll"] == .null)
        #expect(polled["selected"] == "new")
        // Explaining does not evolve the enrollments.
        let young: JSONObject = ["client_id": "c", "context": ["age": 20]]
        #expect(standings(try explain(app, young)) == inside)
        _ = try app.keys("c", "&age=20")
        let outside = [Self.all, "r Enrolled Qualified b", "e Disqualified NotTargeted treatment"]
        #expect(standings(try explain(app, question)) == outside)
        #expect(try explain(app, question)["selected"] == .null)
        let events = try app.recorded()
        try app.delete("e")
        #expect(standings(try explain(app, question)) == outside)
        #expect(try app.recorded() == events)
        _ = try app.keys("c", "&age=20")
        #expect(standings(try explain(app, question)).last == "e WasEnrolled treatment")
    }

    @Test func `Without a client, the context decides who would be enrolled`() throws {
        let app = try app()
        let inside: JSONObject = ["context": ["age": 40, "nimbus_id": "someone"]]
        #expect(
            standings(try explain(app, inside)) == [
                Self.all, "r Enrolled Qualified b", "e Enrolled Qualified treatment",
            ])
        #expect(try explain(app, inside)["selected"] == "new")
        let young: JSONObject = ["context": ["age": 20, "nimbus_id": "someone"]]
        #expect(
            standings(try explain(app, young)) == [
                Self.all, "r Enrolled Qualified b", "e NotEnrolled NotTargeted",
            ])
        let nobody = try explain(app, ["context": ["age": 40]])
        #expect(nobody["enrollments"].array?.last?["status"] == "Error")
        #expect(nobody["enrollments"].array?.last?["reason"] == "No randomization unit")
        #expect(try app.recorded() == [])
    }

    @Test func `Enrollments can be supposed, of anyone, as a map or as explain tells them`() throws {
        let app = try TestApp()
        try app.publish("e", Sample.experiment("e", Sample.branches, ["targeting": "age > 30"]))
        #expect(try explain(app, ["enrollments": ["e": "treatment"]])["selected"] == "new")
        let control = try explain(app, ["enrollments": ["e": "control"]])
        #expect(control["selected"] == "old")
        #expect(standings(control) == ["e Enrolled Qualified control"])
        #expect(try explain(app, ["enrollments": control["enrollments"]])["selected"] == "old")
        #expect(try explain(app, ["enrollments": [:]])["selected"] == .null)
        #expect(try explain(app, ["client_id": "c", "enrollments": ["e": "control"]])["selected"] == "old")
        // This status does not count as an enrollment.
        let gone: JSONValue = [["slug": "e", "status": "Disqualified", "branch": "control"]]
        #expect(try explain(app, ["enrollments": gone])["selected"] == .null)
        #expect(try explain(app, ["enrollments": ["e": "no such branch", "x": "y"]])["selected"] == .null)
        #expect(try app.recorded() == [])
        #expect(try app.keys() == [])
    }

    @Test func `Conditions over enrollments see those that are supposed`() throws {
        let app = try TestApp()
        try app.publish("e", Sample.experiment("e", ["a": [:], "b": [:]]))
        try app.publish(
            "m",
            [
                "triggers": ["IN_B": "enrollments_map.e == 'b'"],
                "messages": ["m": ["surface": "card", "text": "x", "trigger-if-all": ["IN_B"]]],
            ])
        #expect(try explain(app, ["enrollments": ["e": "a"]])["selected"] == .null)
        #expect(try explain(app, ["enrollments": ["e": "b"]])["selected"] == "m")
    }

    @Test func `Enrollments that are none are refused, with every fault`() throws {
        let app = try TestApp()
        func faults(_ enrollments: JSONValue) throws -> Set<String> {
            let question: JSONValue = ["surface": "card", "enrollments": enrollments]
            return Set(places(expectProblem(try app.server.post("\(app.path)/explain", question), 400)))
        }
        #expect(try faults(7) == ["/enrollments type"])
        #expect(try faults(["e": 1, "f": []]) == ["/enrollments/e type", "/enrollments/f type"])
        #expect(
            try faults([["slug": "e"], 7, ["branch": "b"]]) == [
                "/enrollments/0/branch required", "/enrollments/1 type", "/enrollments/2/slug required",
            ])
        #expect(
            try faults([["slug": "e", "branch": "a"], ["slug": "e", "branch": "b"]]) == [
                "/enrollments/1/slug duplicate"
            ])
    }
}
