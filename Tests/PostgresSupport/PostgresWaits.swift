public import BellwetherService
internal import TestSupport

/// The result of a call that is repeated while it fails in a way that passes.
private func patiently<Value>(while passes: (any Error) -> Bool = { _ in true }, _ call: () throws -> Value) throws
    -> Value
{
    var result = Result { try call() }
    _ = eventually {
        guard case .failure(let error) = result, passes(error) else { return true }
        result = Result { try call() }
        return false
    }
    return try result.get()
}

extension StoreLocation {
    /// A source of a store that nobody uses any more. PostgreSQL may need longer to end the connections of a store that
    /// was closed than the product waits.
    public func openUnusedSource() throws -> any TransferSource {
        try patiently(while: { "\($0)".contains("daemons are connected") }, openSource)
    }
}

extension SharedHeads {
    /// The heads, from a busy server too: the product waits for less than a second, and asks again later.
    public func patientHeads() throws -> StoreHeads { try patiently { try heads() } }
}
