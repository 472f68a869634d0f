package import ArgumentParser
internal import BellwetherJSON

/// `bellwether tail`: prints records as they arrive (docs/reference/http-api.md#commands-that-ask-a-daemon).
package struct Tail: ParsableCommand {
    package static let configuration = CommandConfiguration(
        abstract: "Follow the telemetry of an app.",
        discussion: """
            Prints a line for each record, from now on, until it is interrupted or its output is closed. A restart of the \
            daemon is waited for, and no record is missed. Values of one filter add up, filters of several kinds narrow \
            each other. Needs a token of scope pipeline, which may not list apps: give it --app. Exits with 1 if the daemon refuses, or does not answer the first \
            request.
            """)

    @OptionGroup var remote: RemoteAppOptions

    @Option(help: ArgumentHelp("Begin after this cursor.", valueName: "cursor"))
    var since: String?

    @Flag(help: "Begin with the first record that is kept.")
    var fromStart = false

    @Option(help: ArgumentHelp("Begin with the last records, so many before any filter.", valueName: "count"))
    var last: Int?

    @Option(help: "Only records of this category, such as messaging; may repeat.")
    var category: [String] = []

    @Option(help: "Only records of this name, such as shown; may repeat.")
    var name: [String] = []

    @Option(help: ArgumentHelp("Only records of the message of this key; may repeat.", valueName: "key"))
    var message: [String] = []

    @Option(help: ArgumentHelp("Only records of this recipe; may repeat.", valueName: "slug"))
    var experiment: [String] = []

    @Flag(help: "The records themselves, a JSON object a line.")
    var json = false

    package init() {}

    package func validate() throws {
        guard [since != nil, fromStart, last != nil].count(where: \.self) <= 1 else {
            throw ValidationError("Give one of --since, --from-start and --last.")
        }
        if let last, !(0...10_000).contains(last) { throw ValidationError("--last is a whole number from 0 to 10000.") }
    }

    package func run() throws {
        let filters = [
            ("category", category), ("name", name), ("message", message), ("experiment", experiment),
        ]
        let (daemon, app) = try remote.target()
        let follower = TelemetryFollower(daemon: daemon, app: app, filters: filters)
        let output = ResultStream()
        try follower.follow(from: start) { page in
            if json { return try output.write(page.body) }
            for record in try page.lines() { try output.write(Array((RecordLine(record).text + "\n").utf8)) }
        }
    }

    private var start: TelemetryFollower.Start {
        if fromStart { return .cursor("") }
        return since.map { .cursor($0) } ?? .last(last ?? 0)
    }
}
