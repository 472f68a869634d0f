internal import BellwetherService
internal import HTTPWire

/// The browser requests that `--dev` refuses (docs/reference/http-api.md#development-mode). Without tokens, any page
/// that a developer has open could otherwise do everything that an owner may.
enum DevelopmentGuard {
    /// The monitoring paths, which accept any host name.
    private static let watched = ["/__lbheartbeat__", "/__heartbeat__"].map { Array($0.utf8) }
    private static let schemes = ["http://", "https://"].map { Array($0.utf8) }

    /// A page may point its own name at this machine, and then has the daemon's origin (DNS rebinding). This check is
    /// only for browsers, which all send `Host`.
    static func checkHost(_ request: Request) throws(APIError) {
        guard let host = request.header(.host), Loopback.port(of: host) == nil else { return }
        guard watched.contains(where: { $0.elementsEqual(request.path) }) else {
            throw .refused(
                code: "host", "With --dev the daemon answers as localhost, 127.0.0.1 or [::1] only.")
        }
    }

    /// Pages of other sites may only call routes that admit them. Owners' bodies must declare their type, because a
    /// page can send other bodies without a preflight (Fetch standard 2.2.2).
    static func check(_ call: Call) throws(APIError) {
        let request = call.request
        if !call.endpoint.admitsOtherSites {
            let configured = AllowedOrigins(configured: call.worker.settings.corsOrigins).text(of: request) != nil
            guard configured || !isForeign(request) else {
                throw .refused(code: "origin", "With --dev pages of other origins may not call this route.")
            }
        }
        guard call.endpoint.isForStaff, !call.endpoint.body.isInLines, !request.body.isEmpty,
            !MediaType.isNamedJSON(request)
        else { return }
        throw .unsupportedMediaType(
            """
            With --dev this route reads bodies of the type application/json only, so that no page of another site can \
            send one. curl --json sends it; curl -d sends application/x-www-form-urlencoded.
            """)
    }

    private static func isForeign(_ request: Request) -> Bool {
        if let origin = request.header(.origin), !isOwn(origin, request.header(.host)) { return true }
        return request.header(named: "Sec-Fetch-Site")?.elementsEqual("cross-site".utf8) ?? false
    }

    /// Browsers omit the scheme's default port in both fields.
    private static func isOwn(_ origin: ArraySlice<UInt8>, _ host: ArraySlice<UInt8>?) -> Bool {
        guard let scheme = schemes.first(where: { origin.starts(with: $0) }), let own = host.flatMap(Loopback.port(of:))
        else {
            return false
        }
        return Loopback.port(of: origin.dropFirst(scheme.count)) == own
    }
}

/// The names of this machine, which all count as one host.
enum Loopback {
    private static let names = ["localhost", "127.0.0.1", "[::1]"].map { Array($0.utf8) }

    /// The rest of `HOST[:PORT]` from the colon on; empty without a port. Nil if the host is not this machine.
    static func port(of authority: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        for name in names where authority.count >= name.count {
            // The comparison ignores case.
            guard zip(authority, name).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else { continue }
            let rest = authority.dropFirst(name.count)
            let isPort = rest.first == UInt8(ascii: ":") && rest.dropFirst().allSatisfy { 0x30...0x39 ~= $0 }
            if rest.isEmpty || isPort { return rest }
        }
        return nil
    }
}

extension Endpoint {
    /// Whether the route is not for clients.
    fileprivate var isForStaff: Bool {
        if case .abilities(let abilities) = access { !abilities.contains(.participate) } else { false }
    }
}
