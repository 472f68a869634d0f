internal import BellwetherJSON
internal import BellwetherService
internal import Surveys

/// Everything that a route refuses, in the words of the route; `Problem.init(_:)` alone knows the statuses.
enum APIError: Error {
    /// The shape is wrong: the query, or the envelope of a body.
    case badRequest([Finding])
    case notJSON(JSONError)
    /// A body is needed, and the request announces none.
    case lengthRequired
    case unsupportedMediaType(String)
    /// The body is coded by something else than gzip.
    case unsupportedCoding
    /// Within the limit as it came, and beyond once it is expanded.
    case tooLarge(String)
    case unauthorized(String)
    case forbidden(String)
    /// The same, for a reason that programs recognise by its code.
    case refused(code: String, String)
    case notFound(String)
    case methodNotAllowed([String])
    case conflict(code: String, String)
    /// The resource was there once, or elsewhere.
    case gone(code: String, String)
    /// Asked faster than a limit allows: in so many seconds it may ask again.
    case tooManyRequests(String, retryAfter: Int64)
    /// `current` says what there is.
    case preconditionFailed(String, current: JSONValue = .null)
    /// Well-formed, but it cannot be.
    case invalid([Finding])
    /// The same for a document, with its warnings.
    case refusedDocument([Finding], warnings: [Finding])
    /// Answers to questions, each fault with its question.
    case invalidAnswers([AnswerFault])
    /// An action in a flow, with the run as it is.
    case refusedAction([FlowFault], isConflict: Bool, run: JSONValue)
    case store(StoreError)
    /// The process does not know what others have changed in the store.
    case behind
    /// A flag cannot be evaluated: the reason in OpenFeature's words.
    indirect case flag(FlagErrorCode, APIError)

    static func badRequest(_ code: String, _ message: String, at pointer: JSONPointer = .root) -> APIError {
        .badRequest([Finding(pointer: pointer, code: code, message: message)])
    }

    /// 400 where the body has not the shape that the route takes, else 422.
    static func body(_ faults: [Finding]) -> APIError {
        faults.contains { ["required", "type"].contains($0.code) } ? .badRequest(faults) : .invalid(faults)
    }

    static func invalid(_ code: String, _ message: String, at pointer: JSONPointer = .root) -> APIError {
        .invalid([Finding(pointer: pointer, code: code, message: message)])
    }
}
