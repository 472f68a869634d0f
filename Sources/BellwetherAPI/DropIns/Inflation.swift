internal import CZlib
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

/// Inflates gzip (RFC 1952) up to a bound, so that no body takes more memory or time than that.
enum Inflation {
    enum Failure: Error, Sendable { case tooLarge, broken }

    /// How many times its limit a body may have once it is inflated.
    static let ratio = 8
    private static let chunk = 65_536

    /// All members of the input, one after another, and nothing else.
    static func gunzip(_ input: ArraySlice<UInt8>, limit: Int) -> Result<[UInt8], Failure> {
        var stream = z_stream()
        var input = input
        // zlib remembers where its stream lies: it must not move between the calls.
        return withUnsafeMutablePointer(to: &stream) { stream in
            guard bellwether_inflate_init(stream) == Z_OK else { return .failure(.broken) }
            defer { inflateEnd(stream) }
            return input.withUnsafeMutableBufferPointer { source in
                stream.pointee.next_in = source.baseAddress
                stream.pointee.avail_in = uInt(source.count)
                return inflateMembers(stream, limit: limit)
            }
        }
    }

    private static func inflateMembers(_ stream: UnsafeMutablePointer<z_stream>, limit: Int) -> Result<[UInt8], Failure>
    {
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: chunk)
        while true {
            let (status, count) = buffer.withUnsafeMutableBufferPointer { target in
                stream.pointee.next_out = target.baseAddress
                stream.pointee.avail_out = uInt(target.count)
                let status = inflate(stream, Z_NO_FLUSH)
                return (status, target.count - Int(stream.pointee.avail_out))
            }
            guard output.count + count <= limit else { return .failure(.tooLarge) }
            output += buffer[..<count]
            switch status {
            case Z_STREAM_END where stream.pointee.avail_in == 0: return .success(output)
            case Z_STREAM_END: guard inflateReset(stream) == Z_OK else { return .failure(.broken) }
            // More to come, unless the input ended within a member.
            case Z_OK where stream.pointee.avail_in > 0 || count == chunk: continue
            default: return .failure(.broken)
            }
        }
    }
}
