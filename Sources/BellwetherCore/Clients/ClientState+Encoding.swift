public import BellwetherBase

/// The bytes that a store keeps of a client: a format number, then the parts in order. In memory names have numbers.
extension ClientState {
    static let format: UInt64 = 1

    /// As a store keeps it.
    public func encoded() -> [UInt8] {
        var writer = PackedWriter()
        encode(into: &writer)
        return writer.bytes
    }

    /// Appends the bytes, which go to the end of whatever holds them.
    public func encode(into writer: inout PackedWriter) {
        writer.unsigned(Self.format)
        writer.unsigned(reportedRevision)
        writer.unsigned(UInt64(ledger.entries.count))
        for entry in ledger.entries { entry.encode(into: &writer) }
        behavior.encode(into: &writer)
        enrollments.encode(into: &writer)
    }

    /// Nil for bytes that no version of the daemon has written.
    public init?(encoded bytes: [UInt8]) { self.init(encoded: bytes[...]) }

    /// `names` are those of the writer, or nil where it had none.
    public init?(encoded bytes: ArraySlice<UInt8>, names: [String]? = nil) {
        var reader = PackedReader(bytes, names: names)
        guard reader.unsigned() == Self.format, let revision = reader.unsigned(), let count = reader.count() else {
            return nil
        }
        reportedRevision = revision
        var entries: [LedgerEntry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
            guard let entry = LedgerEntry(from: &reader) else { return nil }
            entries.append(entry)
        }
        guard let ledger = DisplayLedger(entries: entries), let behavior = BehaviorHistory(from: &reader),
            let enrollments = PackedEnrollments(packed: reader.rest, names: names)
        else { return nil }
        self.enrollments = enrollments
        self.ledger = ledger
        self.behavior = behavior
    }
}

extension LedgerEntry {
    private struct Flags: OptionSet {
        let rawValue: UInt64
        static let clicked = Flags(rawValue: 1)
        static let expired = Flags(rawValue: 2)
        static let answered = Flags(rawValue: 4)
    }

    func encode(into writer: inout PackedWriter) {
        var flags: Flags = []
        if isClicked { flags.insert(.clicked) }
        if isExpired { flags.insert(.expired) }
        if isAnswered { flags.insert(.answered) }
        writer.name(message)
        writer.unsigned(flags.rawValue)
        writer.unsigned(UInt64(displayCount))
        writer.unsigned(UInt64(dismissals))
    }

    init?(from reader: inout PackedReader) {
        guard let message = reader.name(), let rawFlags = reader.unsigned(), let displays = reader.unsigned(),
            let dismissals = reader.unsigned()
        else { return nil }
        let flags = Flags(rawValue: rawFlags)
        self.init(
            message: message, displayCount: UInt32(clamping: displays), dismissals: UInt32(clamping: dismissals),
            isClicked: flags.contains(.clicked), isExpired: flags.contains(.expired),
            isAnswered: flags.contains(.answered))
    }
}
