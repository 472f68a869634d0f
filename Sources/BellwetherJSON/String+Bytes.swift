/// The two operations on bytes that need another implementation on devices before iOS 26. Both implementations are
/// compiled on every system, so that a test can compare them
/// (docs/decisions/archive/0082-dependencies-are-pinned-and-devices-have-a-minimum.md).
extension String {
    /// Creates a string; nil for bytes that are not UTF-8. `String(validating:as:)` looks up generic metadata at each
    /// call, which costs more than the validation of a short text.
    package init?(utf8 bytes: Span<UInt8>) {
        if #available(macOS 26.0, iOS 26.0, *) {
            guard let text = try? UTF8Span(validating: bytes) else { return nil }
            self.init(copying: text)
        } else {
            self.init(repairing: bytes)
        }
    }

    /// The implementation of `init(utf8:)` before iOS 26. Decoding replaces bytes that are not UTF-8, and the text's
    /// bytes then differ.
    init?(repairing bytes: Span<UInt8>) {
        let text = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        guard text.hasSameBytes(as: bytes) else { return nil }
        self = text
    }

    /// Calls `body` with the bytes of the text, without copying them.
    @inlinable @inline(__always)
    package func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if #available(macOS 26.0, iOS 26.0, *) { return try body(utf8.span) }
        return try withStoredBytes(body)
    }

    /// The implementation of `withBytes` before iOS 26. A text from the system whose bytes are not contiguous is
    /// copied.
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

    /// Whether both texts are equal byte for byte. `==` treats canonically equivalent texts as equal, and is slower.
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

    /// The same comparison with bytes that are not a string.
    package func hasSameBytes(as other: Span<UInt8>) -> Bool {
        guard utf8.count == other.count else { return false }
        return withBytes { own in
            // The comparison starts at the end, because slugs of one owner often begin alike.
            for index in own.indices.reversed() where own[index] != other[index] { return false }
            return true
        }
    }

    /// Whether the text comes first in byte order, which is also the order of code points.
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
    /// Whether both are the same array in memory. They are then equal without a comparison.
    package func isIdentical(to other: [Element]) -> Bool {
        let (own, others) = (self[...], other[...])
        return own.span.isIdentical(to: others.span)
    }
}
