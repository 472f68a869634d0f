package import ArgumentParser
internal import BellwetherBase
internal import BellwetherJSON
internal import FoundationEssentials

/// `bellwether mcp`: the Model Context Protocol over standard input and output (docs/reference/mcp.md#stdio). The
/// command sends each message unchanged to the daemon's `/mcp`, and writes the daemon's response.
package struct MCPCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "mcp", abstract: "Let an agent use the daemon's tools, over standard input and output.",
        discussion: """
            For programs that start a server of the Model Context Protocol themselves. The address is in BELLWETHER_URL, \
            the token in BELLWETHER_TOKEN; what the token may do bounds what the agent may. One JSON message a line; it \
            ends with its input.
            """)

    @OptionGroup var remote: RemoteOptions

    package init() {}

    package func run() throws {
        let daemon = try remote.daemon()
        try StandardOutput.replyLines(.data) { line in
            guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return .none }
            return PassedMessage(line).send(to: daemon)
        }
    }
}

/// A message for the daemon.
private struct PassedMessage {
    private let text: [UInt8]
    private let members: JSONObject

    init(_ line: [UInt8]) {
        text = line
        members = (try? JSONValue(parsing: line, limits: .kept))?.object ?? [:]
    }

    /// The daemon's response; nil if the sender expects none.
    func send(to daemon: RemoteDaemon) -> JSONValue? {
        var request = RemoteRequest("POST", "mcp").with(json: text)
        request.headers += headers
        request.seconds = 120
        do throws(RemoteFailure) {
            return try daemon.send(request).answer()
        } catch {
            if case .refused(let answer) = error, let message = try? answer.json(), message.object?["jsonrpc"] != nil {
                return message
            }
            return failure(Self.sentence(error))
        }
    }

    /// The header fields that repeat members of a stateless message.
    private var headers: [(name: String, value: String)] {
        let params = members["params"]?.object ?? [:]
        guard let method = members["method"]?.string,
            let revision = params["_meta"]?.object?["io.modelcontextprotocol/protocolVersion"]?.string
        else { return [] }
        let fields = [("MCP-Protocol-Version", revision), ("Mcp-Method", method)]
        let name = params[method == "resources/read" ? "uri" : "name"]?.string.map { [("Mcp-Name", $0)] } ?? []
        return (fields + name).map { (name: $0.0, value: Self.field($0.1)) }
    }

    /// Encodes a text in Base64 if a header field cannot contain it.
    private static func field(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) } && !text.hasPrefix("=?")
        return isPlain ? text : "=?base64?\(Base64.encode(Array(text.utf8)[...]))?="
    }

    /// A protocol error if the daemon gives no response. A notification gets none.
    private func failure(_ sentence: String) -> JSONValue? {
        guard let id = members["id"], members["method"] != nil else {
            StandardError.write(sentence)
            return .none
        }
        return ["jsonrpc": "2.0", "id": id, "error": ["code": -32603, "message": .string(sentence)]]
    }

    private static func sentence(_ failure: RemoteFailure) -> String {
        let advice =
            switch failure {
            case .unreachable: "Start the daemon (bellwether serve), or set BELLWETHER_URL to its address."
            case .refused(let answer) where answer.status == 401:
                "Set BELLWETHER_TOKEN to a token of the daemon (bellwether token create --scope owner)."
            case .refused(let answer) where answer.status == 404:
                "Is BELLWETHER_URL the address of a Bellwether daemon?"
            default: ""
            }
        return advice.isEmpty ? failure.description : "\(failure.description) \(advice)"
    }
}

extension RemoteResponse {
    /// The response; nil if the daemon only accepted the message.
    fileprivate func answer() throws(RemoteFailure) -> JSONValue? {
        // A literal nil would be JSON's null.
        body.isEmpty ? .none : .some(try json())
    }
}
