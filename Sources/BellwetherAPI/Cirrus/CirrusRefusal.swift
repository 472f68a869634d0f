internal import BellwetherJSON
internal import HTTPWire

/// The refusals of Cirrus, in its own words: its clients read FastAPI's bodies, not problem documents. A refusal of the
/// daemon to any route (tokens, sizes, types of body) stays a problem, whose `detail` is a sentence as well.
enum CirrusRefusal: Error {
    /// 400 with a sentence.
    case sentence(String)
    /// 422: the request has wrong members.
    case faults([CirrusFault])

    static let noClientID = CirrusRefusal.sentence("Client ID value is missing or empty")
    /// There is one set of live recipes and no second one to preview.
    static let noPreview = CirrusRefusal.sentence("This Cirrus doesn’t support preview mode")

    /// The fault of a body that is not JSON. A syntax error has its position; a body that is too large, or not even
    /// text, has no position in FastAPI.
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

/// One fault of a request in the words of pydantic.
struct CirrusFault: Sendable, Hashable {
    let type: String
    let location: [JSONValue]
    let message: String
    /// The value that was sent there; of a missing member, the object that lacks it.
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
