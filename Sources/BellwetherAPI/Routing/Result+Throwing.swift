internal import BellwetherService

extension Result where Failure == StoreError {
    /// Returns the store's value, or throws its failure as the response to the request.
    func orThrow() throws(APIError) -> Success {
        switch self {
        case .success(let value): return value
        case .failure(let error): throw .store(error)
        }
    }
}
