/// The meaning of `segment.NAME`, `list.NAME` and `answer.NAME` in an expression (docs/reference/audiences.md).
///
/// A segment is put in as its expression. A list and an answer are identifiers of the environment, `list.NAME` and
/// `answer.NAME`, as is a segment that is not in force, which no environment knows.
public struct AudienceScope: Sendable, Hashable {
    /// The words before the name.
    public enum Word: String, Sendable, CaseIterable {
        case segment, list, answer
    }

    /// An expression that contains segments within segments is refused beyond this depth.
    public static let maximumDepth = 8

    /// The words that are names of attributes instead.
    public let attributes: Set<Word>
    /// The expressions of the segments in force, by name.
    public let segments: [String: String]

    public static let none = AudienceScope()

    public init(attributes: Set<Word> = [], segments: [String: String] = [:]) {
        (self.attributes, self.segments) = (attributes, segments)
    }

    /// Whether segments, lists and facts may have the name: 1 to 64 of `a` to `z`, digits and `_`, with no digit in
    /// front, and no word of the language.
    public static func isName(_ text: String) -> Bool {
        let isSpelled = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
            default: false
            }
        }
        guard isSpelled, (1...64).contains(text.utf8.count), text.utf8.first.map({ $0 > UInt8(ascii: "9") }) == true
        else { return false }
        return !["true", "false", "null", "in"].contains(text)
    }

    /// The word and the name of such an identifier; nil for another identifier.
    public static func parts(of identifier: String) -> (word: Word, name: String)? {
        guard let dot = identifier.utf8.firstIndex(of: UInt8(ascii: ".")),
            let word = Word(rawValue: String(identifier[..<dot]))
        else { return nil }
        return (word, String(identifier[identifier.index(after: dot)...]))
    }
}
