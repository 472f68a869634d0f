internal import HTTPWire

/// An address on which a server listens, and what it speaks there (docs/reference/tls.md#addresses).
public struct ListenAddress: Sendable, Hashable {
    public enum Location: Sendable, Hashable {
        /// An address, or a name that resolves to one. With port 0 the system chooses a free port.
        case network(host: String, port: Int)
        /// A socket in the file system.
        case local(path: String)
    }

    public enum Service: Sendable, Hashable {
        case http
        case https
        /// HTTPS for clients with a certificate.
        case httpsWithCertificate
        /// Plain HTTP, where each request is answered with the same address over HTTPS.
        case redirect

        public var isEncrypted: Bool { self == .https || self == .httpsWithCertificate }
    }

    public let location: Location
    public let service: Service

    public init(_ location: Location, _ service: Service) { (self.location, self.service) = (location, service) }

    /// Reads `HOST:PORT`, `[IPV6]:PORT` or `unix:PATH`; nil for another text.
    public init?(_ text: String, _ service: Service) {
        if text.hasPrefix("unix:") {
            let path = text.dropFirst("unix:".count)
            guard !path.isEmpty else { return nil }
            self.init(.local(path: String(path)), service)
            return
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        var host = text[..<colon]
        if host.first == "[" && host.last == "]" {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        let digits = text[text.index(after: colon)...]
        guard !host.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = Int(digits),
            (0...65_535).contains(port)
        else { return nil }
        self.init(.network(host: String(host), port: port), service)
    }

    /// Whether only this machine can connect.
    public var isLoopback: Bool {
        switch location {
        case .network(let host, _): ["127.0.0.1", "::1", "localhost"].contains(host)
        case .local: true
        }
    }

    /// The address for people and browsers, with the port on which the server listens.
    public func text(port: Int) -> String {
        switch location {
        case .network(let host, _):
            "\(service.isEncrypted ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .local(let path): "unix:\(path)"
        }
    }
}
