import BellwetherJSON
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
    ])
    func badArgumentsAreUsage(_ arguments: [String]) throws {
        let outcome = try Command.run([BellwetherProgram.path, "size"] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
    }
}
