internal import BellwetherJSON
internal import HTTPWire

/// What Cirrus refuses, in its own words: its clients read FastAPI's bodies, not problem documents. What the daemon
/// refuses to any route (tokens, sizes, types of body) stays a problem, whose `detail` is a sentence as well.
enum CirrusRefusal: Error {
    /// 400 with a sentence.
    case sentence(String)
    /// 422: the request does not have the shape.
    case faults([CirrusFault])

    static let noClientID = CirrusRefusal.sentence("Client ID value is missing or empty")
    /// There is one set of live recipes and no second one to preview.
    static let noPreview = CirrusRefusal.sentence("This Cirrus doesn’t support preview mode")

    /// A body that is not JSON. What a JSON text cannot be is told with its place; what is too much, or not even text,
    /// has none in FastAPI.
    init(_ error: JSONError) {
        switch error.kind {
        case .utf8, .depth, .size, .count: self = .sentence("There was an error parsing the body")
        case .syntax, .truncated, .trailing, .number, .escape, .surrogate, .control, .byteOrderMark, .duplicateKey:
            self = .faults([
                CirrusFault(
                    type: "json_invalid", location: ["body", .integer(Int64(error.offset))],
                    message: "JSON decode error", input: [:], context: ["error": .string(error.message)])
            ])
        }
    }

    var response: Response {
        switch self {
        case .sentence(let text): .json(400, ["detail": .string(text)])
        case .faults(let faults): .json(422, ["detail": .array(faults.map(\.json))])
        }
    }
}

/// One fault of a request as pydantic tells it.
struct CirrusFault: Sendable, Hashable {
    let type: String
    let location: [JSONValue]
    let message: String
    /// What was sent there; of a missing member, the object that lacks it.
    let input: JSONValue
    var context: JSONObject?

    var json: JSONValue {
        var members: JSONObject = [
            "type": .string(type), "loc": .array(location), "msg": .string(message), "input": input,
        ]
        if let context { members["ctx"] = .object(context) }
        return .object(members)
    }
}
