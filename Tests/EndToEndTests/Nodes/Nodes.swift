import BellwetherJSON
import Foundation
import PostgresSupport
import TestSupport

/// Daemons over one database. Their settings have a token for an administrator; they have no folders of documents.
struct Nodes {
    static let administrator = "root-token"

    let daemons: [Daemon]
    let uri: String
    private let folder: TemporaryDirectory

    /// - Parameters:
    /// - uri: the database; nil for an empty schema of the server that all tests share.
    /// - more: further settings, as YAML.
    init(count: Int = 3, uri: String? = nil, settings more: String = "") throws {
        let uri = try uri ?? PostgresServer.shared.get().emptySchema()
        let folder = try TemporaryDirectory()
        (self.uri, self.folder) = (uri, folder)
        let settings = """
            \(more)
            store:
              url: "\(uri)"
            apps: ""
            recipes: ""
            tokens:
              - root:admin:*:\(try GuardedDaemon.digest(Self.administrator))
            """
        let file = try folder.write(settings + "\n", to: "bellwether.yaml")
        daemons = try (0..<count).map { _ in try Daemon(["--config", file]) }
    }

    subscript(_ index: Int) -> Daemon { daemons[index % daemons.count] }

    static let headers = GuardedDaemon.bearer(administrator)

    /// The path of an app, after its manifest is published on the first node.
    func makeApp(_ name: String = "app") throws -> String {
        let answer = try Self.patiently {
            try self[0].put("/v1/apps/\(name)/manifest", TestApp.manifest, headers: Self.headers)
        }
        guard answer.status == 201 else { throw Failure("no app: \(answer.text)") }
        return "/v1/apps/\(name)"
    }

    /// Brings every node up to date: an owner's request makes a node load the published changes.
    func catchUp() throws {
        for daemon in daemons {
            let answer = try Self.patiently { try daemon.get("/v1/apps", headers: Self.headers) }
            guard answer.status == 200 else { throw Failure("\(answer.status): \(answer.text)") }
        }
    }

    /// The keys of the messages that a node offers to a client; nil if the node does not know the app.
    func keys(_ path: String, _ client: String, on node: Int) throws -> [String]? {
        let answer = try Self.patiently {
            try self[node].get("\(path)/messages?client_id=\(client)&surface=card", headers: Self.headers)
        }
        if answer.status == 404 { return nil }
        guard answer.status == 200 else { throw Failure("\(answer.status): \(answer.text)") }
        return answer.json["messages"].strings("key")
    }

    /// Repeats a request if a node is behind the others, as it may be on a busy machine.
    static func patiently(_ request: () throws -> HTTPResponse) throws -> HTTPResponse {
        var answer = try request()
        _ = try eventually {
            if answer.status == 503 { answer = try request() }
            return answer.status != 503
        }
        return answer
    }

    func areAll(_ condition: (Int) throws -> Bool) rethrows -> Bool {
        try eventually { try daemons.indices.allSatisfy(condition) }
    }
}
