public import BellwetherJSON

/// The differences between two documents, by location. Objects are compared member by member, and arrays item by item,
/// as far as both documents have them. The order of members does not matter.
public struct JSONDifference: Sendable, Hashable {
    /// The location. It refers to the newer document, except for a removed value.
    public let pointer: JSONPointer
    /// The old value; nil if the value was added.
    public let before: JSONValue?
    /// The new value; nil if the value was removed.
    public let after: JSONValue?

    /// The maximum number of differences of one comparison.
    public static let maximum = 1000

    /// The differences in the order of the newer document. Removed values are at the end of their object or array.
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

        /// Compares byte for byte, because equality of values ignores different spellings of one text.
        private func isSame(_ before: JSONValue?, _ after: JSONValue?) -> Bool {
            switch (before, after) {
            case (.none, .none): true
            case (.some(let before), .some(let after)): before == after && before.encoded == after.encoded
            default: false
            }
        }
    }
}
