/// Bytes that arrived and are not consumed yet: a window into an array that is filled at the end and read at the start.
public struct ReceiveBuffer: Sendable {
    public private(set) var bytes: [UInt8]
    public private(set) var start = 0
    public private(set) var end = 0

    /// Empty, with room for `capacity` bytes by `fill`.
    public init(capacity: Int = 0) { bytes = [UInt8](repeating: 0, count: capacity) }

    /// Holds a copy of these bytes.
    public init(_ bytes: some Collection<UInt8>) {
        self.bytes = Array(bytes)
        end = self.bytes.count
    }

    public var count: Int { end - start }
    public var isEmpty: Bool { start == end }
    public var unread: ArraySlice<UInt8> { bytes[start..<end] }

    /// Discards its content and lets `read` write from the front; `read` returns how many bytes it wrote, or less than
    /// 0.
    public mutating func fill(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
        start = 0
        let count = bytes.withUnsafeMutableBytes(read)
        end = max(count, 0)
        return count
    }

    /// Appends. Moves the rest to the front first if enough bytes were consumed.
    public mutating func append(_ other: ArraySlice<UInt8>) {
        compact()
        bytes.append(contentsOf: other)
        end = bytes.count
    }

    /// Frees memory that the rest does not need: all of it when nothing is left to read.
    public mutating func trim() {
        if isEmpty {
            self = ReceiveBuffer()
        } else if start > Self.wasteful {
            self = ReceiveBuffer(unread)
        }
    }

    /// So many consumed bytes are kept rather than moving the rest.
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
