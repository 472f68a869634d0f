package import ArgumentParser
internal import BellwetherAuthoring
internal import BellwetherCore
internal import BellwetherJSON

/// `bellwether size`: the number of clients that a survey must reach.
package struct Size: ParsableCommand {
    package static let configuration = CommandConfiguration(
        abstract: "Say which share of the clients a survey must reach.",
        discussion: """
            Shares are written 0.05 or 5%. Give the responses that are wanted, or the margin of error from which they \
            follow (95 % confidence, a share of one half, out of the active clients). With --nps the margin is that of a \
            Net Promoter Score, 5% for 5 points: at worst, or with the shares of promoters and detractors that are \
            expected. Exits with 1 if all active clients together are too few.
            """)

    @Option(help: "Responses wanted in each branch.")
    var responses: Int?

    @Option(help: "Margin of error wanted in each branch, in place of responses.")
    var margin: Share?

    @Flag(help: "The margin of error is that of a Net Promoter Score.")
    var nps = false

    @Option(help: "Share of promoters that is expected, for --nps.")
    var promoters = Share(0.5)

    @Option(help: "Share of detractors that is expected, for --nps.")
    var detractors = Share(0.5)

    @Option(help: "Share of those who see the invitation that answer it.")
    var responseRate: Share

    @Option(help: "Share of the enrolled clients that see the invitation.")
    var seen = Share(1)

    @Option(help: "Clients that are active while the survey runs.")
    var activeClients: Int

    @Option(help: "Branches that ask.")
    var branches = 1

    @Option(help: "The recipe's total of buckets.")
    var buckets = Int(Bucketing.defaultTotal)

    @Flag(help: "One JSON object.")
    var json = false

    package init() {}

    package func validate() throws {
        guard (responses == nil) != (margin == nil) else { throw ValidationError("Give --responses or --margin.") }
        let counts = [
            ("--responses", responses ?? 1), ("--active-clients", activeClients), ("--branches", branches),
            ("--buckets", buckets),
        ]
        for (name, count) in counts where !(1...Int(Int32.max)).contains(count) {
            throw ValidationError("\(name) is a whole number from 1 to \(Int32.max).")
        }
        if let margin, !(0.0001...0.5).contains(margin.value) {
            throw ValidationError("--margin is a share from 0.01% to 50%.")
        }
        if promoters.value + detractors.value > 1 {
            throw ValidationError("--promoters and --detractors are together at most 100%.")
        }
    }

    package func run() throws {
        let measure: SurveySizing.Measure =
            nps ? .netPromoterScore(promoters: promoters.value, detractors: detractors.value) : .share
        let wanted = margin.map { SurveySizing.responses(margin: $0.value, of: activeClients, measure: measure) }
        let sizing = SurveySizing(
            responsesPerBranch: wanted ?? responses ?? 1, branches: branches, responseRate: responseRate.value,
            seen: seen.value, activeClients: activeClients, buckets: UInt32(buckets), measure: measure)
        try StandardOutput.writeLine(json ? sizing.json.text : SizingText(sizing).lines)
        if sizing.bucketCount == nil { throw ExitCode(1) }
    }
}

/// A share above 0 and at most 1, such as `0.05` or `5%`.
struct Share: ExpressibleByArgument {
    let value: Double

    init(_ value: Double) { self.value = value }

    init?(argument: String) {
        let isPercentage = argument.utf8.last == UInt8(ascii: "%")
        let number = isPercentage ? argument.dropLast() : argument[...]
        guard let value = Double(number).map({ isPercentage ? $0 / 100 : $0 }), value > 0, value <= 1 else {
            return nil
        }
        self.value = value
    }

    var defaultValueDescription: String { "\(Figure.percentage(value))" }
}
