import BellwetherJSON
import Foundation

/// The app that the crash command serves and polls. It has a message with a cap and a survey that are new in each
/// round, a recipe that is published repeatedly, and a recipe that shows whether counters are exact.
enum CrashApp {
    static let cap = 3
    static let path = "/v1/apps/\(SampleApp.name)"
    /// Surfaces of the shipped manifest, one for each purpose, so that no message outranks another.
    static let cappedSurface = "notification"
    static let exactSurface = "new-tab-card"

    static func cappedKey(_ round: Int) -> String { "capped-\(round)" }
    static func surveyKey(_ round: Int) -> String { "survey-\(round)" }

    static func capped(_ round: Int) -> String {
        """
        {"styles": {"CAPPED": {"priority": 50, "max-display-count": \(cap)}},
         "messages": {"\(cappedKey(round))": {"surface": "\(cappedSurface)", "style": "CAPPED", "text": "Shown thrice",
           "trigger-if-all": ["ALWAYS"]}}}
        """
    }

    static func survey(_ round: Int) -> String {
        """
        {"messages": {"\(surveyKey(round))": {"surface": "microsurvey", "text": "How is it?",
           "trigger-if-all": ["ALWAYS"], "button-label": "Go on",
           "microsurveyConfig": {"utm-content": "crash", "options": ["Good", "Fair", "Bad"]}}}}
        """
    }

    /// A recipe whose message is offered to clients with exactly this number of visits.
    static func exact(_ visits: Int) -> String {
        """
        {"triggers": {"EXACT": "'visit'|eventSum('Years', 4, 0) == \(visits)"},
         "messages": {"exact": {"surface": "\(exactSurface)", "text": "Exactly", "trigger-if-all": ["EXACT"]}}}
        """
    }

    static func published(_ version: Int) -> String {
        """
        {"messages": {"published": {"surface": "survey", "text": "Version \(version)", "trigger-if-all": ["NEVER"]}}}
        """
    }

    static func poll(_ client: String, _ surface: String) -> String {
        "\(path)/messages?client_id=\(client)&surface=\(surface)&locale=en-US"
    }

    static func put(_ slug: String, _ document: String, on client: LoopbackClient) throws {
        let answer = try client.put("\(path)/recipes/\(slug)", document)
        guard [200, 201].contains(answer.status) else { throw Failure("\(slug): \(answer.status) \(answer.text)") }
    }
}

extension LoopbackClient.Response {
    var json: JSONValue { get throws { try JSONValue(parsing: body) } }

    /// The first message of a poll.
    var message: JSONObject? {
        get throws {
            guard status == 200 else { throw Failure("poll: \(status) \(text.prefix(500))") }
            return try json.object?["messages"]?.array?.first?.object
        }
    }
}
