internal import BellwetherService

extension StoreError {
    /// The sentence of the error, the same in every command.
    var sentence: String {
        switch self {
        case .unusable(let reason), .unavailable(let reason), .rejected(let reason): "The store: \(reason)."
        case .stale: "The store: another publish came first; try again."
        case .overloaded: "The store: too much waits to be written."
        }
    }
}
