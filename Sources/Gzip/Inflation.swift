internal import CZlib

/// Inflates gzip (RFC 1952) up to a bound, which limits the memory and the time that a body takes.
public enum Inflation {
    public enum Failure: Error, Sendable { case tooLarge, tooDense, broken }

    private static let chunk = 65_536
    /// Content larger than `freeBytes` may be at most this many times larger than its compressed form.
    public static let ratio = 100
    public static let freeBytes = 65_536

    /// The same as `gunzip`. The error is `tooDense` if the content exceeds the ratio before it exceeds the limit.
    public static func expand(_ input: ArraySlice<UInt8>, limit: Int) -> Result<[UInt8], Failure> {
        let bound = max(freeBytes, ratio * input.count)
        guard bound < limit else { return gunzip(input, limit: limit) }
        return gunzip(input, limit: bound).mapError { $0 == .tooLarge ? .tooDense : $0 }
    }

    /// Inflates all members of the input, one after another. Any other data after them is an error.
    public static func gunzip(_ input: ArraySlice<UInt8>, limit: Int) -> Result<[UInt8], Failure> {
        var stream = z_stream()
        var input = input
        // zlib keeps a pointer to its stream: the stream must not move between the calls.
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
            // The input has more data, unless it ended within a member.
            case Z_OK where stream.pointee.avail_in > 0 || count == chunk: continue
            default: return .failure(.broken)
            }
        }
    }
}
