internal import Glibc

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
        var text = text
        text.withUTF8 { bytes in
            // Nearly all texts have neither byte. memchr finds this faster than a loop, above all in a debug build.
            guard has(0, bytes) || has(escape, bytes) else { return output.append(contentsOf: bytes) }
            for byte in bytes {
                if byte > escape {
                    output.append(byte)
                } else {
                    output.append(escape)
                    output.append(byte + 1)
                }
            }
        }
        return output.count - start
    }

    private static func has(_ byte: UInt8, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.baseAddress.map { memchr($0, Int32(byte), bytes.count) != nil } ?? false
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
