import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// The daemon's half of a `TwinClient`, over one connection.
struct TwinAPI {
    let app: TestApp
    private let connection: HTTPConnection

    struct Poll {
        let client: String
        let surfaces: [Identifier]
        let said: JSONObject
    }

    init(_ app: TestApp) throws {
        self.app = app
        connection = try app.server.connect()
    }

    static var clock: Timestamp { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }

    var now: Timestamp { Self.clock }

    func get(_ poll: Poll) throws -> JSONValue {
        var items = [("client_id", poll.client)] + poll.surfaces.map { ("surface", $0.text) }
        for (name, value) in poll.said { items.append((name, value.string ?? value.text)) }
        let query = items.map { "\($0)=\(Self.encoded($1))" }.joined(separator: "&")
        return try messages(send("GET", "/messages?\(query)"))
    }

    func post(_ poll: Poll, _ events: [DeviceEvent]) throws -> JSONValue {
        var body: JSONObject = [
            "client_id": .string(poll.client), "context": .object(poll.said),
            "surfaces": .array(poll.surfaces.map(JSONValue.string)),
        ]
        if !events.isEmpty { body["events"] = .array(events.map(\.json)) }
        let answer = try send("POST", "/messages", .object(body))
        if !events.isEmpty { try expectAccepted(answer["events"], events) }
        return messages(answer)
    }

    func record(_ events: [DeviceEvent], of client: String) throws {
        let body: JSONValue = ["client_id": .string(client), "events": .array(events.map(\.json))]
        try expectAccepted(try send("POST", "/events", body), events)
    }

    func respond(to message: Message, option: Int, of client: String, locale: String?) throws -> JSONValue {
        var body: JSONObject = [
            "client_id": .string(client), "message": .string(message.key), "option": .string("\(option)"),
            "revision": .integer(Int64(message.revision)),
        ]
        if let locale { body["locale"] = .string(locale) }
        return try send("POST", "/responses", .object(body))
    }

    func participate(_ participation: Participation, _ client: String) throws {
        _ = try send("PUT", "/clients/\(client)/participation", participation.json)
    }

    /// The records of each client, in order, without the times.
    func telemetry() throws -> [String: [JSONValue]] {
        var records: [String: [JSONValue]] = [:]
        var cursor = ""
        while true {
            let page = try app.server.get("\(app.path)/telemetry?limit=10000&after=\(cursor)")
            guard page.status == 200, let next = page.header("Bellwether-Next") else { throw Failure(page.text) }
            if next == cursor || page.lines.isEmpty { return records }
            for line in page.lines {
                records[line["client_id"].string ?? "?", default: []].append([
                    line["category"], line["name"], line["extra"], line["experiment"], line["branch"],
                ])
            }
            cursor = next
        }
    }

    private func send(_ method: String, _ path: String, _ body: JSONValue? = nil) throws -> JSONValue {
        let headers = body == nil ? [:] : ["Content-Type": "application/json"]
        try connection.send(method, app.path + path, headers: headers, body: body?.encoded)
        let answer = try connection.receive()
        guard answer.status < 300 else { throw Failure("\(method) \(path): \(answer.text)") }
        return answer.json
    }

    private func expectAccepted(_ tally: JSONValue, _ events: [DeviceEvent]) throws {
        try #require(tally["accepted"] == .integer(Int64(events.count)), "\(tally.text) \(events.map(\.json.text))")
    }

    /// The messages, with a fixed word in place of the UUIDs that the daemon derives.
    private func messages(_ answer: JSONValue) -> JSONValue {
        .array(
            (answer["messages"].array ?? []).map { message in
                guard let uuid = message["action"]["uuid"].string else { return message }
                let text = message.text.replacingOccurrences(of: uuid, with: CompiledApp.uuid)
                return (try? JSONValue(parsing: text)) ?? .null
            })
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
