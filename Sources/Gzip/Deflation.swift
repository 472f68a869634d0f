internal import CZlib

/// Compresses to gzip (RFC 1952).
public enum Deflation {
    /// Compresses the whole input as one member; nil if zlib cannot allocate memory. The levels are zlib's, 1 to 9.
    public static func gzip(_ input: [UInt8], level: Int32) -> [UInt8]? {
        var stream = z_stream()
        guard bellwether_deflate_init(&stream, level) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var input = input
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(input.count))))
        let status = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(target.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { return nil }
        output.removeLast(output.count - Int(stream.total_out))
        return output
    }
}
