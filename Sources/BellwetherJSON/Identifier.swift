/// The name of an app, client, user, recipe, message, step, field or option. Identifiers are equal, hashed and ordered
/// byte for byte, while a `String` also equals its canonically equivalent spellings.
public struct Identifier: Hashable, Comparable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }

    public static func == (left: Identifier, right: Identifier) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Compares with a text without a conversion.
    public static func == (left: Identifier, right: String) -> Bool { left.text.hasSameBytes(as: right) }

    public static func != (left: Identifier, right: String) -> Bool { !left.text.hasSameBytes(as: right) }

    public static func < (left: Identifier, right: Identifier) -> Bool { left.text.precedes(right.text) }

    public func hash(into hasher: inout Hasher) {
        text.withBytes { bytes in bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
    }
}

extension Identifier: ExpressibleByStringInterpolation, CustomStringConvertible {
    public init(stringLiteral text: String) { self.text = text }

    public var description: String { text }
}

extension Sequence where Element == String {
    /// Whether a text of the sequence has the same bytes. `contains` also finds canonically equivalent texts.
    package func contains(bytesOf text: String) -> Bool { contains { $0.hasSameBytes(as: text) } }
}

extension Collection where Element == String {
    /// The index of the first text with the same bytes.
    package func firstIndex(bytesOf text: String) -> Index? { firstIndex { $0.hasSameBytes(as: text) } }
}
