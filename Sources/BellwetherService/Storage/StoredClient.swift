internal import BellwetherBase
public import BellwetherCore
internal import BellwetherJSON

/// A stored client: its state, and the version of the state.
public struct StoredClient: Sendable, Hashable {
    /// Grows by one with each write of the state. A store compares it before it writes.
    public let version: UInt64
    public let state: ClientState

    public init(version: UInt64, state: ClientState) {
        self.version = version
        self.state = state
    }
}

/// The form in the table: the client's key, the version and the state, with numbers for names. They are in one array,
/// because each allocation has an overhead of 48 bytes.
extension StoredClient {
    func record(for key: ClientKey, names: inout PackedNames) -> [UInt8] {
        let packed = names.bytes { writer in
            key.write(to: &writer)
            writer.unsigned(version)
            state.encode(into: &writer)
        }
        // The bytes are copied, because an array that grew has spare capacity.
        var record: [UInt8] = []
        record.reserveCapacity(packed.count)
        record.append(contentsOf: packed)
        return record
    }

    init?(in record: [UInt8], names: [Identifier]?) {
        var reader = ClientKey.reader(behindKeyOf: record, names: names)
        guard let version = reader.unsigned(), let state = ClientState(encoded: reader.rest, names: names)
        else { return nil }
        self.init(version: version, state: state)
    }

    static func version(in record: [UInt8], names: [Identifier]?) -> UInt64 {
        var reader = ClientKey.reader(behindKeyOf: record, names: names)
        return reader.unsigned() ?? 0
    }
}

/// A client in the table. It is packed, and unpacked only when its state is needed.
public struct CachedClient: Sendable {
    /// Grows with each write of the state.
    public let version: UInt64
    let settled: SettledEnrollments
    private let packed: ArraySlice<UInt8>
    private let names: [Identifier]?

    /// Nil for a record of another form.
    init?(_ held: SecondChanceTable.Held) {
        var reader = ClientKey.reader(behindKeyOf: held.record, names: held.names)
        guard let version = reader.unsigned() else { return nil }
        self.version = version
        settled = held.settled
        packed = reader.rest
        names = held.names
    }

    /// The state; nil for bytes that this program cannot read.
    public var state: ClientState? { ClientState(encoded: packed, names: names) }
}
