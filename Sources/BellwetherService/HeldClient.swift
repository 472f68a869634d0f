public import BellwetherCore

/// A client as the table holds it: packed, and unpacked only when its state is needed.
public struct HeldClient: Sendable {
    /// Grows with each write of the state.
    public let version: UInt64
    public let settlement: Settlement
    public let mark: ClientMark
    private let packed: ArraySlice<UInt8>

    init(version: UInt64, settlement: Settlement, mark: ClientMark, packed: ArraySlice<UInt8>) {
        self.version = version
        self.settlement = settlement
        self.mark = mark
        self.packed = packed
    }

    /// Nil for bytes that this program cannot read.
    public var state: ClientState? { ClientState(encoded: packed) }
}
