internal import BellwetherCore

/// The rows that a decision was taken from, with their versions. While they have these, the state is the same.
public struct ReadRows: Sendable {
    public let client: ClientReference
    /// 0: the client has no row.
    let version: UInt64
    /// The row of the user that the client was identified with, under its key in the table.
    fileprivate(set) var user: (key: ClientReference, version: UInt64)?

    /// Of the names in it.
    public var nameBytes: Int {
        [client, user?.key].compactMap(\.self).reduce(0) { $0 + $1.app.utf8.count + $1.id.utf8.count }
    }
}

/// A client as memory holds it, for a decision.
struct HeldClient {
    fileprivate(set) var state: ClientState
    fileprivate(set) var rows: ReadRows
    /// Of the client's own row, which alone says what it is enrolled in.
    let settled: SettledEnrollments
}

extension Persistence {
    /// The client as its own row has it; never any I/O. Nil: it has to be read.
    func held(_ client: ClientReference) -> HeldClient? {
        switch lookUp(client) {
        case .known(let held):
            guard let state = held.state else { return nil }
            return HeldClient(
                state: state, rows: ReadRows(client: client, version: held.version), settled: held.settled)
        case .absent(let settled):
            return HeldClient(state: ClientState(), rows: ReadRows(client: client, version: 0), settled: settled)
        case .notLoaded: return nil
        }
    }

    /// The same, joined with what is its user's if the client was identified.
    func heldJoined(_ client: ClientReference) -> HeldClient? {
        guard var held = held(client) else { return nil }
        guard let userID = held.state.userID else { return held }
        let key = UserReference(app: client.app, id: userID).tableKey
        guard let user = self.held(key) else { return nil }
        held.state = held.state.joined(with: user.state)
        held.rows.user = (key, user.rows.version)
        return held
    }
}
