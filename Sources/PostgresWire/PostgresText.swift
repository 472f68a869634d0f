/// The encoding of texts for PostgreSQL, which cannot store U+0000. U+0000 is written as U+0001 U+0001, and U+0001 as
/// U+0001 U+0002. Different texts have different encodings, and the bytes of the encodings sort like the texts.
enum PostgresText {
    private static let escape: UInt8 = 1

    static func encode(_ text: String) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count)
        encode(text, to: &output)
        return output
    }

    /// Returns the number of bytes that were written.
    @discardableResult
    static func encode(_ text: String, to output: inout [UInt8]) -> Int {
        let start = output.count
        for byte in text.utf8 {
            if byte > escape {
                output.append(byte)
            } else {
                output.append(escape)
                output.append(byte + 1)
            }
        }
        return output.count - start
    }

    static func decode(_ bytes: UnsafeRawBufferPointer) -> String {
        guard bytes.contains(escape) else { return String(decoding: bytes, as: UTF8.self) }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var isEscaped = false
        for byte in bytes {
            if isEscaped {
                output.append(byte &- 1)
                isEscaped = false
            } else if byte == escape {
                isEscaped = true
            } else {
                output.append(byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
