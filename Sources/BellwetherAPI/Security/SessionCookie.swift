internal import HTTPWire

/// The cookie that holds a session's text (docs/reference/http-api.md#sessions). Its prefix lets no other host and no
/// page without TLS set one; browsers count a loopback address as safe.
enum SessionCookie {
    private static let name = "__Host-bellwether"
    private static let prefix = Array("\(name)=".utf8)
    private static let attributes = "Path=/; Secure; HttpOnly; SameSite=Strict"

    /// The text of the request's cookie; nil where it has no such cookie. The first of several counts.
    static func text(of request: Request) -> ArraySlice<UInt8>? {
        guard let header = request.header(named: "Cookie") else { return nil }
        for part in header.split(separator: UInt8(ascii: ";")) {
            let pair = part.drop { $0 == UInt8(ascii: " ") }
            if pair.starts(with: prefix) { return pair.dropFirst(prefix.count) }
        }
        return nil
    }

    /// The value of `Set-Cookie`. It ends with the browser; the daemon ends it earlier.
    static func setting(_ text: String) -> String { "\(name)=\(text); \(attributes)" }

    static let ending = "\(name)=; Max-Age=0; \(attributes)"
}

/// Which page a browser has sent a request for.
enum Sender {
    /// One of the daemon's own origin.
    case ownPage
    case otherPage
    /// None: no browser sends a POST without `Origin`.
    case noPage
}

extension Request {
    /// By `Sec-Fetch-Site`; without it, by `Origin`. The port counts: cookies are shared by all ports of a host.
    var sender: Sender {
        if let site = header(named: "Sec-Fetch-Site") {
            return site.elementsEqual("same-origin".utf8) ? .ownPage : .otherPage
        }
        guard let origin = header(.origin) else { return .noPage }
        return header(.host).map { isOwn(origin, $0) } ?? false ? .ownPage : .otherPage
    }

    /// Behind a proxy the page's scheme is https. A page without TLS is safe on this machine only.
    private func isOwn(_ origin: ArraySlice<UInt8>, _ host: ArraySlice<UInt8>) -> Bool {
        if origin.elementsEqual(Array("https://".utf8) + host) { return true }
        return Loopback.port(of: host) != nil && origin.elementsEqual(Array("http://".utf8) + host)
    }
}

extension APIError {
    static let foreignPage = APIError.refused(
        code: "origin", "Only pages of the daemon's own origin may use a session, over HTTPS or on this machine.")
}
