internal import ArgumentParser
internal import BellwetherBase
internal import BellwetherCommands
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// `bellwether token`: manages the tokens with which programs and people use the daemon
/// (docs/reference/http-api.md#tokens-and-scopes; docs/reference/http-api.md#commands-that-ask-a-daemon).
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Make, list and revoke tokens.",
        discussion: "All but hash ask a running daemon, and need a token of scope admin for all apps.",
        subcommands: [Create.self, List.self, Revoke.self, Hash.self])

    /// Prints only the token's text, so its output can go directly into a file.
    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make a token, and print it this once.")

        @Option(help: "What it is called in lists, logs and the audit.")
        var name: String

        @Option(
            help: "What it is for: \(scopes.joined(separator: ", ")).", completion: .list(scopes),
            transform: Self.scope)
        var scope: Scope

        @Option(help: "The app that it is for; * for all.")
        var app: String

        @Option(help: ArgumentHelp("When it ends, such as 2027-01-01T00:00:00Z. Default: never.", valueName: "time"))
        var expires: String?

        @Option(
            help: ArgumentHelp(
                "What its text begins with: 1 to 32 characters of a-z, 0-9 and _. Default: bw_.", valueName: "text"))
        var prefix: String?

        @Flag(help: "A client's token that stands in web pages, where everybody can read it.")
        var web = false

        @Flag(help: "Everything about it as a JSON object.")
        var json = false

        @OptionGroup var remote: RemoteOptions

        private static let scopes = Scope.allCases.map(\.rawValue)

        private static func scope(_ text: String) throws -> Scope {
            guard let scope = Scope(rawValue: text) else {
                throw ValidationError("\(text) is none of \(scopes.joined(separator: ", ")).")
            }
            return scope
        }

        func validate() throws {
            if let prefix, !TokenText.isPrefix(prefix) {
                throw ValidationError("A prefix has 1 to 32 characters of a-z, 0-9 and _.")
            }
            if let expires, Timestamp(rfc3339: expires) == nil {
                throw ValidationError("\(expires) is no time such as 2027-01-01T00:00:00Z.")
            }
        }

        func run() throws {
            var body: JSONObject = [
                "name": .string(name), "scope": .string(scope.rawValue), "app": .string(app),
            ]
            if web { body["web"] = true }
            if let prefix { body["prefix"] = .string(prefix) }
            if let expires { body["expires"] = .string(expires) }
            let made = try remote.daemon().json(RemoteRequest("POST", "v1", "tokens").with(json: .object(body)))
            try StandardOutput.writeLine(json ? made.text : made.object?["token"]?.string ?? "")
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List tokens: those of the configuration, those that were made, those that were revoked.")

        @Flag(help: "One JSON object a token, a line each.")
        var json = false

        @OptionGroup var remote: RemoteOptions

        func run() throws {
            let answer = try remote.daemon().json(RemoteRequest("GET", "v1", "tokens"))
            let tokens = answer.object?["tokens"]?.array ?? []
            let columns = ["name", "scope", "app", "source", "web", "created", "expires", "last_used", "revoked"]
            try TextTable(columns: columns, rows: tokens).print(asJSON: json)
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a token: the next request with it is refused.")

        @Argument(help: "Its name.")
        var name: String

        @OptionGroup var remote: RemoteOptions

        func run() throws { try remote.daemon().send(RemoteRequest("DELETE", "v1", "tokens", name)) }
    }

    /// Works without a daemon. The text comes from standard input, because everyone on the machine can see arguments.
    struct Hash: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the SHA-256 of a token, for the configuration file.",
            discussion: "Standard input holds the token's text; a line end after it does not belong to it.")

        func run() throws {
            let text = String(decoding: StandardInput.all(), as: UTF8.self).trimmed
            guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                StandardError.write("A token is one line of visible ASCII characters, and no space.")
                throw ExitCode(1)
            }
            try StandardOutput.writeLine(Digest.hex(Digest.sha256(Array(text.utf8))))
        }
    }
}
