internal import BellwetherService

extension Result where Failure == StoreError {
    /// What the store gave, or its failure as the answer to the request.
    func orThrow() throws(APIError) -> Success {
        switch self {
        case .success(let value): return value
        case .failure(let error): throw .store(error)
        }
    }
}
