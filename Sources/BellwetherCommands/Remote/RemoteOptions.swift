package import ArgumentParser
internal import FoundationEssentials

/// The options for the address of the running daemon and the token, for each command that uses one.
///
///     @OptionGroup var remote: RemoteOptions
///     …
///     let answer = try remote.daemon().json(RemoteRequest("GET", "v1", "apps"))
package struct RemoteOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The daemon. Default: BELLWETHER_URL, else http://127.0.0.1:8080.", valueName: "url"))
    package var url: String?

    @Option(
        help: ArgumentHelp(
            "A file that holds the token and nothing else. Default: the token in BELLWETHER_TOKEN.", valueName: "file"),
        completion: .file())
    package var tokenFile: String?

    package init() {}

    /// The daemon. Invalid options are a usage error.
    package func daemon() throws -> RemoteDaemon {
        let environment = ProcessInfo.processInfo.environment
        let text = url ?? environment["BELLWETHER_URL"] ?? "http://127.0.0.1:8080"
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host?.isEmpty == false,
            url.user == nil, url.query == nil
        else { throw ValidationError("\(text) is no URL such as http://127.0.0.1:8080.") }
        return try RemoteDaemon(url: url, token: try token(environment))
    }

    /// The token. It is never an argument, because everyone on the machine can see arguments.
    private func token(_ environment: [String: String]) throws -> String? {
        var text = environment["BELLWETHER_TOKEN"]
        if let tokenFile {
            guard let data = FileManager.default.contents(atPath: tokenFile) else {
                throw ValidationError("\(tokenFile) cannot be read.")
            }
            text = String(decoding: data, as: UTF8.self)
        }
        guard let token = text?.trimmed, !token.isEmpty else { return nil }
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ValidationError("The token is not one line of visible characters.")
        }
        return token
    }
}
