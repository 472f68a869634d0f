import BellwetherJSON
import TestSupport
import Testing

/// A client's choices about experiments (docs/reference/http-api.md#participation).
@Suite struct ParticipationTests {
    private let app: TestApp

    init() throws {
        app = try TestApp()
        try app.publish("e", NimbusRecipe.experiment("e", ["treatment": NimbusRecipe.survey("m")]))
    }

    private func path(_ client: String) -> String { "\(app.path)/clients/\(client)/participation" }

    private static let full: JSONValue = ["experiments": true, "rollouts": true, "opted_out": [], "opted_in": [:]]

    @Test func `Who never said takes part in everything, and asking creates nothing`() throws {
        let answer = try app.server.get(path("stranger"))
        #expect(answer.status == 200 && answer.json == Self.full)
        #expect(try app.telemetry().isEmpty)
    }

    @Test func `An opt-out takes the messages away at once, and is read back`() throws {
        #expect(try app.keys("c") == ["m"])
        let wish: JSONValue = ["experiments": true, "rollouts": false, "opted_out": ["e"], "opted_in": [:]]
        let answer = try app.server.put(path("c"), wish)
        #expect(answer.status == 200 && answer.json == wish)
        #expect(try app.server.get(path("c")).json == wish)
        #expect(try app.recorded() == ["nimbus_events.enrollment", "nimbus_events.disqualification"])
        #expect(try app.keys("c").isEmpty)
        #expect(try app.server.put(path("c"), [:]).json == Self.full)
        #expect(try app.keys("c").isEmpty, "an experiment takes nobody back")
        #expect(try app.keys("d") == ["m"])
    }

    @Test func `A chosen branch holds whatever the buckets say`() throws {
        let nobody: JSONValue = [
            "randomizationUnit": "nimbus_id", "namespace": "n", "start": 0, "count": 0, "total": 10_000,
        ]
        let branches: KeyValuePairs<String, JSONValue> = ["a": [:], "b": Sample.message("chosen")]
        try app.publish("f", NimbusRecipe.experiment("f", branches, ["bucketConfig": nobody]))
        #expect(try !app.keys("c").contains("chosen"))
        _ = try app.server.put(path("c"), ["opted_in": ["f": "b"]])
        #expect(try app.keys("c").contains("chosen"))
    }

    @Test(
        arguments: [
            ([], "type "), (["experiments": 1], "type /experiments"), (["opted_out": "e"], "type /opted_out"),
            (["opted_out": [1]], "type /opted_out/0"), (["opted_in": ["e": 1]], "type /opted_in/e"),
            (["opted_on": []], "unknown_key /opted_on"),
        ] as [(JSONValue, String)])
    func `A slip is told, and changes nothing`(_ body: JSONValue, _ fault: String) throws {
        let answer = try app.server.put(path("c"), body)
        let errors = expectProblem(answer, 400)
        #expect(errors.map { "\($0["code"].string ?? "") \($0["pointer"].string ?? "")" } == [fault])
        #expect(try app.server.get(path("c")).json == Self.full)
    }

    @Test func `An id is 1 to 128 printable characters`() throws {
        #expect(try app.server.get(path(String(repeating: "x", count: 129))).status == 400)
        #expect(try app.server.get("/v1/apps/nobody/clients/c/participation").status == 404)
    }
}
