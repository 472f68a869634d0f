/// The two operations on bytes that devices before iOS 26 do in another way. Each has its other way beside it, which is
/// compiled on every system, so that a test can compare them
/// (docs/decisions/0082-dependencies-are-pinned-and-devices-have-a-minimum.md).
extension String {
    /// Nil for bytes that are not UTF-8. `String(validating:as:)` looks up generic metadata at each call, which costs
    /// more than the validation of a short text.
    package init?(utf8 bytes: Span<UInt8>) {
        if #available(macOS 26.0, iOS 26.0, *) {
            guard let text = try? UTF8Span(validating: bytes) else { return nil }
            self.init(copying: text)
        } else {
            self.init(repairing: bytes)
        }
    }

    /// `init(utf8:)` before iOS 26. Decoding replaces what is not UTF-8, so that the bytes of the text are others.
    init?(repairing bytes: Span<UInt8>) {
        let text = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        guard text.hasSameBytes(as: bytes) else { return nil }
        self = text
    }

    /// Calls `body` with the bytes of the text, which are not copied.
    @inlinable @inline(__always)
    package func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if #available(macOS 26.0, iOS 26.0, *) { return try body(utf8.span) }
        return try withStoredBytes(body)
    }

    /// `withBytes` before iOS 26. A text whose bytes are not in one piece is copied: one that the system made.
    @usableFromInline
    package func withStoredBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result = utf8.withContiguousStorageIfAvailable { bytes in
            Swift.Result { () throws(Failure) in try body(bytes.span) }
        }
        if let result { return try result.get() }
        let copy = ContiguousArray(utf8)
        return try body(copy.span)
    }
}

extension String {

    /// Equal byte for byte. `==` treats canonically equivalent texts as equal, and is slower.
    package func hasSameBytes(as other: String) -> Bool {
        // Most texts differ in length, which is compared first because it is cheaper.
        guard utf8.count == other.utf8.count else { return false }
        return withBytes { left in
            other.withBytes { right in
                if left.isIdentical(to: right) { return true }
                for index in left.indices where left[index] != right[index] { return false }
                return true
            }
        }
    }

    /// The same for bytes that were never made a string.
    package func hasSameBytes(as other: Span<UInt8>) -> Bool {
        guard utf8.count == other.count else { return false }
        return withBytes { own in
            // From the end: slugs of one owner begin alike.
            for index in own.indices.reversed() where own[index] != other[index] { return false }
            return true
        }
    }

    /// Order byte for byte, which is also the order of code points.
    package func precedes(_ other: String) -> Bool {
        withBytes { left in
            other.withBytes { right in
                for index in 0..<min(left.count, right.count) where left[index] != right[index] {
                    return left[index] < right[index]
                }
                return left.count < right.count
            }
        }
    }
}

extension Array {
    /// Whether both are one array in memory: then they are equal, and nothing is compared.
    package func isIdentical(to other: [Element]) -> Bool {
        let (own, others) = (self[...], other[...])
        return own.span.isIdentical(to: others.span)
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
