public import BellwetherJSON

/// A client of one app. The id is the app's choice of identity (docs/reference/http-api.md#clients).
public struct ClientReference: Sendable, Hashable {
    public let app: Identifier
    public let id: Identifier

    public init(app: Identifier, id: Identifier) {
        self.app = app
        self.id = id
    }
}

public enum ClientLookup: Sendable {
    case known(CachedClient)
    /// The client was read before and has no row: its state is empty.
    case absent(SettledEnrollments)
    /// The table does not hold the client; `Persistence.load` reads it.
    case notLoaded
}
