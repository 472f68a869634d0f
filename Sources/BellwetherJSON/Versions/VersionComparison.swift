/// Mozilla's order of version numbers, for expressions and for conditions (docs/reference/expressions.md#versions).
public enum VersionComparison {
    /// The reason why a text is not a version.
    public struct Failure: Error {
        public let message: String
    }

    /// The greatest number of a version in an expression.
    public static let greatestInExpressions: UInt64 = 2_147_483_647

    /// Compares two versions: 1 if `a` is later, -1 if `b` is later, else 0. A part that the shorter version lacks
    /// counts as empty. Every part must be ASCII, and its numbers at most the greatest one. This includes the parts
    /// after the deciding one.
    public static func compare(
        _ a: String, _ b: String, greatest: UInt64 = greatestInExpressions
    ) throws(Failure) -> Int {
        var left = VersionParts(a, greatest: greatest)
        var right = VersionParts(b, greatest: greatest)
        var order = 0
        while !left.isAtEnd || !right.isAtEnd {
            let (one, other) = (try left.next(), try right.next())
            if order == 0 { order = one.order(to: other) }
        }
        return order
    }
}

/// The part of a version between two dots: number, text, number, rest.
struct VersionPart {
    var major: UInt64 = 0
    var label: ArraySlice<UInt8> = []
    var minor: UInt64 = 0
    var rest: ArraySlice<UInt8> = []

    func order(to other: VersionPart) -> Int {
        if major != other.major { return major < other.major ? -1 : 1 }
        let byLabel = Self.order(label, other.label)
        if byLabel != 0 { return byLabel }
        if minor != other.minor { return minor < other.minor ? -1 : 1 }
        return Self.order(rest, other.rest)
    }

    /// Compares two texts by bytes, except that an empty text is greater than any other: `1.0` comes after `1.0pre`.
    private static func order(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        if left.isEmpty || right.isEmpty { return (left.isEmpty ? 1 : 0) - (right.isEmpty ? 1 : 0) }
        if left.elementsEqual(right) { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }
}
