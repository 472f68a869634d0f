import BellwetherJSON
import Foundation
import TestSupport

/// A daemon that requires tokens. Its configuration file has the digests of some; the daemon issues the others.
struct GuardedDaemon {
    let daemon: Daemon
    let folder: TemporaryDirectory
    /// The scope and app of each token that the daemon accepts, by the token's text.
    private(set) var living = GuardedDaemon.tokens
    /// The texts of tokens that the daemon issued and then revoked, one for each scope.
    private(set) var revoked: [String] = []

    /// The tokens that the configuration file declares.
    static let tokens: [String: (scope: String, app: String)] = [
        "client-one": ("client", "one"), "owner-one": ("owner", "one"), "pipeline-one": ("pipeline", "one"),
        "admin-one": ("admin", "one"), "client-two": ("client", "two"), "owner-two": ("owner", "two"),
        "pipeline-two": ("pipeline", "two"), "client-all": ("client", "*"), "owner-all": ("owner", "*"),
        "pipeline-all": ("pipeline", "*"), "admin-all": ("admin", "*"), "reader-one": ("reader", "one"),
        "translator-one": ("translator", "one"), "reviewer-one": ("reviewer", "one"), "support-one": ("support", "one"),
        "support-two": ("support", "two"),
    ]
    /// The texts of expired tokens of the file, one for each scope.
    static let expired = ["client", "owner", "pipeline", "admin"].map { "\($0)-expired" }

    init() throws {
        folder = try TemporaryDirectory()
        var lines = try Self.tokens.sorted { $0.key < $1.key }.map { text, token in
            "  - \(text):\(token.scope):\(token.app):\(try Self.digest(text))"
        }
        for text in Self.expired {
            let scope = text.prefix { $0 != "-" }
            lines.append("  - \(text):\(scope):*:\(try Self.digest(text)):2020-01-01T00:00:00Z")
        }
        lines.append("  - fresh:client:*:\(try Self.digest("client-fresh")):2999-01-01T00:00:00Z")
        let file = try folder.write("tokens:\n" + lines.joined(separator: "\n") + "\n", to: "bellwether.yaml")
        daemon = try Daemon(["--config", file])
        for app in ["one", "two"] {
            let put = try daemon.put(
                "/v1/apps/\(app)/manifest", Self.manifest(app), headers: Self.bearer("admin-all"))
            guard put.status == 201 else { throw Failure("no app: \(put.text)") }
        }
        for scope in ["client", "owner", "pipeline", "admin"] {
            for app in ["one", "two", "*"] {
                living[try issue("\(scope) \(app)", scope, app)] = (scope, app)
            }
            revoked.append(try issue("\(scope)-revoked", scope, "*"))
            try revoke("\(scope)-revoked")
        }
    }

    static func applicationID(_ app: String) -> String { "guarded-\(app)" }

    static func manifest(_ app: String) -> JSONValue {
        let ids: JSONValue = [.string(applicationID(app))]
        return .object((TestApp.manifest.object ?? [:]).merging("application_ids", ids))
    }

    /// Makes the daemon issue a token and returns its text.
    func issue(_ name: String, _ scope: String, _ app: String) throws -> String {
        let body: JSONValue = ["name": .string(name), "scope": .string(scope), "app": .string(app)]
        let answer = try daemon.post("/v1/tokens", body, headers: Self.bearer("admin-all"))
        guard answer.status == 201, let text = answer.json["token"].string else {
            throw Failure("no token: \(answer.text)")
        }
        return text
    }

    func revoke(_ name: String) throws {
        let answer = try daemon.send("DELETE", "/v1/tokens/\(name)", headers: Self.bearer("admin-all"))
        guard answer.status == 204 else { throw Failure("not revoked: \(answer.text)") }
    }

    static func bearer(_ token: String) -> [String: String] { ["Authorization": "Bearer \(token)"] }

    /// The digest by sha256sum, as in the README.
    static func digest(_ token: String) throws -> String {
        String(try Command.run(["sha256sum"], input: token).output.prefix(64))
    }
}
