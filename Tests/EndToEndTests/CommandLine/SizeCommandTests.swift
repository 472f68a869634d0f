import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// `bellwether size`.
@Suite struct SizeCommandTests {
    private static func size(_ arguments: String...) throws -> Command {
        try Command.run([BellwetherProgram.path, "size"] + arguments)
    }

    @Test func aSizeIsBuckets() throws {
        let outcome = try Self.size(
            "--responses", "400", "--response-rate", "5%", "--seen", "0.5", "--active-clients", "1000000",
            "--branches", "2")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("buckets            320 of 10,000\n"))
        #expect(outcome.output.contains("of active clients  3.2 % of 1,000,000\n"))
    }

    @Test func aMarginWantsResponses() throws {
        let outcome = try Self.size(
            "--margin", "5%", "--response-rate", "10%", "--active-clients", "10000", "--json")
        let json = try JSONValue(parsing: Array(outcome.output.utf8))
        #expect(json["responses"] == 370)
        #expect(json["bucket_count"] == 3700)
        #expect(json["is_reachable"] == true)
    }

    @Test func aNetPromoterScoreHasPoints() throws {
        let outcome = try Self.size(
            "--margin", "5%", "--nps", "--promoters", "40%", "--detractors", "20%", "--response-rate", "10%",
            "--active-clients", "1000000")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("responses          860\n"))
        #expect(outcome.output.contains("margin of error    ±5.0 points of NPS (95 %, in each branch)\n"))
        #expect(
            try Self.size(
                "--margin", "5%", "--nps", "--promoters", "60%", "--response-rate", "10%", "--active-clients", "10"
            ).status == 64)
    }

    @Test func whatCannotBeReachedEndsWithOne() throws {
        let outcome = try Self.size("--responses", "400", "--response-rate", "1%", "--active-clients", "10000")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("cannot be reached  everybody brings 100 responses in each branch"))
    }

    @Test func `An experiment has the clients of its plan`() throws {
        let options = ["--goal", "converted", "--mean", "0.10", "--mde", "0.10", "--exposed-per-day", "2000"]
        let outcome = try Command.run([BellwetherProgram.path, "size"] + options)
        #expect(outcome.status == 0 && outcome.output.contains("clients            35,398 in all branches\n"))
        let json = try JSONValue(
            parsing: Array(try Command.run([BellwetherProgram.path, "size", "--json"] + options).output.utf8))
        #expect(json["fixed_clients"] == 29_498 && json["plan_clients"] == 35_398 && json["days"] == 18)
    }

    /// The daemon's clients stand for the mean.
    @Test func `An experiment is sized by the rates of an app`() throws {
        let app = try TestApp(on: try Daemon())
        let time = Date(timeIntervalSinceNow: -2 * 86_400).formatted(.iso8601)
        let purchase: JSONValue = ["type": "behavior", "name": "purchase", "at": .string(time)]
        for client in 0..<120 {
            let events = client < 30 ? [purchase] : []
            let body: JSONValue = ["client_id": .string("c\(client)"), "events": .array(events)]
            #expect(try app.server.post("\(app.path)/messages", body).status == 200)
        }
        let options = [
            BellwetherProgram.path, "size", "--goal", "converted", "--event", "purchase", "--within-days", "7", "--mde",
            "0.2", "--app", app.name, "--url", "http://127.0.0.1:\(app.server.port)",
        ]
        let outcome = try Command.run(options)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("mean               0.25 until now\n"))
        let json = try JSONValue(parsing: Array(try Command.run(options + ["--json"]).output.utf8))
        #expect(json["rates"]["mean"] == 0.25 && json["plan_clients"] != .null)
        let never = try Command.run(options.map { $0 == "purchase" ? "never" : $0 })
        #expect(never.status != 0 && never.errors.contains("too few of the clients"))
        let alone = ["--goal", "converted", "--mean", "0.2", "--mde", "0.1", "--share", "5%"]
        #expect(try Command.run([BellwetherProgram.path, "size"] + alone).status == 64)
    }

    @Test(arguments: [
        ["--response-rate", "5%", "--active-clients", "10"],
        ["--responses", "1", "--margin", "5%", "--response-rate", "5%", "--active-clients", "10"],
        ["--responses", "0", "--response-rate", "5%", "--active-clients", "10"],
        ["--responses", "1", "--response-rate", "5", "--active-clients", "10"],
        ["--responses", "1", "--response-rate", "nan", "--active-clients", "10"],
        ["--responses", "1", "--response-rate", "0", "--active-clients", "10"],
        ["--responses", "1", "--response-rate", "5%", "--active-clients", "-1"],
        ["--responses", "99999999999", "--response-rate", "5%", "--active-clients", "10"],
        ["--margin", "60%", "--response-rate", "5%", "--active-clients", "10"],
        ["--responses", "1", "--active-clients", "10"],
        ["--responses", "1", "--response-rate", "5%"],
        ["--responses", "1", "--response-rate", "5%", "--active-clients", "10", "--mde", "0.1"],
        ["--goal", "converted", "--mean", "0.1"],
        ["--goal", "most", "--mean", "0.1", "--mde", "0.1"],
        ["--goal", "sum", "--mean", "1", "--mde", "0.1"],
        ["--goal", "converted", "--mean", "0.9", "--mde", "0.2"],
        ["--goal", "converted", "--mean", "0.1", "--mde", "0.1", "--branches", "1"],
        ["--goal", "converted", "--mean", "0.1", "--mde", "0.1", "--response-rate", "5%"],
    ])
    func badArgumentsAreUsage(_ arguments: [String]) throws {
        let outcome = try Command.run([BellwetherProgram.path, "size"] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
    }
}
