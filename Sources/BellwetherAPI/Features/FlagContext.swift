internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The body of an OpenFeature request: `{"context": {"targetingKey": …, attribute: value, …}}`. The targeting key is
/// the client's id. The other members are its attributes, as in a poll (docs/reference/features.md#openfeature).
struct FlagContext {
    let clientID: Identifier
    let targeting: TargetingContext
    /// How many attributes are not declared in the manifest.
    let ignoredAttributes: Int

    private static let key = "targetingKey"

    /// Reads the context, and reports all faults together. The media type is
    /// ignored: a browser may send text/plain, which needs no preflight (CORS).
    init(_ call: Call, app: AppSnapshot) throws(APIError) {
        let findings = Findings()
        let reader = JSONReader(try Self.body(call), findings: findings)
        guard reader.object() != nil else { throw .flag(.parseError, .badRequest(findings.faults)) }
        let context = reader.optional("context")
        _ = context?.object()
        let clientID = context?.optional(Self.key).flatMap(Self.readClientID)
        let isMissing = clientID == nil && findings.faults.isEmpty
        var attributes = context?.value.object ?? [:]
        attributes[Self.key] = nil
        (targeting, ignoredAttributes) = TargetingContext.read(
            JSONReader(.object(attributes), at: JSONPointer(tokens: ["context"]), findings: findings),
            manifest: app.manifest, accepted: ContextReading.acceptedLanguage(call, in: app))
        if isMissing {
            findings.fault(
                "required", at: JSONPointer(tokens: ["context", Self.key]), "the targeting key is missing or empty")
        }
        guard let clientID, findings.faults.isEmpty else {
            throw .flag(isMissing ? .targetingKeyMissing : .invalidContext, .badRequest(findings.faults))
        }
        self.clientID = clientID
    }

    /// The body; an absent body is an empty request.
    private static func body(_ call: Call) throws(APIError) -> JSONValue {
        guard !call.request.body.isEmpty else { return [:] }
        do {
            return try JSONValue(parsing: call.request.body, limits: call.jsonLimits)
        } catch {
            throw .flag(.parseError, .notJSON(error))
        }
    }

    /// The targeting key; nil if it is empty.
    private static func readClientID(_ reader: JSONReader) -> Identifier? {
        reader.value.string?.isEmpty == true ? nil : reader.identifier()
    }
}

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
    /// A page that leads back to the sign-in.
    case login
}

extension Problem {
    /// The refusal of a route, in the form that its clients read.
    init(_ error: APIError, at call: Call) {
        self.init(error)
        switch call.endpoint.errors {
        case .problem, .page, .login: break
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
