internal import BellwetherService

extension StoreError {
    /// As every command says it.
    var sentence: String {
        switch self {
        case .unusable(let reason), .unavailable(let reason): "The store: \(reason)."
        case .overloaded: "The store: too much waits to be written."
        }
    }
}
