import BellwetherJSON
import TestSupport
import Testing

/// `bellwether results`, which asks a running daemon.
@Suite struct ResultsCommandTests {
    /// Ten answers: seven Yes, three No.
    private static func answered(minimum: Int, text: String = "Do you like it?") throws -> TestApp {
        let folder = try TemporaryDirectory()
        let file = try folder.write("results:\n  minimum_cell: \(minimum)\n", to: "bellwether.yaml")
        let app = try TestApp(on: try Daemon(["--dev", "--config", file]))
        try app.publish("poll", Sample.survey("q"))
        for client in 0..<10 {
            try app.record("c\(client)", Event.message("displayed", "q"))
            guard try app.respond("c\(client)", "q", client < 7 ? "0" : "1").status == 201 else {
                throw Failure("no answer")
            }
        }
        return app
    }

    private static func results(_ app: TestApp, _ arguments: String...) throws -> Command {
        try Command.run(
            [BellwetherProgram.path, "results", "--app", app.name, "--url", "http://127.0.0.1:\(app.server.port)"]
                + arguments)
    }

    @Test func aTableHasBars() throws {
        let app = try Self.answered(minimum: 1)
        let outcome = try Self.results(app, "poll")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.lines.first == "poll: live, revision 1")
        #expect(outcome.output.contains("  10 answers\n"))
        #expect(outcome.output.contains("  Yes      ████████████████▊               7   70.0 %  (39.7 %…89.2 %)\n"))
        #expect(outcome.output.contains("  Perhaps                                  0    0.0 %  (0.0 %…27.8 %)\n"))
        #expect(outcome.output.contains("  all               10 (10)    0 (0)   10 (10)      0 (0)\n"))
        #expect(!outcome.output.contains("withheld"))
    }

    @Test func whatIsWithheldIsSaid() throws {
        let outcome = try Self.results(try Self.answered(minimum: 5), "poll")
        #expect(outcome.output.contains("withheld\n"))
        #expect(outcome.lines.last == "Counts of fewer than 5 people, and what would tell them, are withheld.")
    }

    /// Also behind the longest text.
    @Test func barsOfBranchesStandBelowThoseOfAll() throws {
        let app = try Self.answered(minimum: 1)
        let branches: KeyValuePairs<String, JSONValue> = [
            "one": NimbusRecipe.survey("e"), "two": NimbusRecipe.survey("e", ["title": "Please"]),
        ]
        try app.publish("branches", NimbusRecipe.experiment("branches", branches))
        for client in 0..<12 {
            _ = try app.poll("b\(client)")
            try app.record("b\(client)", Event.message("displayed", "e"))
            #expect(try app.respond("b\(client)", "e", "0").status == 201)
        }
        let bars = try Self.results(app, "branches").lines.filter { $0.contains("█") }
        #expect(bars.count == 3)
        #expect(bars.allSatisfy { $0.contains("Good █") || $0.contains("Good  █") })
        #expect(Set(bars.map { $0.prefix { $0 != "█" }.count }).count == 1)
    }

    @Test func jsonAndCSVAreTheDaemonsOwn() throws {
        let app = try Self.answered(minimum: 1)
        let path = "\(app.path)/results/poll"
        #expect(try JSONValue(parsing: try Self.results(app, "poll", "--json").output) == app.server.get(path).json)
        #expect(try Self.results(app, "poll", "--csv").output == app.server.get("\(path)?format=csv").text)
    }

    @Test func aRefusalEndsWithOneAndNothingOnStandardOutput() throws {
        let app = try TestApp()
        let outcome = try Self.results(app, "none")
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("404"))
        #expect(try Self.results(app, "none", "--json", "--csv").status == 64)
    }

    /// What a terminal would obey is taken out.
    @Test func textsDoNotReachTheTerminalAsCommands() throws {
        let app = try TestApp()
        var survey = Sample.survey("q").object ?? [:]
        survey["messages"] = [
            "q": [
                "surface": "microsurvey", "text": "?", "microsurveyConfig": ["options": ["\u{1B}[2Jgone", "b"]],
            ]
        ]
        try app.publish("poll", .object(survey))
        let output = try Self.results(app, "poll").output
        #expect(output.contains("[2Jgone"))
        #expect(!output.contains("\u{1B}"))
    }
}
