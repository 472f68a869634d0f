package import ArgumentParser
internal import BellwetherJSON
internal import FoundationEssentials

/// `bellwether preview`: the address of a recipe's preview (docs/web.md#preview).
package struct PreviewCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "preview", abstract: "Print an address where a recipe can be looked at, as clients would see it.",
        discussion: """
            By default the newest revision, also a draft. The address needs no token and ends after 15 minutes. Nothing \
            is recorded there. Needs a token of scope owner.
            """)

    @OptionGroup var remote: RemoteAppOptions

    @Option(help: "Another revision than the newest.")
    var revision: Int?

    @Option(help: "The language of the texts. Default: that of the browser.")
    var locale: String?

    @Option(help: "Of an experiment, the branch whose messages are shown. Default: the first that has some.")
    var branch: String?

    @Flag(help: "The daemon's whole answer as JSON.")
    var json = false

    @Argument(help: "The recipe.")
    var slug: String

    package init() {}

    package func validate() throws {
        if let revision, revision < 1 { throw ValidationError("Revisions count from 1.") }
    }

    package func run() throws {
        let (daemon, app) = try remote.target()
        let request = RemoteRequest("POST", "v1", "apps", app, "recipes", slug, "preview")
            .with("revision", revision.map { String($0) })
        let answer = try daemon.json(request)
        guard !json else { return try StandardOutput.writeLine(answer.text) }
        let base = daemon.url.absoluteString
        var address = URLComponents(
            string: (base.hasSuffix("/") ? String(base.dropLast()) : base) + (answer.object?["url"]?.string ?? ""))
        let items = [("locale", locale), ("branch", branch)].compactMap { name, value in
            value.map { URLQueryItem(name: name, value: $0) }
        }
        if !items.isEmpty { address?.queryItems = items }
        try StandardOutput.writeLine(address?.string ?? "")
    }
}
