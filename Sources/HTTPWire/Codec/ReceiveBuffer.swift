/// Bytes that have arrived and are not consumed yet: a window into an array that is filled at the end and read at the
/// start.
public struct ReceiveBuffer: Sendable {
    public private(set) var bytes: [UInt8]
    public private(set) var start = 0
    public private(set) var end = 0

    /// The capacity of the buffer in which a worker receives, in bytes.
    public static let workersCapacity = 32_768

    /// Creates an empty buffer in which `fill` can write `capacity` bytes.
    public init(capacity: Int = 0) { bytes = [UInt8](repeating: 0, count: capacity) }

    /// Creates a buffer with a copy of these bytes.
    public init(_ bytes: some Collection<UInt8>) {
        self.bytes = Array(bytes)
        end = self.bytes.count
    }

    public var count: Int { end - start }
    public var isEmpty: Bool { start == end }
    public var unread: ArraySlice<UInt8> { bytes[start..<end] }

    /// Discards the content and lets `read` write from the front. `read` returns the number of bytes that it wrote, or
    /// a negative number.
    public mutating func fill(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
        start = 0
        let count = bytes.withUnsafeMutableBytes(read)
        end = max(count, 0)
        return count
    }

    /// Appends bytes. Moves the unread bytes to the front first if enough bytes were consumed.
    public mutating func append(_ other: ArraySlice<UInt8>) {
        compact()
        bytes.append(contentsOf: other)
        end = bytes.count
    }

    /// Frees memory that the unread bytes do not need. If there are none, it frees all memory.
    public mutating func trim() {
        if isEmpty {
            self = ReceiveBuffer()
        } else if start > Self.wasteful {
            self = ReceiveBuffer(unread)
        }
    }

    /// The number of consumed bytes that may stay, to avoid moving the unread bytes.
    private static let wasteful = 4_096

    mutating func consume(_ count: Int) { start += count }

    private mutating func compact() {
        if end < bytes.count { bytes.removeSubrange(end...) }
        guard start > 0, start >= count else { return }
        bytes.removeSubrange(..<start)
        start = 0
        end = bytes.count
    }
}
