/// Stands for a client's record in the table as it was when it was looked up. While the mark is current nothing has
/// been written of the client since: what was answered from its state would be answered again.
///
/// Exact for an hour: a mark is never current after a write, unless some two billion writes to the same part of the
/// table came between.
public struct ClientMark: Sendable, Hashable {
    let shard: UInt16
    /// Whether it is a place among those known to be absent.
    let isAbsent: Bool
    let position: UInt32
    let stamp: UInt32
}
