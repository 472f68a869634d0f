/// The outcome of a client's erasure.
public enum ErasureOutcome: Sendable, Hashable {
    case erased
    /// There was nothing of the client.
    case nothing
    /// Nothing was ever stored of the app.
    case unknownApp
}
