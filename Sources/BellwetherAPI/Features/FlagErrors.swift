internal import BellwetherJSON
internal import HTTPWire

/// The reason why a flag could not be evaluated, in OpenFeature's words.
enum FlagErrorCode: String {
    case parseError = "PARSE_ERROR"
    case targetingKeyMissing = "TARGETING_KEY_MISSING"
    case invalidContext = "INVALID_CONTEXT"
    case flagNotFound = "FLAG_NOT_FOUND"
    case general = "GENERAL"
}

/// The form of errors that a route's clients read, and the fields in which they may send their token.
enum ErrorForm: Sendable {
    /// Problem documents.
    case problem
    /// Problem documents that also have OFREP's members. A token may be in `X-API-Key`.
    case openFeature
    /// Problem documents that also have `error` and `reason`, which Owlmetry's SDKs read.
    case owlmetry
    /// Problem documents, and for browsers a page.
    case page
}

extension Problem {
    /// The refusal of a route, in the form that its clients read.
    init(_ error: APIError, at call: Call) {
        self.init(error)
        switch call.endpoint.errors {
        case .problem, .page: break
        case .openFeature: self = adding(openFeature: error, key: call.parameters["key"])
        case .owlmetry: self = addingOwlmetry()
        }
    }

    /// Adds OFREP's members: `errorCode`, `errorDetails`, and the flag's key if the request named a flag.
    func adding(openFeature error: APIError, key: String?) -> Problem {
        var problem = self
        var code = FlagErrorCode.general
        if case .flag(let own, _) = error { code = own }
        if let key { problem.extensions["key"] = .string(key) }
        problem.extensions["errorCode"] = .string(code.rawValue)
        problem.extensions["errorDetails"] = .string(detail ?? title)
        return problem
    }
}
