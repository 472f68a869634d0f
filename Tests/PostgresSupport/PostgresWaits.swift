public import BellwetherService
internal import TestSupport

extension StoreLocation {
    /// A source of a store that nobody uses any more. PostgreSQL may need longer to end the connections of a store that
    /// was closed than the product waits.
    public func openUnusedSource() throws -> any TransferSource {
        var source = Result { try openSource() }
        _ = eventually {
            guard case .failure(let error) = source, "\(error)".contains("daemons are connected") else { return true }
            source = Result { try openSource() }
            return false
        }
        return try source.get()
    }
}

extension SharedHeads {
    /// The heads, from a busy server too: the product waits for less than a second, and asks again later.
    public func patientHeads() throws -> StoreHeads {
        var heads = Result { try self.heads() }
        _ = eventually {
            guard case .failure = heads else { return true }
            heads = Result { try self.heads() }
            return false
        }
        return try heads.get()
    }
}
