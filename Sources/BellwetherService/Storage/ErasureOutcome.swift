/// The outcome of a client's erasure.
public enum ErasureOutcome: Sendable, Hashable {
    case erased
    /// There was no data of the client.
    case nothing
    /// Nothing was ever stored for the app.
    case unknownApp
}
