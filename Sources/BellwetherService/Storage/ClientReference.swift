/// A client of one app. The id is the app's choice of identity (docs/reference/http-api.md#clients).
///
/// Two references are equal byte for byte, like a store's keys: `String`'s own equality is canonical equivalence.
public struct ClientReference: Sendable, Hashable {
    public let app: String
    public let id: String

    public init(app: String, id: String) {
        self.app = app
        self.id = id
    }

    public static func == (left: ClientReference, right: ClientReference) -> Bool {
        left.id.utf8.elementsEqual(right.id.utf8) && left.app.utf8.elementsEqual(right.app.utf8)
    }
}

public enum ClientLookup: Sendable {
    case known(CachedClient)
    /// The client was read before and has no row: its state is empty.
    case absent(SettledEnrollments)
    /// The table does not hold the client; `Persistence.load` reads it.
    case notLoaded
}
