import BellwetherJSON
import TestSupport
import Testing

/// The command `bellwether results`, with a running daemon.
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
        #expect(outcome.lines.last == "Counts from 1 to 4 are withheld.")
    }

    /// The bars are aligned even after the longest text.
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

    /// The control is the last branch and shows nothing; the other branches have different options.
    @Test func eachBranchShowsItsOwnOptions() throws {
        let app = try TestApp()
        let branches: KeyValuePairs<String, JSONValue> = [
            "one": NimbusRecipe.survey("e"),
            "two": NimbusRecipe.survey("e", ["microsurveyConfig": ["options": ["Fine", "Poor"]]]),
            "zero": NimbusRecipe.survey("e", ["is-control": true]),
        ]
        try app.publish("branches", NimbusRecipe.experiment("branches", branches))
        for client in 0..<24 where try app.poll("b\(client)").json["messages"].array?.isEmpty == false {
            #expect(try app.respond("b\(client)", "e", "0").status == 201)
        }
        let output = try Self.results(app, "branches").output
        let two = try #require(output.ranges(of: "  two: ").first)
        let one = try #require(output.ranges(of: "  one: ").first)
        let halves = [output[one.upperBound..<two.lowerBound], output[two.upperBound...]]
        #expect(halves.map { $0.contains("   Good ") } == [true, false])
        #expect(halves.map { $0.contains("   Fine ") } == [false, true])
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

    @Test func theOnlyAppNeedsNoName() throws {
        let daemon = try Daemon()
        let here = ["--url", "http://127.0.0.1:\(daemon.port)"]
        func results(_ arguments: String...) throws -> Command {
            try Command.run([BellwetherProgram.path, "results", "poll"] + here + arguments)
        }
        let none = try results()
        #expect(none.status == 64 && none.errors.contains("The daemon has no app that the token may see."))
        let app = try TestApp(on: daemon)
        try app.publish("poll", Sample.survey("q"))
        #expect(try results().lines.first == "poll: live, revision 1")
        let other = try TestApp(on: daemon)
        let names = [app.name, other.name].sorted().joined(separator: ", ")
        for command in [["results", "poll"], ["tail"]] {
            let several = try Command.run([BellwetherProgram.path] + command + here)
            #expect(several.status == 64 && several.output.isEmpty)
            #expect(several.errors.contains("Give --app, one of: \(names)."))
        }
        #expect(try results("--app", app.name).status == 0)
        #expect(try results("--app", other.name).status == 1)
    }

    @Test func theTokenSaysWhichAppIsTheOnlyOne() throws {
        let guarded = try GuardedDaemon()
        func results(_ token: String) throws -> Command {
            try Command.bellwether(
                "results", "poll", "--url", "http://127.0.0.1:\(guarded.daemon.port)",
                environment: ["BELLWETHER_TOKEN": token])
        }
        #expect(try results("owner-one").errors.contains("404"))
        #expect(try results("owner-all").errors.contains("Give --app, one of: one, two."))
        let pipeline = try results("pipeline-one")
        #expect(pipeline.status == 64)
        #expect(pipeline.errors.contains("Give --app: the token may not ask which apps there are."))
        #expect(try results("nonsense").status == 1)
    }

    /// Control characters for a terminal are removed.
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
