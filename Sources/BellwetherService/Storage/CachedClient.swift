internal import BellwetherBase
public import BellwetherCore

/// A client as the table holds it: packed, and unpacked only when its state is needed.
public struct CachedClient: Sendable {
    /// Grows with each write of the state.
    public let version: UInt64
    private let packed: ArraySlice<UInt8>
    private let names: [String]?

    /// Nil for a record of another form.
    init?(_ held: SecondChanceTable.Held) {
        var reader = ClientKey.reader(behindKeyOf: held.record, names: held.names)
        guard let version = reader.unsigned() else { return nil }
        self.version = version
        packed = reader.rest
        names = held.names
    }

    /// Nil for bytes that this program cannot read.
    public var state: ClientState? { ClientState(encoded: packed, names: names) }
}
