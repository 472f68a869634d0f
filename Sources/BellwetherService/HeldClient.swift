internal import BellwetherBase
public import BellwetherCore

/// A client as the table holds it: packed, and unpacked only when its state is needed.
public struct HeldClient: Sendable {
    /// Grows with each write of the state.
    public let version: UInt64
    public let mark: ClientMark
    private let packed: ArraySlice<UInt8>
    private let names: [String]?

    /// Nil for a record of another form.
    init?(_ held: SecondChanceTable.Held, mark: ClientMark) {
        var reader = ClientKey.reader(behindKeyOf: held.record, names: held.names)
        guard let version = reader.unsigned(), reader.signed() != nil else { return nil }
        self.version = version
        self.mark = mark
        packed = reader.rest
        names = held.names
    }

    /// Nil for bytes that this program cannot read.
    public var state: ClientState? { ClientState(encoded: packed, names: names) }
}
