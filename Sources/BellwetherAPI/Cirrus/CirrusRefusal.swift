internal import BellwetherJSON
internal import HTTPWire

/// The refusals of Cirrus, in Cirrus' own words: its clients read FastAPI's bodies, not problem documents. Refusals
/// that apply to every route (tokens, sizes, types of body) stay problems, whose `detail` is also a sentence.
enum CirrusRefusal: Error {
    /// Status 400, with a sentence.
    case sentence(String)
    /// Status 422: the request has wrong members.
    case faults([CirrusFault])

    static let noClientID = CirrusRefusal.sentence("Client ID value is missing or empty")
    /// There is only one set of live recipes, and no second one to preview.
    static let noPreview = CirrusRefusal.sentence("This Cirrus doesn’t support preview mode")

    /// The fault of a body that is not JSON. A syntax error has its position. In FastAPI, a body that is too large or
    /// is not text has no position.
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
    /// The value that was sent at the location; for a missing member, the object that lacks it.
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
