internal import ArgumentParser
internal import BellwetherCommands
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// `bellwether user`: manages the accounts of the people who work in the console
/// (docs/reference/http-api.md#accounts; docs/reference/http-api.md#commands-that-ask-a-daemon).
struct UserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Make, list and remove the accounts of people.",
        discussion: "All ask a running daemon, and need a token of scope admin for all apps.",
        subcommands: [Add.self, List.self, Link.self, Remove.self])

    /// Prints only the link, so that it can be handed over.
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an account, and print the link with which its person signs in once, within a day.")

        @Argument(help: "The person's name, which the audit shows.")
        var name: String

        @Option(
            help: ArgumentHelp(
                "What the person may do: owner:trail-notes, or reader:* for all apps. May be repeated.",
                valueName: "scope:app"), transform: Self.role)
        var role: [(app: String, scope: Scope)]

        @OptionGroup var remote: RemoteOptions

        private static func role(_ text: String) throws -> (app: String, scope: Scope) {
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let scope = Scope(rawValue: parts[0]) else {
                throw ValidationError("\(text) is no role such as owner:trail-notes or reader:*.")
            }
            return (parts[1], scope)
        }

        func validate() throws {
            guard !role.isEmpty else { throw ValidationError("Give --role, such as owner:trail-notes.") }
        }

        func run() throws {
            var roles: JSONObject = [:]
            for role in role { roles[role.app] = .string(role.scope.rawValue) }
            let body: JSONObject = ["name": .string(name), "roles": .object(roles)]
            try UserCommand.writeLink(
                RemoteRequest("POST", "v1", "accounts").with(json: .object(body)), from: remote.daemon())
        }
    }

    struct Link: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print another link for a person who lost access. The one before is no longer valid.")

        @Argument(help: "The person's name.")
        var name: String

        @OptionGroup var remote: RemoteOptions

        func run() throws {
            try UserCommand.writeLink(RemoteRequest("POST", "v1", "accounts", name, "link"), from: remote.daemon())
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the accounts, with their roles and sessions.")

        @Flag(help: "One JSON object an account, a line each.")
        var json = false

        @OptionGroup var remote: RemoteOptions

        func run() throws {
            let answer = try remote.daemon().json(RemoteRequest("GET", "v1", "accounts"))
            let accounts = answer.object?["accounts"]?.array ?? []
            let columns = ["name", "roles", "source", "sessions", "link_expires", "last_used", "created"]
            try TextTable(columns: columns, rows: accounts).print(asJSON: json)
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove an account: its sessions and its link end at once.")

        @Argument(help: "The person's name.")
        var name: String

        @OptionGroup var remote: RemoteOptions

        func run() throws { try remote.daemon().send(RemoteRequest("DELETE", "v1", "accounts", name)) }
    }

    /// Prints the link that a request makes. If the daemon does not know its own address (`http.public_url`), the link
    /// begins with the address of the request.
    private static func writeLink(_ request: RemoteRequest, from daemon: RemoteDaemon) throws {
        let link = try daemon.json(request).object?["link"]?.string ?? ""
        try StandardOutput.writeLine(link.hasPrefix("/") ? daemon.address + link : link)
    }
}
