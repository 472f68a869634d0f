internal import BellwetherBase
internal import BellwetherService
internal import HTTPWire

/// The cookie with a session's text (docs/reference/http-api.md#sessions). Because of its prefix, no other host and no
/// page without TLS can set it. Browsers treat a loopback address as secure.
enum SessionCookie {
    private static let name = "__Host-bellwether"
    private static let attributes = "Path=/; Secure; HttpOnly; SameSite=Strict"

    /// The text of the request's session; nil if it has none.
    static func text(of request: Request) -> ArraySlice<UInt8>? { value(of: name, in: request) }

    /// The value of a cookie; nil if there is none. If there are several of the name, the first one counts.
    static func value(of name: String, in request: Request) -> ArraySlice<UInt8>? {
        let prefix = Array("\(name)=".utf8)
        guard let header = request.header(named: "Cookie") else { return nil }
        for part in header.split(separator: UInt8(ascii: ";")) {
            let pair = part.drop { $0 == UInt8(ascii: " ") }
            if pair.starts(with: prefix) { return pair.dropFirst(prefix.count) }
        }
        return nil
    }

    /// The value of `Set-Cookie`. The cookie of a session that lasts ends with it, another one when the browser closes,
    /// if the daemon has not ended its session earlier.
    static func setting(_ session: IssuedToken) -> String {
        let token = session.token
        guard token.session?.isLasting == true, let end = token.expiresAt else {
            return "\(name)=\(session.text); \(attributes)"
        }
        let seconds = (end.milliseconds - token.createdAt.milliseconds) / 1000
        return "\(name)=\(session.text); Max-Age=\(seconds); \(attributes)"
    }

    static let ending = "\(name)=; Max-Age=0; \(attributes)"
}

/// The page that made a browser send a request.
enum Sender {
    /// A page of the daemon's own origin.
    case ownPage
    case otherPage
    /// No page: every browser sends `Origin` with a POST.
    case noPage
}

extension Request {
    /// The sender according to `Sec-Fetch-Site`, or to `Origin` without it. The comparison includes the port, because
    /// all ports of a host share cookies.
    var sender: Sender {
        if let site = header(named: "Sec-Fetch-Site") {
            return site.elementsEqual("same-origin".utf8) ? .ownPage : .otherPage
        }
        guard let origin = header(.origin) else { return .noPage }
        return header(.host).map { isOwn(origin, $0) } ?? false ? .ownPage : .otherPage
    }

    /// Behind a proxy the page's scheme is https. A page without TLS is only trusted on this machine.
    private func isOwn(_ origin: ArraySlice<UInt8>, _ host: ArraySlice<UInt8>) -> Bool {
        if origin.elementsEqual(Array("https://".utf8) + host) { return true }
        return Loopback.port(of: host) != nil && origin.elementsEqual(Array("http://".utf8) + host)
    }
}

extension APIError {
    static let foreignPage = APIError.refused(
        code: "origin", "Only pages of the daemon's own origin may use a session, over HTTPS or on this machine.")
}
