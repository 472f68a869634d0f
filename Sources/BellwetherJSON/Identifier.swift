/// The name of an app, client, user, recipe, message, step, field or option. Identifiers are equal, hashed and ordered
/// byte for byte, while a `String` also equals its canonically equivalent spellings.
public struct Identifier: Hashable, Comparable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }
    public init(_ text: Substring) { self.text = String(text) }

    public static func == (left: Identifier, right: Identifier) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Compares with a text, so that callers need not convert it.
    public static func == (left: Identifier, right: String) -> Bool { left == Identifier(right) }

    public static func != (left: Identifier, right: String) -> Bool { left != Identifier(right) }

    public static func < (left: Identifier, right: Identifier) -> Bool { left.text.precedes(right.text) }

    public func hash(into hasher: inout Hasher) {
        text.withBytes { bytes in bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
        // An end, as `String` has one: the hash of two identifiers in sequence depends on where the first one ends.
        hasher.combine(0xFF as UInt8)
    }
}

extension Identifier: ExpressibleByStringInterpolation, CustomStringConvertible {
    public init(stringLiteral text: String) { self.text = text }

    public var description: String { text }
    public var utf8: String.UTF8View { text.utf8 }
    public var isEmpty: Bool { text.isEmpty }
}

extension JSONPointer {
    public func appending(_ key: Identifier) -> JSONPointer { appending(key.text) }
}

extension JSONValue {
    public static func string(_ identifier: Identifier) -> JSONValue { .string(identifier.text) }

    /// The text of a string as an identifier; nil for other types.
    public var identifier: Identifier? { string.map { Identifier($0) } }
}

extension JSONObject {
    public subscript(key: Identifier) -> JSONValue? {
        get { self[key.text] }
        set { self[key.text] = newValue }
    }
}

extension JSONReader {
    /// Reads a string as an identifier. `length` is in Unicode scalars; a string outside of it is a finding `length`.
    public func identifier(length: ClosedRange<Int>? = nil) -> Identifier? {
        string(length: length).map { Identifier($0) }
    }
}

extension Sequence where Element == String {
    /// Whether a text of the sequence has the same bytes. `contains` also finds canonically equivalent texts.
    package func contains(bytesOf text: String) -> Bool { contains { $0.hasSameBytes(as: text) } }
}

extension Collection where Element == String {
    /// The index of the first text with the same bytes.
    package func firstIndex(bytesOf text: String) -> Index? { firstIndex { $0.hasSameBytes(as: text) } }
}

extension Dictionary where Key == Identifier {
    /// The key that is canonically equivalent to the given one and has other bytes, in a dictionary that has one
    /// spelling of each name. The search is linear if the dictionary does not have the key itself.
    package func otherSpelling(of key: Identifier) -> Identifier? {
        self[key] == nil ? keys.first { $0.text == key.text } : nil
    }
}
