package import ArgumentParser
internal import BellwetherJSON

/// `bellwether webhooks`: lists the webhooks that wait, and the webhooks that the daemon gave up
/// (docs/reference/webhooks.md#list).
package struct WebhooksCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "webhooks", abstract: "List webhooks that wait to be sent, or were given up.",
        discussion: """
            The newest come first. A webhook that its receiver has taken is not listed. Needs a token of scope owner.
            """)

    enum State: String, ExpressibleByArgument, CaseIterable {
        case pending, dead
    }

    @Option(help: "Only those that are pending, or only those that are dead.")
    var state: State?

    @Option(help: "At most so many; without it, all.")
    var limit: Int?

    @Flag(help: "The webhooks themselves, a JSON object a line.")
    var json = false

    @OptionGroup var remote: RemoteAppOptions

    package init() {}

    package func validate() throws {
        if let limit, limit < 1 { throw ValidationError("The limit is at least 1.") }
    }

    package func run() throws {
        let (daemon, app) = try remote.target()
        var (cursor, items): (String?, [JSONValue]) = (nil, [])
        let limit = limit ?? .max
        repeat {
            let page = try daemon.json(
                RemoteRequest("GET", "v1", "apps", app, "webhooks").with("state", state?.rawValue)
                    .with("cursor", cursor).with("limit", "\(min(limit - items.count, 1000))")
            ).object
            items += page?["items"]?.array ?? []
            cursor = page?["cursor"]?.string
        } while cursor != nil && items.count < limit
        let columns = ["id", "state", "attempts", "next_attempt", "last_failure", "created_at", "url"]
        try TextTable(columns: columns, rows: items).print(asJSON: json)
    }
}
