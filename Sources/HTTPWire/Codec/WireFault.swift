internal import BellwetherJSON

/// The reason why bytes are not a request. After any of these faults the end of the message is unknown, or reading it
/// is not worth the work. The response is a problem document, and the connection is closed.
public enum WireFault: String, Error, Sendable, Hashable, CaseIterable {
    case requestLine = "request_line"
    case version = "version"
    case unsupportedVersion = "unsupported_version"
    case target = "target"
    case targetTooLong = "target_too_long"
    case lineEnd = "line_end"
    case fieldLine = "field_line"
    case fieldName = "field_name"
    case fieldValue = "field_value"
    case folding = "folding"
    case duplicateField = "duplicate_field"
    case host = "host"
    case contentLength = "content_length"
    case transferEncoding = "transfer_encoding"
    case framing = "framing"
    case expectation = "expectation"
    case chunk = "chunk"
    case headTooLarge = "head_too_large"
    case tooManyFields = "too_many_fields"
    case contentTooLarge = "content_too_large"
    case headTimeout = "head_timeout"
    case contentTimeout = "content_timeout"

    /// A stable name for counters.
    public var code: String { rawValue }

    public var status: Int {
        switch self {
        case .targetTooLong: 414
        case .headTooLarge, .tooManyFields: 431
        case .contentTooLarge: 413
        case .expectation: 417
        case .unsupportedVersion: 505
        case .headTimeout, .contentTimeout: 408
        default: 400
        }
    }

    public var problem: Problem {
        Problem(status, detail, errors: [Finding(pointer: .root, code: code, message: detail)])
    }

    private var detail: String {
        switch self {
        case .requestLine: "The request line is not a method, a target and a version, each separated by one space."
        case .version: "The version is neither HTTP/1.1 nor HTTP/1.0."
        case .unsupportedVersion: "Only HTTP/1.1 and HTTP/1.0 are spoken here."
        case .target: "The target is not a path, an absolute http URI or, for OPTIONS, an asterisk, in visible ASCII."
        case .targetTooLong: "The target is longer than allowed."
        case .lineEnd: "A line of the head does not end with CR LF."
        case .fieldLine: "A header line has no colon."
        case .fieldName: "A header name is empty or has a character that is not allowed in names."
        case .fieldValue: "A header value has a control character."
        case .folding: "A header line starts with a blank (obsolete line folding)."
        case .duplicateField: "A header that may come once came twice."
        case .host: "The Host header is missing or is not a host."
        case .contentLength: "Content-Length is not a decimal number of bytes."
        case .transferEncoding: "The only transfer coding is chunked, sent once, in HTTP/1.1."
        case .framing: "Content-Length and Transfer-Encoding came together."
        default: lateDetail
        }
    }

    private var lateDetail: String {
        switch self {
        case .expectation: "The only expectation that is met is 100-continue."
        case .chunk: "The chunked coding of the content is broken."
        case .headTooLarge: "The head of the request is larger than allowed."
        case .tooManyFields: "The request has more header lines than allowed."
        case .contentTooLarge: "The content is larger than this endpoint takes."
        case .headTimeout: "The head of the request took too long to arrive."
        case .contentTimeout: "The content took too long to arrive."
        default: "The request could not be read."
        }
    }
}
