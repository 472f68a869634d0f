public import BellwetherBase
internal import BellwetherJSON

extension BehaviorHistory {
    /// What the bytes begin with, so that another form can be told from this one.
    private static let format: UInt64 = 1

    /// Appends the history as bytes; equal histories have equal bytes.
    public func encode(into writer: inout PackedWriter) {
        writer.unsigned(Self.format)
        writer.unsigned(UInt64(count))
        var origin: Int64?
        for entry in all {
            writer.name(entry.name, by: .client)
            entry.counter.pack(into: &writer, after: origin)
            origin = entry.counter.origin
        }
    }

    /// Takes a history off the front; nil for what `encode` does not write.
    public init?(from reader: inout PackedReader) {
        guard reader.unsigned() == Self.format, let count = reader.count() else { return nil }
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        var origin: Int64?
        for _ in 0..<count {
            guard let name = reader.name(), let counter = EventCounter(from: &reader, after: origin) else { return nil }
            origin = counter.origin
            if let last = entries.last, !last.name.precedes(name) { return nil }
            entries.append(Entry(name: name, counter: counter))
        }
        self.init(entries: entries)
    }
}
