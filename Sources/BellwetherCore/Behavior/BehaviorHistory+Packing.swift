public import BellwetherBase
import BellwetherJSON

/// The newest times, which are stored after the counters (`ClientState`). An earlier version of the daemon keeps them
/// unchanged, and may change the counters. So a digest of the counters is before them, and times of other counters are
/// ignored.
extension BehaviorHistory {
    func encodeTimes(into writer: inout PackedWriter) {
        // A table in memory has no other writer.
        if !writer.isForTable { writer.fixed16(digest) }
        for entry in all { entry.counter.packNewest(into: &writer) }
    }

    /// Returns false for bytes that `encodeTimes` does not write. Stored times that do not fit the counters are
    /// ignored.
    mutating func decodeTimes(from reader: inout PackedReader) -> Bool {
        if reader.isFromTable { return readTimes(from: &reader) }
        var times = reader
        reader.skipRest()
        guard let digest = times.fixed16() else { return false }
        var copy = self
        if digest == self.digest, copy.readTimes(from: &times), times.isAtEnd { self = copy }
        return true
    }

    private mutating func readTimes(from reader: inout PackedReader) -> Bool {
        var entries = all
        for index in entries.indices where !entries[index].counter.readNewest(from: &reader) { return false }
        self = BehaviorHistory(entries: entries)
        return true
    }

    private var digest: UInt64 {
        all.reduce(UInt64(count)) { $0 &* 31 &+ $1.counter.digest } & 0xFFFF
    }
}

extension BehaviorHistory {
    /// The first bytes of the packed form, which distinguish it from other forms.
    private static let format: UInt64 = 1

    /// Appends the history as bytes; equal histories have equal bytes.
    public func encode(into writer: inout PackedWriter) {
        writer.unsigned(Self.format)
        writer.unsigned(UInt64(count))
        var origin: Int64?
        for entry in all {
            writer.name(entry.event.stored, by: .client)
            entry.counter.pack(into: &writer, after: origin)
            origin = entry.counter.origin
        }
    }

    /// Reads a history from the front of the bytes; nil for bytes that `encode` does not write.
    public init?(from reader: inout PackedReader) {
        guard reader.unsigned() == Self.format, let count = reader.count() else { return nil }
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        var origin: Int64?
        for _ in 0..<count {
            guard let name = reader.name(), let counter = EventCounter(from: &reader, after: origin) else { return nil }
            origin = counter.origin
            let event = CountedEvent(stored: name)
            if let last = entries.last, last.event >= event { return nil }
            entries.append(Entry(event: event, counter: counter))
        }
        self.init(entries: entries)
    }
}
