import BellwetherJSON
import TestSupport
import Testing

/// Results of a survey, from displays and answers to an owner's table.
@Suite struct ResultsTests {
    /// Twelve clients see the survey, nine click, eight answer (six Yes, two No), one dismisses; two are German.
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
        let app = try TestApp()
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

    /// With a single withheld count a second one is withheld.
    @Test func countsOfFewPeopleAreWithheld() throws {
        let app = try TestApp(on: try Daemon(environment: ["BELLWETHER_RESULTS_MINIMUM_CELL": "5"]))
        try Self.answered(app)
        let results = try app.server.get("\(app.path)/results/poll").json
        #expect(results["minimum_cell"] == 5)
        let message = results["messages"][0]
        #expect(message["all"]["answers"] == 8)
        #expect(message["all"]["options"].array?.map { $0["count"] } == [.null, .null, 0])
        #expect(message["all"]["options"][1] == ["option": "No", "count": nil, "withheld": true])
        #expect(message["locales"].array?.map { $0["answers"] } == [.null, .null])
        #expect(message["funnel"]["all"]["dismissed"]["withheld"] == true)
        #expect(message["funnel"]["all"]["shown"]["clients"] == 12)
    }

    @Test func withoutDevFiveIsTheMinimum() throws {
        let guarded = try GuardedDaemon()
        let owner = GuardedDaemon.bearer("owner-one")
        let survey = Sample.survey("q")
        #expect(try guarded.daemon.send("PUT", "/v1/apps/one/recipes/r", json: survey, headers: owner).status == 201)
        #expect(try guarded.daemon.get("/v1/apps/one/results/r", headers: owner).json["minimum_cell"] == 5)
    }

    @Test func eachBranchHasItsOptionsAndItsScore() throws {
        let app = try TestApp()
        func survey(_ low: String, _ high: String) -> JSONValue {
            let options = [low] + (1...9).map(String.init) + [high]
            return NimbusRecipe.survey(
                "s", ["microsurveyConfig": ["options": .array(options.map(JSONValue.string))]])
        }
        let branches: KeyValuePairs<String, JSONValue> = [
            "a": survey("0 – Never", "10 – Always"), "b": survey("0 – Unlikely", "10 – Likely"),
        ]
        let put = try app.publish("exp", NimbusRecipe.experiment("exp", branches)).json
        #expect(put["warnings"] == [])
        for client in 0..<20 {
            _ = try app.poll("c\(client)")
            #expect(try app.respond("c\(client)", "s", "10").status == 201)
        }
        let message = try app.server.get("\(app.path)/results/exp").json["messages"][0]
        #expect(message["branches"].array?.map { $0["nps"]["value"] } == [100.0, 100.0])
        #expect(message["branches"].array?.map { $0["options"].array?.count } == [11, 11])
        #expect(message["branches"].array?.map { $0["options"][10]["option"] } == ["10 – Always", "10 – Likely"])
        #expect(message["scale"] == "nps" && message["all"]["mean"]["answers"] == 20)
        let csv = try app.server.get("\(app.path)/results/exp?format=csv").text
        #expect(csv.contains("s,branch,a,option,10 – Always,") && !csv.contains("s,branch,a,option,10 – Likely,"))
    }

    @Test func branchesThatDoNotAddUpAreWarnedOf() throws {
        let app = try TestApp()
        let branches: KeyValuePairs<String, JSONValue> = [
            "a": NimbusRecipe.survey("s"),
            "b": NimbusRecipe.survey("s", ["microsurveyConfig": ["options": ["Fine", "Bad"]]]),
        ]
        let put = try app.publish("exp", NimbusRecipe.experiment("exp", branches)).json
        #expect(put["warnings"].strings("code") == ["branch_options_differ"])
        #expect(
            put["warnings"].strings("pointer")
                == ["/branches/1/features/0/value/messages/s/microsurveyConfig/options"])
    }

    @Test func branchesOfAnExperimentAreToldApart() throws {
        let app = try TestApp()
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
