internal import Glibc

/// The name of a daemon in its log, its metrics and its responses. It distinguishes the daemons that share a store
/// (docs/reference/http-api.md#several-nodes).
enum NodeName {
    static let kind = "1 to 64 letters, digits, dots, hyphens and underscores, the first a letter or a digit"
    private static let longestHost = 50

    static func allows(_ text: String) -> Bool {
        guard (1...64).contains(text.utf8.count), let first = text.utf8.first, isLetterOrDigit(first) else {
            return false
        }
        return text.utf8.allSatisfy(isAllowed)
    }

    /// The machine's name and a short random id, chosen once for the process: several daemons may run on one machine.
    static let ofProcess: String = {
        var buffer = [CChar](repeating: 0, count: 256)
        gethostname(&buffer, buffer.count - 1)
        let host = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }.prefix(longestHost)
        let name = String(decoding: host.map { isAllowed($0) ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
        let digits = String(Int.random(in: 0..<(1 << 24)), radix: 16)
        let id = String(repeating: "0", count: 6 - digits.utf8.count) + digits
        return allows(name) ? "\(name)-\(id)" : "node-\(id)"
    }()

    private static func isAllowed(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains(byte)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
