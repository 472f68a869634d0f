internal import BellwetherBase
public import BellwetherCore

/// A client as a store keeps it: its state and how often that was written.
public struct StoredClient: Sendable, Hashable {
    /// The store's own number for the client.
    public let row: Int64
    /// Grows by one with each write of the state; a store compares it before it writes.
    public let version: UInt64
    public let state: ClientState

    public init(row: Int64, version: UInt64, state: ClientState) {
        self.row = row
        self.version = version
        self.state = state
    }
}

/// The form in the table: the client's key, the version, the row, the state, with numbers for names, in one array,
/// since each allocation costs 48 bytes before the first of its own.
extension StoredClient {
    func record(for key: ClientKey, names: inout PackedNames) -> [UInt8] {
        let packed = names.bytes { writer in
            key.write(to: &writer)
            writer.unsigned(version)
            writer.signed(row)
            state.encode(into: &writer)
        }
        // What grew has room left over.
        var record: [UInt8] = []
        record.reserveCapacity(packed.count)
        record.append(contentsOf: packed)
        return record
    }

    init?(in record: [UInt8], names: [String]?) {
        var reader = ClientKey.reader(behindKeyOf: record, names: names)
        guard let version = reader.unsigned(), let row = reader.signed(),
            let state = ClientState(encoded: reader.rest, names: names)
        else { return nil }
        self.init(row: row, version: version, state: state)
    }

    static func version(in record: [UInt8], names: [String]?) -> UInt64 {
        var reader = ClientKey.reader(behindKeyOf: record, names: names)
        return reader.unsigned() ?? 0
    }
}
