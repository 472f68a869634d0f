import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// An app for one test, on a daemon that tests may share.
struct TestApp {
    let server: Daemon
    let name: String

    /// Publishes the manifest under a new name.
    init(on server: Daemon? = nil, manifest: JSONValue = TestApp.manifest) throws {
        self.server = try server ?? Servers.shared()
        name = "app-\(UUID().uuidString.lowercased())"
        let answer = try self.server.put("\(path)/manifest", manifest)
        guard answer.status == 201 else { throw Failure("no app: \(answer.text)") }
    }

    /// An app that exists already.
    init(on server: Daemon, named name: String) {
        self.server = server
        self.name = name
    }

    var path: String { "/v1/apps/\(name)" }

    @discardableResult
    func publish(_ slug: String, _ recipe: JSONValue, query: String = "") throws -> HTTPResponse {
        let answer = try server.put("\(path)/recipes/\(slug)\(query)", recipe)
        guard answer.status < 300 else { throw Failure("\(slug) was not published: \(answer.text)") }
        return answer
    }

    /// `query` follows the client: `&surface=card`.
    func poll(_ client: String = "c", _ query: String = "", headers: [String: String] = [:]) throws -> HTTPResponse {
        try server.get("\(path)/messages?client_id=\(client)\(query)", headers: headers)
    }

    /// The keys of the messages that a client may see.
    func keys(_ client: String = "c", _ query: String = "") throws -> [String] {
        let answer = try poll(client, query)
        guard answer.status == 200 else { throw Failure("no messages: \(answer.text)") }
        return answer.json["messages"].strings("key")
    }

    /// Reports events and returns the receipt. All events must be accepted.
    @discardableResult
    func record(_ client: String = "c", _ events: JSONValue...) throws -> JSONValue {
        let answer = try server.post("\(path)/events", ["client_id": .string(client), "events": .array(events)])
        guard answer.status == 200 else { throw Failure("not recorded: \(answer.text)") }
        return answer.json
    }

    func respond(
        _ client: String = "c", _ message: String, _ option: String, _ more: JSONObject = [:],
        headers: [String: String] = [:]
    ) throws -> HTTPResponse {
        var body: JSONObject = ["client_id": .string(client), "message": .string(message), "option": .string(option)]
        for (key, value) in more { body[key] = value }
        return try server.post("\(path)/responses", .object(body), headers: headers)
    }

    /// All records of the app.
    func telemetry() throws -> [JSONValue] {
        let answer = try server.get("\(path)/telemetry?limit=10000")
        guard answer.status == 200 else { throw Failure("no telemetry: \(answer.text)") }
        return answer.lines
    }

    /// The names of all records, as `category.name`.
    func recorded() throws -> [String] {
        try telemetry().map { "\($0["category"].string ?? "?").\($0["name"].string ?? "?")" }
    }
}
