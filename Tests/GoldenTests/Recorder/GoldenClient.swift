import BellwetherJSON
import Foundation

/// A client of an app, with its attributes and its last offers.
struct GoldenClient {
    let app: Int
    let id: String
    var context: JSONObject
    var question = GoldenCall()
    /// The number of the exchange that last answered this request.
    var answered: Int?
    var offered: [Offer] = []

    struct Offer {
        let key: String
        let revision: Int64
        /// The microsurvey's options; none for other messages.
        let options: [String]
    }

    mutating func take(_ answer: JSONValue?, from exchange: Int) {
        answered = exchange
        guard let messages = answer?.object?["messages"]?.array else { return }
        offered = messages.compactMap { message in
            guard let message = message.object, let key = message["key"]?.string else { return nil }
            let options = message["microsurvey"]?.object?["options"]?.array ?? []
            return Offer(
                key: key, revision: message["revision"]?.integer ?? 1,
                options: options.compactMap { $0.object?["id"]?.string })
        }
    }
}

/// The parameters and the form of a client's poll.
struct GoldenCall {
    var surfaces: [String] = []
    var isPost = false
    /// The value of `Accept-Language`.
    var language: String?

    /// A path below the app's path, and a body.
    func poll(_ client: GoldenClient, events: [JSONValue]?) -> (method: String, path: String, body: JSONValue?) {
        guard isPost || events != nil else {
            var items = [("client_id", client.id)] + surfaces.map { ("surface", $0) }
            items += client.context.map { ($0.key, $0.value.string ?? $0.value.text) }
            return ("GET", "messages?" + Self.query(items), nil)
        }
        var body: JSONObject = ["client_id": .string(client.id), "context": .object(client.context)]
        if !surfaces.isEmpty { body["surfaces"] = .array(surfaces.map(JSONValue.string)) }
        if let events { body["events"] = .array(events) }
        return ("POST", "messages", .object(body))
    }

    static func query(_ items: [(String, String)]) -> String {
        items.map { "\($0)=\(encoded($1))" }.joined(separator: "&")
    }

    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~")))
            ?? ""
    }
}
