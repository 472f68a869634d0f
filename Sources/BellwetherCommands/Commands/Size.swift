package import ArgumentParser
internal import BellwetherAuthoring
internal import BellwetherCore
internal import BellwetherJSON

/// `bellwether size`: the number of clients that a survey or an experiment must reach.
package struct Size: ParsableCommand {
    package static let configuration = CommandConfiguration(
        abstract: "Say which share of the clients a survey must reach, or how many an experiment needs.",
        discussion: """
            An experiment is sized with --goal, --mean and --mde: how many clients show an effect that large, however \
            often one looks (docs/reference/goals.md). With --event the daemon tells the mean from what the app's clients \
            did until now. The other options size a survey.

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
    var responseRate: Share?

    @Option(help: "Share of the enrolled clients that see the invitation.")
    var seen = Share(1)

    @Option(help: "Clients that are active while the survey runs.")
    var activeClients: Int?

    @Option(help: "Branches that ask (default: 1), or branches of the experiment with its control (default: 2).")
    var branches: Int?

    @Option(help: "The recipe's total of buckets.")
    var buckets = Int(Bucketing.defaultTotal)

    @OptionGroup(title: "Experiments")
    var experiment: ExperimentSizeOptions

    @OptionGroup(title: "The daemon that is asked with --event")
    var remote: RemoteAppOptions

    @Flag(help: "One JSON object.")
    var json = false

    package init() {}

    package func validate() throws {
        guard experiment.goal == nil else {
            let others: [(String, Bool)] = [
                ("--responses", responses != nil), ("--margin", margin != nil), ("--nps", nps),
                ("--response-rate", responseRate != nil), ("--active-clients", activeClients != nil),
            ]
            if let other = others.first(where: \.1) { throw ValidationError("\(other.0) does not go with --goal.") }
            if experiment.event == nil { _ = try experiment.sizing(branches: branches) }
            return
        }
        if let option = experiment.given { throw ValidationError("\(option) goes with --goal only.") }
        guard responseRate != nil else { throw ValidationError("Give --response-rate, or --goal.") }
        guard let activeClients else { throw ValidationError("Give --active-clients, or --goal.") }
        guard (responses == nil) != (margin == nil) else { throw ValidationError("Give --responses or --margin.") }
        let counts = [
            ("--responses", responses ?? 1), ("--active-clients", activeClients), ("--branches", branches ?? 1),
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
        guard experiment.goal == nil else {
            return try sizeExperiment()
        }
        // `validate` has checked that these are given.
        guard let activeClients, let responseRate else { return }
        let measure: SurveySizing.Measure =
            nps ? .netPromoterScore(promoters: promoters.value, detractors: detractors.value) : .share
        let wanted = margin.map { SurveySizing.responses(margin: $0.value, of: activeClients, measure: measure) }
        let sizing = SurveySizing(
            responsesPerBranch: wanted ?? responses ?? 1, branches: branches ?? 1, responseRate: responseRate.value,
            seen: seen.value, activeClients: activeClients, buckets: UInt32(buckets), measure: measure)
        try StandardOutput.writeLine(json ? sizing.json.text : SizingText(sizing).lines)
        if sizing.bucketCount == nil { throw ExitCode(1) }
    }

    private func sizeExperiment() throws {
        guard experiment.event != nil else {
            let sizing = try experiment.sizing(branches: branches)
            return try StandardOutput.writeLine(json ? sizing.json.text : GoalSizingText(sizing).lines)
        }
        let (daemon, app) = try remote.target()
        let request = RemoteRequest("POST", "v1", "apps", app, "recipes", "size")
        let answer = try daemon.json(request.with(json: ["size": .object(experiment.members(branches: branches))]))
        let rates = answer["rates"].object ?? [:]
        let sizing = try experiment.sizing(branches: branches, rates: rates)
        try StandardOutput.writeLine(json ? answer.text : GoalSizingText(sizing, rates: rates).lines)
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

/// The assumptions from which the size of an experiment follows (docs/reference/goals.md#size).
package struct ExperimentSizeOptions: ParsableArguments {
    @Option(help: "What a client counts: converted (whether the event happened), or sum.")
    var goal: String?

    @Option(help: "Mean of one client in the control; of converted a share, 0.1 for 10 %.")
    var mean: Double?

    @Option(help: "The smallest relative effect that the experiment must find: 0.05 for 5 %.")
    var mde: Double?

    @Option(help: "Standard deviation of one client, for --goal sum.")
    var sd: Double?

    @Option(help: "Whether more is better (up) or worse (down).")
    var direction: String?

    @Option(help: "Probability to find the effect: 0.5 to 0.99 (default: 0.8).")
    var power: Double?

    @Option(help: "Correlation of the outcome with the counts before the exposure: 0 to 0.99 (default: 0).")
    var correlation: Double?

    @Option(help: "Clients that are exposed in a day.")
    var exposedPerDay: Double?

    @Option(help: "The event whose rates in the daemon's app stand for a mean that is not given.")
    var event: String?

    @Option(help: "With --event, the days that are counted: 1 to 28 (default: 14).")
    var withinDays: Int?

    @Option(help: "With --event and --goal sum, the most that one client counts (default: 1000).")
    var cap: Int?

    @Option(help: "With --event, the share of the app's clients that is exposed (default: 100%).")
    var share: Share?

    package init() {}

    /// The options with their values. The names are those of a size's members, with `-` for `_`.
    private var numbers: [(member: String, value: Double?)] {
        [
            ("mean", mean), ("mde", mde), ("sd", sd), ("power", power), ("correlation", correlation),
            ("exposed_per_day", exposedPerDay),
        ]
    }

    /// The options that only the daemon reads.
    private var asked: JSONObject {
        var members: JSONObject = [:]
        members["event"] = event.map { .string($0) }
        members["within_days"] = withinDays.map { .integer(Int64($0)) }
        members["cap"] = cap.map { .integer(Int64($0)) }
        members["share"] = share.map { .number($0.value) }
        return members
    }

    /// The name of an option that is given; nil: none.
    var given: String? {
        let member = direction == nil ? numbers.first { $0.value != nil }?.member : "direction"
        return (member ?? asked.keys.first).map(Self.option)
    }

    private static func option(_ member: String) -> String {
        "--" + (member == "counts" ? "goal" : member.replacing("_", with: "-"))
    }

    /// The members of a size that are given.
    func members(branches: Int?) -> JSONObject {
        var members: JSONObject = ["counts": .string(goal ?? "")]
        members["direction"] = direction.map { .string($0) }
        members["branches"] = branches.map { .integer(Int64($0)) }
        for (member, value) in numbers { members[member] = value.map { .number($0) } }
        for (member, value) in asked { members[member] = value }
        return members
    }

    /// - Parameter rates: what the daemon says of an event.
    func sizing(branches: Int?, rates: JSONObject = [:]) throws -> GoalSizing {
        var members = members(branches: branches)
        if event == nil, let alone = asked.keys.first {
            throw ValidationError("\(Self.option(alone)) goes with --event.")
        }
        for (member, _) in asked { members[member] = nil }
        for (member, value) in rates where members[member] == nil { members[member] = value }
        let findings = Findings()
        let sizing = GoalSizing(JSONReader(.object(members), findings: findings))
        guard let sizing, findings.faults.isEmpty else {
            let messages = findings.faults.map { fault in
                "\(Self.option(fault.pointer.tokens.first ?? "")): \(fault.message)"
            }
            throw ValidationError(messages.joined(separator: "\n"))
        }
        return sizing
    }
}
