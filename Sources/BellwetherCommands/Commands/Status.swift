package import ArgumentParser
internal import BellwetherJSON

/// `bellwether status`: asks a daemon for its state (docs/reference/http-api.md#the-command-status).
package struct Status: ParsableCommand {
    package static let configuration = CommandConfiguration(
        abstract: "Say whether the daemon works.",
        discussion: """
            Asks for /__heartbeat__ and prints the state of each part. The exit code is 0 while the daemon serves, also \
            if a part is degraded, and 1 if it does not answer within 5 seconds or a part has failed. Needs no token.
            """)

    @Flag(help: "The heartbeat itself, a JSON object.")
    var json = false

    @OptionGroup var remote: RemoteOptions

    package init() {}

    package func run() throws {
        let state = try Self.state(of: try remote.daemon())
        if json {
            try StandardOutput.writeLine(JSONValue.object(state).text)
        } else {
            let reasons = state["reasons"]?.object ?? [:]
            let parts = (state["checks"]?.object ?? [:]).map { part, level in
                let sentences = (reasons[part]?.array ?? []).compactMap(\.string)
                let reason = sentences.isEmpty ? JSONValue.null : .string(sentences.joined(separator: "; "))
                return JSONValue.object(["part": .string(part), "state": level, "reason": reason])
            }
            try TextTable(columns: ["part", "state", "reason"], rows: parts).print(asJSON: false)
        }
        if state["status"] == "error" { throw ExitCode(1) }
    }

    /// The heartbeat, which is 503 if a part has failed.
    private static func state(of daemon: RemoteDaemon) throws(RemoteFailure) -> JSONObject {
        var request = RemoteRequest("GET", "__heartbeat__")
        request.seconds = 5
        let state: JSONValue
        do throws(RemoteFailure) {
            state = try daemon.json(request)
        } catch {
            guard case .refused(let response) = error else { throw error }
            guard let answer = try? response.json(), answer.object?["checks"] != nil else { throw error }
            state = answer
        }
        return state.object ?? [:]
    }
}
