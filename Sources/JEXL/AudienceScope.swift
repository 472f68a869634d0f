/// The meaning of `segment.NAME`, `list.NAME` and `answer.NAME` in an expression (docs/reference/audiences.md).
///
/// A segment is compiled once, and all expressions that name it share it. A list and an answer are identifiers of the
/// environment, `list.NAME` and `answer.NAME`, as is a segment that is not in force, which no environment knows.
public struct AudienceScope: Sendable {
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

    /// The segments, compiled, by name. One with a mistake is its error.
    let compiled: [String: Result<CompiledExpression, JEXLError>]

    public static let none = AudienceScope()

    /// - Parameter previous: a former scope. If it has the same segments, they are not compiled again.
    public init(
        attributes: Set<Word> = [], segments: [String: String] = [:], after previous: AudienceScope? = nil
    ) {
        (self.attributes, self.segments) = (attributes, segments)
        if let previous, previous.attributes == attributes, previous.segments == segments {
            compiled = previous.compiled
        } else {
            compiled = SegmentCompilation.results(of: segments, attributes)
        }
    }

    /// A scope of segments that are being compiled.
    init(
        attributes: Set<Word>, sources: [String: String], _ compiled: [String: Result<CompiledExpression, JEXLError>]
    ) {
        (self.attributes, segments, self.compiled) = (attributes, sources, compiled)
    }

    /// The expression of a segment; nil if it is not in force, or cannot be compiled.
    public func segment(_ name: String) -> CompiledExpression? { try? compiled[name]?.get() }

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

extension AudienceScope: Equatable {
    public static func == (left: AudienceScope, right: AudienceScope) -> Bool {
        left.attributes == right.attributes && left.segments == right.segments
    }
}
