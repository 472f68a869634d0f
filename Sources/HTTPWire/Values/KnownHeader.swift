/// The header fields that the daemon reads. Each has a slot in a parsed head (`RequestHead.slots`, whose size is the
/// number of fields), so reading a field needs no search.
public enum KnownHeader: Int, Sendable, CaseIterable {
    case host, connection, expect, contentLength, transferEncoding
    case authorization, ifMatch, ifNoneMatch, contentType, contentEncoding
    case accept, acceptEncoding, acceptLanguage, origin
    case requestID, idempotencyKey, xForwardedFor, accessControlRequestMethod, apiKey
    case traceParent, traceState

    /// The field name in lowercase.
    public var name: StaticString {
        switch self {
        case .host: "host"
        case .connection: "connection"
        case .expect: "expect"
        case .contentLength: "content-length"
        case .transferEncoding: "transfer-encoding"
        case .authorization: "authorization"
        case .ifMatch: "if-match"
        case .ifNoneMatch: "if-none-match"
        case .contentType: "content-type"
        case .contentEncoding: "content-encoding"
        case .accept: "accept"
        case .acceptEncoding: "accept-encoding"
        case .acceptLanguage: "accept-language"
        case .origin: "origin"
        case .requestID: "x-request-id"
        case .idempotencyKey: "idempotency-key"
        case .xForwardedFor: "x-forwarded-for"
        case .accessControlRequestMethod: "access-control-request-method"
        case .apiKey: "x-api-key"
        case .traceParent: "traceparent"
        case .traceState: "tracestate"
        }
    }

    /// Whether several lines form one list (RFC 9110 5.3). Any other known field that is sent twice is refused, because
    /// two parsers could choose different values. A request with several lines of `traceparent` is accepted too, as if
    /// it had none (`Request.isRepeated`).
    var isList: Bool {
        switch self {
        case .connection, .ifMatch, .ifNoneMatch, .accept, .acceptEncoding, .acceptLanguage, .xForwardedFor: true
        case .traceParent, .traceState: true
        default: false
        }
    }

    /// The field with a name in any case. The name must not be empty.
    init?(name: Span<UInt8>) {
        let (first, last) = (name[0] | 0x20, name[name.count - 1] | 0x20)
        guard let candidate = Self.candidate(length: name.count, first: first, last: last) else { return nil }
        guard name.equals(folded: candidate.name) else { return nil }
        self = candidate
    }

    /// The only known field that can have this length and these first and last letters.
    private static func candidate(length: Int, first: UInt8, last: UInt8) -> KnownHeader? {
        switch (length, first) {
        case (4, _): .host
        case (6, UInt8(ascii: "a")): .accept
        case (6, UInt8(ascii: "o")): .origin
        case (6, _): .expect
        case (8, _): .ifMatch
        case (9, _): .apiKey
        case (10, UInt8(ascii: "t")): .traceState
        case (10, _): .connection
        case (11, _): .traceParent
        case (12, UInt8(ascii: "c")): .contentType
        case (12, _): .requestID
        case (13, UInt8(ascii: "a")): .authorization
        case (13, _): .ifNoneMatch
        case (14, _): .contentLength
        case (15, UInt8(ascii: "x")): .xForwardedFor
        case (15, UInt8(ascii: "i")): .idempotencyKey
        case (15, _): last == UInt8(ascii: "e") ? .acceptLanguage : .acceptEncoding
        case (16, _): .contentEncoding
        case (17, _): .transferEncoding
        case (29, _): .accessControlRequestMethod
        default: nil
        }
    }
}
