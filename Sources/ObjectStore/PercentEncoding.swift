internal import BellwetherBase

/// Percent-encoding as a signature of version 4 demands it: all bytes but RFC 3986's unreserved ones, with upper-case
/// digits.
enum PercentEncoding {
    private static let segments = ASCIISet.unreserved.union(ASCIISet("/"))
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Encodes a path and keeps its slashes.
    static func path(_ text: String) -> String { encode(text, keeping: segments) }

    /// Encodes a name or a value of a query.
    static func component(_ text: String) -> String { encode(text, keeping: .unreserved) }

    /// A query in canonical order: by encoded name, then by encoded value.
    static func query(_ items: [(name: String, value: String)]) -> String {
        items.map { (name: Array(component($0.name).utf8), value: Array(component($0.value).utf8)) }
            .sorted {
                $0.name == $1.name
                    ? $0.value.lexicographicallyPrecedes($1.value) : $0.name.lexicographicallyPrecedes($1.name)
            }
            .map { String(decoding: $0.name + [UInt8(ascii: "=")] + $0.value, as: UTF8.self) }
            .joined(separator: "&")
    }

    private static func encode(_ text: String, keeping kept: ASCIISet) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if kept.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Sequence<UInt8> {
    /// The bytes as lower-case hexadecimal digits.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
