/// The reason why a server could not be set up.
public enum ServerError: Error, Sendable, Hashable {
    /// The host is no address, and no name that resolves to one.
    case host(String)
    /// The server cannot listen on the address.
    case bind(host: String, port: Int, reason: String)
    /// The system refused a resource that the server needs.
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
