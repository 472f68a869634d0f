/// Reads a text of a file's metadata, as this target writes it.
public enum ParquetMetadata {
    private static let magic = Array("PAR1".utf8)
    /// The length of the footer and the magic, which are the last bytes of a file.
    public static let tailBytes = 8

    /// The bytes of the footer, from the last bytes of a file; nil if they are not the end of a file of Parquet.
    public static func footerLength(_ tail: [UInt8]) -> Int? {
        guard tail.count >= tailBytes, Array(tail.suffix(4)) == magic else { return nil }
        return tail.suffix(tailBytes).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// The value of a key in a footer. The footer of another writer may have none, even if it has the key.
    public static func value(of key: String, in footer: [UInt8]) -> String? {
        var pattern: [UInt8] = [0x18]
        pattern.append(varint: key.utf8.count)
        pattern += key.utf8
        pattern.append(0x18)
        guard footer.count > pattern.count else { return nil }
        // The metadata follow the row groups, whose statistics contain texts of clients.
        for start in (0...(footer.count - pattern.count)).reversed()
        where footer[start] == 0x18 && footer[start..<start + pattern.count].elementsEqual(pattern) {
            var index = start + pattern.count
            guard let length = varint(footer, &index), index + length <= footer.count else { return nil }
            return String(decoding: footer[index..<index + length], as: UTF8.self)
        }
        return nil
    }

    private static func varint(_ bytes: [UInt8], _ index: inout Int) -> Int? {
        var value = 0
        for shift in stride(from: 0, through: 28, by: 7) {
            guard index < bytes.count else { return nil }
            let byte = bytes[index]
            index += 1
            value |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }
}

extension [UInt8] {
    fileprivate mutating func append(varint value: Int) {
        var value = value
        while value >= 0x80 {
            append(UInt8(value & 0x7F) | 0x80)
            value >>= 7
        }
        append(UInt8(value))
    }
}
