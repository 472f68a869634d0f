public import BellwetherJSON

/// An RFC 9457 problem document: the error, and every fault that was found (docs/reference/http-api.md#errors).
public struct Problem: Sendable {
    public var status: Int
    /// A URI that names the kind of problem; `about:blank` if the status is sufficient.
    public var type: String
    public var title: String
    public var detail: String?
    public var errors: [Finding]
    /// Further members of each error. The list is empty if no error has any.
    public var details: [JSONObject] = []
    /// Further members of the document, for clients that expect another format of errors (RFC 9457 3.2).
    public var extensions = JSONObject()
    /// Further header lines of the response (Retry-After, Allow), already formatted.
    public private(set) var headers: [UInt8] = []

    /// Without `title`, the title is the status's reason phrase.
    public init(
        _ status: Int, _ detail: String? = nil, type: String = "about:blank", title: String? = nil,
        errors: [Finding] = []
    ) {
        self.status = status
        self.type = type
        self.title = title ?? StatusPhrase.text(status)
        self.detail = detail
        self.errors = errors
    }

    /// Adds a header line to the response.
    public mutating func add(_ name: StaticString, _ value: String) { headers.append(field: name, value) }

    public func adding(_ name: StaticString, _ value: String) -> Problem {
        var copy = self
        copy.add(name, value)
        return copy
    }

    /// `type`, `title`, `status`, `detail` if there is one, and `errors`. If there are no errors, the list has one that
    /// names the status, so that every problem has a code.
    public var json: JSONValue {
        var members = JSONObject()
        members["type"] = .string(type)
        members["title"] = .string(title)
        members["status"] = .integer(Int64(status))
        if let detail { members["detail"] = .string(detail) }
        members["errors"] = .array(
            findings.enumerated().map { index, finding in
                var error: JSONObject = [
                    "pointer": .string(finding.pointer.description), "code": .string(finding.code),
                    "message": .string(finding.message),
                ]
                if let suggestion = finding.suggestion { error["did_you_mean"] = .string(suggestion) }
                for detail in details.indices.contains(index) ? details[index] : [:] {
                    error[detail.key] = detail.value
                }
                return .object(error)
            })
        for (name, value) in extensions { members[name] = value }
        return .object(members)
    }

    /// Every fault. If there is none, the list contains the status as its only fault.
    public var findings: [Finding] { errors.isEmpty ? [general] : errors }

    /// The status as a fault of the whole request: 404 is `not_found`.
    private var general: Finding {
        let words = StatusPhrase.text(status).lowercased().map { $0 == " " || $0 == "-" ? "_" : $0 }
        return Finding(pointer: .root, code: String(words), message: detail ?? title)
    }
}
