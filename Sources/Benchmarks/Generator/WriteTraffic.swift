import Foundation

/// Behaviour events of known clients. Each request has one event with its own id, and is acknowledged when the event is
/// durable.
struct EventTraffic {
    /// The number of requests a second.
    static let rate = 500.0
    let clients: Population
    private let tag = LoadTag.next("stream")

    init(_ clients: Population) { self.clients = clients }

    var stream: Stream {
        Stream("events", .rate(Self.rate), connections: 16) { number, request in
            let client = clients.id(number * 7_919 % clients.size)
            let body = """
                {"client_id":"\(client)","events":[{"type":"behavior","name":"app_cycle.foreground","id":"\(tag)\(number)"}]}
                """
            request += HTTPText.request("POST", "/v1/apps/\(SampleApp.name)/events", body: Array(body.utf8))
        }
    }
}

/// A recipe that is published each second with a new text. Its message has the lowest priority.
enum PublishTraffic {
    static var stream: Stream {
        Stream("publishes", .rate(1), connections: 1, expecting: [200, 201]) { number, request in
            request += LoadedRecipe(version: LoadTag.next("v") + "\(number)").put
        }
    }
}

/// Checks of a large document by a reader, on two connections without a pause. Each takes about a tenth of a second of
/// a processor.
enum CheckTraffic {
    private static let body: [UInt8] = {
        let expression = (0..<400).map { "app_version == '\($0)'" }.joined(separator: " || ")
        let triggers = (0..<30).map { "\"T\($0)\": \"\(expression)\"" }.joined(separator: ", ")
        return Array("{\"triggers\": {\(triggers)}, \"messages\": {}}".utf8)
    }()

    static var stream: Stream {
        Stream("checks", .closed, connections: 2) { _, request in
            request += HTTPText.request("POST", "/v1/apps/\(SampleApp.name)/recipes/validate", body: body)
        }
    }
}

/// The recipe that is published while something is measured.
struct LoadedRecipe {
    static let slug = "published"
    let version: String
    /// Whether the message outranks all others, so that the response to a poll contains it.
    var isFirst = false

    var put: [UInt8] {
        let priority = isFirst ? 1_000_000 : 1
        let body = """
            {"triggers": {"PUBLISHED": "true"},
             "styles": {"PUBLISHED": {"priority": \(priority), "max-display-count": 5}},
             "messages": {"\(Self.slug)": {
               "surface": "\(SampleApp.surface)", "style": "PUBLISHED", "trigger-if-all": ["PUBLISHED"],
               "title": "Version \(version)", "text": "Published while it is measured",
               "button-label": "Microsurvey/Microsurvey.Prompt.Button.v127",
               "microsurveyConfig": {"utm-content": "published"}}}}
            """
        return HTTPText.request("PUT", "/v1/apps/\(SampleApp.name)/recipes/\(Self.slug)", body: Array(body.utf8))
    }
}

/// Requests as text.
enum HTTPText {
    static func request(_ method: String, _ path: String, type: String = "application/json", body: [UInt8]) -> [UInt8] {
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n"
        return Array("\(head)\r\n".utf8) + body
    }
}
