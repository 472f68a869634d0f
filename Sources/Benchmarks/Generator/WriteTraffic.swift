import Foundation

/// Behaviour events of known clients. Each request has one event with its own id, and is acknowledged when the event is
/// durable.
enum EventTraffic {
    /// The number of requests a second.
    static let rate = 500.0

    static var stream: Stream {
        let load = Load.events(1, clients: LoadedServer.clients.size)
        return Stream("events", .rate(rate), connections: 16, request: load.writer())
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
    static func get(_ path: String, ifNoneMatch tag: String? = nil, traceparent: String? = nil) -> [UInt8] {
        let condition = tag.map { "If-None-Match: \($0)\r\n" } ?? ""
        let trace = traceparent.map { "traceparent: \($0)\r\n" } ?? ""
        return Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(condition)\(trace)\r\n".utf8)
    }

    static func request(_ method: String, _ path: String, type: String = "application/json", body: [UInt8]) -> [UInt8] {
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n"
        return Array("\(head)\r\n".utf8) + body
    }
}
