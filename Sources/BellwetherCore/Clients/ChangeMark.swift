public import BellwetherBase
public import BellwetherJSON

/// When a person's row has changed in a way that notifies the person's streams, and which streams the newest changes do
/// not notify (docs/reference/streams.md#who-is-notified).
///
/// It is stored in the row, so every node can compare it with the mark that it knows.
public struct ChangeMark: Sendable, Hashable {
    /// The stream of a client under a name, as 32 bits of a hash; never 0.
    public struct StreamKey: Sendable, Hashable {
        fileprivate let bits: UInt64

        public init(client: Identifier, name: String) {
            let hash = SHA256.hash(Array(client.utf8) + [0] + Array(name.utf8)).words.0
            bits = max(hash & 0xFFFF_FFFF, 1)
        }
    }

    /// The time of the newest change in seconds, but later than the change before; 0 if there is none.
    public private(set) var last: UInt64 = 0
    /// The stream whose reader has made the newest changes; 0 if none has.
    private var writer: UInt64 = 0
    /// The last change before those of the writer; 0 if there is none.
    private var former: UInt64 = 0

    /// The largest time that is read: no row comes near it, and later ones can be counted.
    private static let maximum: UInt64 = 1 << 53

    public init() {}

    /// Notes a change.
    ///
    /// - Parameters:
    ///   - now: the time of the change.
    ///   - writer: the stream whose reader makes the change; nil if it has none.
    public mutating func advance(at now: Timestamp, by writer: StreamKey?) {
        let bits = writer?.bits ?? 0
        if bits != self.writer || bits == 0 { (self.writer, former) = (bits, bits == 0 ? 0 : last) }
        last = max(last + 1, UInt64(clamping: now.milliseconds / 1_000))
    }

    /// Whether the changes since another mark notify a stream.
    ///
    /// - Parameters:
    ///   - stream: the stream; nil if its reader has no name.
    ///   - known: `last` of the other mark; 0 if there was no row.
    public func notifies(_ stream: StreamKey?, knowing known: UInt64) -> Bool {
        guard last != known else { return false }
        // A row whose mark is older than the known one was erased and written again.
        guard let stream, stream.bits == writer, known < last else { return true }
        return former > known
    }
}

extension ChangeMark {
    var isEmpty: Bool { last == 0 }

    func encode(into writer: inout PackedWriter) {
        writer.unsigned(last)
        writer.unsigned(self.writer)
        if self.writer != 0 { writer.unsigned(last - former) }
    }

    /// Reads a mark; nil for bytes that `encode` does not write.
    init?(from reader: inout PackedReader) {
        guard let last = reader.unsigned(), (1...Self.maximum).contains(last), let bits = reader.unsigned(),
            bits <= 0xFFFF_FFFF
        else { return nil }
        (self.last, writer) = (last, bits)
        guard bits != 0 else { return }
        guard let distance = reader.unsigned(), (1...last).contains(distance) else { return nil }
        former = last - distance
    }
}
