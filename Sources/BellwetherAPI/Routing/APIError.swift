internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import Surveys

/// The refusals of routes, in the routes' terms. Only `Problem.init(_:)` maps them to statuses.
enum APIError: Error {
    /// The query, or the outer form of a body, is malformed.
    case badRequest([Finding])
    case notJSON(JSONError)
    /// The request needs a body, but announces none.
    case lengthRequired
    case unsupportedMediaType(String)
    /// The body has another coding than gzip.
    case unsupportedCoding
    /// The received body is within the limit, but the expanded body exceeds it.
    case tooLarge(String)
    case unauthorized(String)
    case forbidden(String)
    /// The same as `forbidden`, for a reason that programs recognise by its code.
    case refused(code: String, String)
    case notFound(String)
    /// There is no content of this kind under a slug, but content of another one.
    case otherKind(String, ContentKind)
    case methodNotAllowed([String])
    /// `members` are further members of the problem.
    case conflict(code: String, String, members: JSONObject = [:])
    /// The resource existed earlier, or has another address.
    case gone(code: String, String)
    /// The requests exceed a rate limit. The next request is allowed after `retryAfter` seconds.
    case tooManyRequests(String, retryAfter: Int64)
    /// `current` describes the current resource.
    case preconditionFailed(String, current: JSONValue = .null)
    /// The request is well-formed, but its content is invalid.
    case invalid([Finding])
    /// The same as `invalid` for a document, with the document's warnings.
    case refusedDocument([Finding], warnings: [Finding])
    /// Lines of a list are no ids: the first faults, and the number of all.
    case badLines([Finding], count: Int)
    /// The answers to questions are invalid. Each fault names its question.
    case invalidAnswers([AnswerFault])
    /// A flow refuses an action; `run` is the current run.
    case refusedAction([FlowFault], isConflict: Bool, run: JSONValue)
    case store(StoreError)
    /// Too many requests wait in the queue of checks.
    case tooManyChecks
    /// The daemon has as much of something as it may have. The time is in seconds.
    case unavailable(String, retryAfter: Int)
    /// The client finished sending before its request was handled, as a client does that gives up.
    case clientGone
    /// This process may have missed changes of other processes in the store.
    case behind
    /// A flag cannot be evaluated; the code is the reason in OpenFeature's words.
    indirect case flag(FlagErrorCode, APIError)

    static func badRequest(_ code: String, _ message: String, at pointer: JSONPointer = .root) -> APIError {
        .badRequest([Finding(pointer: pointer, code: code, message: message)])
    }

    /// There is no content of this kind. The error names the kind that the slug has.
    static func noContent(_ kind: ContentKind, _ slug: Identifier, in app: AppSnapshot) -> APIError {
        let detail = "There is no \(kind.rawValue) \"\(slug)\"."
        guard let recipe = app.recipes[slug], recipe.stored.state != .draft,
            let other = recipe.recipe.content, other != kind
        else { return .notFound(detail) }
        return .otherKind(detail, other)
    }

    /// 400 if the body does not have the form that the route accepts; else 422.
    static func body(_ faults: [Finding]) -> APIError {
        faults.contains { ["required", "type"].contains($0.code) } ? .badRequest(faults) : .invalid(faults)
    }

    static func invalid(_ code: String, _ message: String, at pointer: JSONPointer = .root) -> APIError {
        .invalid([Finding(pointer: pointer, code: code, message: message)])
    }
}
