public import BellwetherCore

/// A client as the table holds it: packed, and unpacked only when its state is needed.
public struct HeldClient: Sendable {
    /// Grows with each write of the state.
    public let version: UInt64
    public let settlement: Settlement
    private let packed: ArraySlice<UInt8>

    init(version: UInt64, settlement: Settlement, packed: ArraySlice<UInt8>) {
        self.version = version
        self.settlement = settlement
        self.packed = packed
    }

    /// Nil for bytes that this program cannot read.
    public var state: ClientState? { ClientState(encoded: packed) }
}
