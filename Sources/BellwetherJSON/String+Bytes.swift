extension String {
    /// Equal byte for byte; `==` would hold canonically equivalent spellings for one.
    package func hasSameBytes(as other: String) -> Bool {
        // Unequal by `==` means unequal bytes, and `==` is quick on what is ASCII.
        guard utf8.count == other.utf8.count, self == other else { return false }
        return utf8.elementsEqual(other.utf8)
    }

    /// Order byte for byte, which is also the order of code points.
    package func precedes(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
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
