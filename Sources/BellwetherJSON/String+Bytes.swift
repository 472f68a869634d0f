extension String {
    /// Nil for bytes that are not UTF-8. `String(validating:as:)` looks up generic metadata at each call, which costs
    /// more than the validation of a short text.
    package init?(utf8 bytes: Span<UInt8>) {
        guard let text = try? UTF8Span(validating: bytes) else { return nil }
        self.init(copying: text)
    }

    /// Equal byte for byte. `==` treats canonically equivalent texts as equal, and is slower.
    package func hasSameBytes(as other: String) -> Bool {
        // Most texts differ in length, which is compared first because it is cheaper.
        guard utf8.count == other.utf8.count else { return false }
        let (left, right) = (utf8.span, other.utf8.span)
        if left.isIdentical(to: right) { return true }
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }

    /// The same for bytes that were never made a string.
    package func hasSameBytes(as other: Span<UInt8>) -> Bool {
        guard utf8.count == other.count else { return false }
        let own = utf8.span
        // From the end: slugs of one owner begin alike.
        for index in own.indices.reversed() where own[index] != other[index] { return false }
        return true
    }

    /// Order byte for byte, which is also the order of code points.
    package func precedes(_ other: String) -> Bool {
        let (left, right) = (utf8.span, other.utf8.span)
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return left[index] < right[index]
        }
        return left.count < right.count
    }
}

/// A text as a dictionary's key, equal byte for byte.
package struct ByteKey: Hashable, Sendable {
    package let text: String

    package init(text: String) { self.text = text }

    package static func == (left: ByteKey, right: ByteKey) -> Bool { left.text.hasSameBytes(as: right.text) }

    package func hash(into hasher: inout Hasher) {
        var text = self.text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension Dictionary where Key == String {
    /// The spelling of the name in this dictionary if it differs from the given one: a dictionary treats canonically
    /// equivalent texts as one key.
    package func otherSpelling(of name: String) -> String? {
        guard let index = index(forKey: name), !self[index].key.hasSameBytes(as: name) else { return nil }
        return self[index].key
    }
}
