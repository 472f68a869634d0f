import Foundation

/// The output that a document shows for its commands: wrapped for reading, with `…` for omitted parts.
struct ShownOutput {
    private let parts: [String]

    init(_ text: String) { parts = Self.normal(text).components(separatedBy: "…") }

    /// Whether a text has all parts in order, beginning with the first and ending with the last.
    func matches(_ text: String) -> Bool {
        var rest = Self.normal(text)[...]
        guard let first = parts.first, let last = parts.last, rest.hasPrefix(first), rest.hasSuffix(last) else {
            return false
        }
        for part in parts where !part.isEmpty {
            guard let place = rest.range(of: part) else { return false }
            rest = rest[place.upperBound...]
        }
        return parts.count > 1 || rest.isEmpty
    }

    /// The text without white space and without the parts that differ between runs.
    private static func normal(_ text: String) -> String {
        String(text.filter { !$0.isWhitespace })
            .replacing(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "ID")
            .replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/, with: "TIME")
    }
}
