import BellwetherJSON
import Testing

/// A row of docs/reference/messaging.md#selection-examples.
struct SelectionVector: CustomTestStringConvertible, Sendable {
    enum Step: Sendable {
        case next(String, String?)
        case displayed(String)
        case clicked(String)
        case dismissed(String)
    }

    let number: Int
    /// The fields of each message, in addition to surface, text and style.
    let messages: JSONObject
    var triggers: JSONObject = [:]
    var onControl = "show-next-message"
    var dialect = "ios"
    let steps: [Step]
    /// The expected records, in order, without the `malformed_feature` that accompanies each `malformed`.
    var records: [String] = []
    var impressions: [String: Int] = [:]

    var testDescription: String { "B\(number)\(dialect == "ios" ? "" : " \(dialect)")" }

    /// The messages as a recipe: `p` and `m`, the priority and the cap, become a style.
    var recipe: JSONValue {
        var styles = JSONObject()
        var documents = JSONObject()
        for (key, shorthand) in messages {
            var document: JSONObject = ["surface": "microsurvey", "text": "A question?"]
            var style: JSONObject = ["priority": 50, "max-display-count": 5]
            for (field, value) in shorthand.object ?? [:] {
                switch field {
                case "p": style["priority"] = value
                case "m": style["max-display-count"] = value
                default: document[field] = value
                }
            }
            if document["style"] == nil { document["style"] = .string("STYLE-\(key)") }
            styles["STYLE-\(key)"] = .object(style)
            documents[key] = .object(document)
        }
        return [
            "messages": .object(documents), "styles": .object(styles), "triggers": .object(triggers),
            "on-control": .string(onControl),
        ]
    }
}
