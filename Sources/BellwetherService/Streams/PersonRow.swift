import BellwetherCore

/// The row of a client or a user as a commit or a read has found it, for the streams of that person.
struct PersonRow: Sendable {
    let name: RowName
    /// 0 if there is no row.
    let version: UInt64
    /// Empty if there is no row.
    let changes: ChangeMark
    /// The user that the client is identified with, if the row is a client's.
    let user: UserReference?

    /// - Parameter value: the value of the row; nil if there is none.
    init(_ name: RowName, _ version: UInt64, _ value: RowValue?) {
        (self.name, self.version) = (name, version)
        guard case .client(let state)? = value else {
            (changes, user) = (ChangeMark(), nil)
            return
        }
        changes = state.changes
        guard case .client(let client) = name else {
            user = nil
            return
        }
        user = state.userID.map { UserReference(app: client.app, id: $0) }
    }
}

extension RowValue {
    /// The last change of a person that notifies its streams; 0 if there is none.
    var mark: UInt64 { if case .client(let state) = self { state.changes.last } else { 0 } }
}
