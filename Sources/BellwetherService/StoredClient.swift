import BellwetherCore

/// A client as a store keeps it: its packed state and how often it was written.
public struct StoredClient: Sendable, Hashable {
    /// The store's own number for the client.
    public let row: Int64
    /// Grows by one with each write of the state; a store compares it before it writes.
    public let version: UInt64
    /// `ClientState.encoded()`.
    public let state: [UInt8]

    public init(row: Int64, version: UInt64, state: [UInt8]) {
        self.row = row
        self.version = version
        self.state = state
    }
}

/// The form in the table: the client's key, the version, the row, the state, in one array, since each allocation costs
/// 48 bytes before the first of its own.
extension StoredClient {
    func record(for key: ClientKey) -> [UInt8] {
        var writer = PackedWriter()
        writer.unsigned(version)
        writer.signed(row)
        writer.bytes(state)
        var record: [UInt8] = []
        record.reserveCapacity(key.length + writer.bytes.count)
        key.write(to: &record)
        record.append(contentsOf: writer.bytes)
        return record
    }

    init?(in record: [UInt8], of key: ClientKey) {
        var reader = PackedReader(record[key.length...])
        guard let version = reader.unsigned(), let row = reader.signed(), let state = reader.bytes() else { return nil }
        self.init(row: row, version: version, state: Array(state))
    }

    static func version(in record: [UInt8], of key: ClientKey) -> UInt64 {
        var reader = PackedReader(record[key.length...])
        return reader.unsigned() ?? 0
    }

    static func held(_ entry: SecondChanceTable.Held, of key: ClientKey, _ mark: ClientMark) -> HeldClient? {
        let record = entry.record
        var reader = PackedReader(record[key.length...])
        guard let version = reader.unsigned(), reader.signed() != nil, let state = reader.bytes() else { return nil }
        return HeldClient(version: version, settlement: entry.settlement, mark: mark, packed: state)
    }
}
