internal import Gzip
internal import HTTPWire

/// How a body was coded for the way (`Content-Encoding`).
enum BodyCoding: Sendable {
    case identity, gzip

    /// RFC 9110 8.4.1.3: `x-gzip` is gzip.
    init(_ request: Request) throws(APIError) {
        let field = request.header(.contentEncoding) ?? []
        switch String(decoding: field, as: UTF8.self).lowercased() {
        case "", "identity": self = .identity
        case "gzip", "x-gzip": self = .gzip
        default: throw .unsupportedMediaType("Bodies are read plain, or compressed with gzip.")
        }
    }

    /// How many times its limit a body may have once it is inflated.
    static let ratio = 8

    /// The body as it was before.
    func decode(_ body: ArraySlice<UInt8>, limit: Int) throws(APIError) -> ArraySlice<UInt8> {
        guard self == .gzip else { return body }
        switch Inflation.gunzip(body, limit: limit) {
        case .success(let bytes): return bytes[...]
        case .failure(.tooLarge): throw .tooLarge("The body is larger than \(limit) bytes once it is inflated.")
        case .failure(.broken): throw .badRequest("gzip", "the body is not gzip")
        }
    }
}
