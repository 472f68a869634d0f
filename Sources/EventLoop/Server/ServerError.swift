/// Why a server could not be set up.
public enum ServerError: Error, Sendable, Hashable {
    /// The host is not an address or a name that resolves to one.
    case host(String)
    /// The address cannot be listened on.
    case bind(host: String, port: Int, reason: String)
    /// The system did not give something that is needed.
    case resources(String)

    /// A sentence for people.
    public var message: String {
        switch self {
        case .host(let host): "\"\(host)\" is no address to listen on."
        case .bind(let host, let port, let reason): "Cannot listen on \(host) port \(port): \(reason)."
        case .resources(let what): "The system did not give \(what)."
        }
    }
}
