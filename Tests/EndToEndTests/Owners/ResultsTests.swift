import BellwetherJSON
import TestSupport
import Testing

/// Results of a survey, from displays and answers to an owner's table.
@Suite struct ResultsTests {
    /// Twelve clients see the survey, nine press, eight answer (six Yes, two No), one dismisses; two German.
    private static func answered(_ app: TestApp) throws {
        try app.publish("poll", Sample.survey("q"))
        for client in 0..<12 {
            let id = "c\(client)"
            try app.record(id, Event.message("displayed", "q"))
            if client < 9 { try app.record(id, Event.message("clicked", "q")) }
            if client < 8 {
                let answer = try app.respond(
                    id, "q", client < 6 ? "0" : "1", ["locale": client < 2 ? "de" : "en-US"])
                guard answer.status == 201 else { throw Failure("no answer: \(answer.text)") }
            }
            if client == 8 { try app.record(id, Event.message("dismissed", "q")) }
        }
    }

    @Test func answersAndStepsAreCounted() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("results:\n  minimum_cell: 1\n", to: "bellwether.yaml")
        let app = try TestApp(on: try Daemon(["--dev", "--config", file]))
        try Self.answered(app)
        let message = try app.server.get("\(app.path)/results/poll").json["messages"][0]
        #expect(message["message"] == "q")
        #expect(message["all"]["answers"] == 8)
        #expect(message["all"]["options"].array?.map { $0["count"] } == [6, 2, 0])
        #expect(message["branches"].array?.map { $0["branch"] } == ["rollout"])
        #expect(message["locales"].array?.map { $0["answers"] } == [2, 6])
        #expect(message["days"].array?.compactMap { $0["answers"].integer }.reduce(0, +) == 8)
        let steps = message["funnel"]["all"]
        #expect(["shown", "started", "answered", "dismissed"].map { steps[$0]["clients"] } == [12, 9, 8, 1])
        #expect(message["scale"] == .null)
    }

    @Test func fewPeopleAreWithheldByDefault() throws {
        let app = try TestApp()
        try Self.answered(app)
        let message = try app.server.get("\(app.path)/results/poll").json["messages"][0]
        #expect(message["all"]["answers"] == 8)
        #expect(message["all"]["options"][0]["count"] == .null)
        #expect(message["all"]["options"][1] == ["option": "No", "count": nil, "withheld": true])
        #expect(message["locales"].array?.map { $0["answers"] } == [.null, .null])
        #expect(message["funnel"]["all"]["dismissed"]["withheld"] == true)
        #expect(message["funnel"]["all"]["shown"]["clients"] == 12)
    }

    @Test func branchesOfAnExperimentAreToldApart() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("results:\n  minimum_cell: 1\n", to: "bellwether.yaml")
        let app = try TestApp(on: try Daemon(["--dev", "--config", file]))
        try app.publish(
            "exp", NimbusRecipe.experiment("exp", ["a": NimbusRecipe.survey("s"), "b": NimbusRecipe.survey("s")]))
        var expected: [String: Int64] = [:]
        for client in 0..<20 {
            let offer = try app.poll("c\(client)").json["messages"][0]
            expected[offer["branch"].string ?? "none", default: 0] += 1
            #expect(try app.respond("c\(client)", "s", "0").status == 201)
        }
        let branches = try app.server.get("\(app.path)/results/exp").json["messages"][0]["branches"].array ?? []
        #expect(expected.count == 2)
        #expect(branches.map { $0["branch"] } == ["a", "b"])
        for branch in branches {
            #expect(branch["answers"].integer == expected[branch["branch"].string ?? ""])
        }
    }

    @Test func resultsOutliveTheRecipe() throws {
        let app = try TestApp()
        try Self.answered(app)
        _ = try app.server.send("DELETE", "\(app.path)/recipes/poll")
        let results = try app.server.get("\(app.path)/results/poll").json
        #expect(results["state"] == .null)
        #expect(results["messages"][0]["all"]["answers"] == 8)
    }

    @Test func csvIsForSpreadsheets() throws {
        let app = try TestApp()
        try Self.answered(app)
        let answer = try app.server.get("\(app.path)/results/poll", headers: ["Accept": "text/csv"])
        #expect(answer.header("Content-Type")?.hasPrefix("text/csv") == true)
        #expect(answer.text.contains("q,all,,answers,,,8,,,,,,false\r\n"))
    }

    @Test func ownersAloneRead() throws {
        let guarded = try GuardedDaemon()
        for (token, status) in [("client-one", 403), ("pipeline-one", 403), ("owner-two", 403), ("owner-one", 404)] {
            let answer = try guarded.daemon.get(
                "/v1/apps/one/results/none", headers: GuardedDaemon.bearer(token))
            expectProblem(answer, status)
        }
    }

    @Test func whatIsNotThereIsNotFound() throws {
        let app = try TestApp()
        expectProblem(try app.server.get("\(app.path)/results/none"), 404)
        #expect(
            places(expectProblem(try app.server.get("\(app.path)/results/none?since=today"), 400))
                == ["/since unknown_parameter"])
    }
}
