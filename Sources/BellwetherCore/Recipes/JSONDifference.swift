public import BellwetherJSON

/// The differences between two documents, location by location: objects are compared member by member, arrays item by
/// item, as far as both have them; the order of members does not count.
public struct JSONDifference: Sendable, Hashable {
    /// Where; in the newer document, except for what was removed.
    public let pointer: JSONPointer
    /// Nil where it was added.
    public let before: JSONValue?
    /// Nil where it was removed.
    public let after: JSONValue?

    /// The bound of differences of one comparison.
    public static let maximum = 1000

    /// In the order of the newer document, what was removed at the end of its object or array.
    public static func between(_ before: JSONValue, _ after: JSONValue) -> [JSONDifference] {
        var comparison = Comparison()
        comparison.compare(before, after, at: .root)
        return comparison.differences
    }

    private struct Comparison {
        var differences: [JSONDifference] = []

        mutating func compare(_ before: JSONValue?, _ after: JSONValue?, at location: JSONPointer) {
            switch (before, after) {
            case (.object(let before)?, .object(let after)?):
                for (key, value) in after { compare(before[key], value, at: location.appending(key)) }
                for (key, value) in before where after[key] == nil {
                    compare(value, .none, at: location.appending(key))
                }
            case (.array(let before)?, .array(let after)?):
                for index in 0..<max(before.count, after.count) {
                    compare(
                        before.indices.contains(index) ? .some(before[index]) : .none,
                        after.indices.contains(index) ? .some(after[index]) : .none, at: location.appending(index))
                }
            default:
                guard !isSame(before, after), differences.count < JSONDifference.maximum else { return }
                differences.append(JSONDifference(pointer: location, before: before, after: after))
            }
        }

        /// Byte for byte, where equality of values would let spellings of one text pass.
        private func isSame(_ before: JSONValue?, _ after: JSONValue?) -> Bool {
            switch (before, after) {
            case (.none, .none): true
            case (.some(let before), .some(let after)): before == after && before.encoded == after.encoded
            default: false
            }
        }
    }
}
