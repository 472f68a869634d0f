internal import BellwetherService
internal import HTTPWire

/// What `--dev` refuses of browsers (docs/reference/http-api.md#development-mode). It asks for no token, so any page
/// that a developer has open could else do what an owner may.
enum DevelopmentGuard {
    /// How this machine calls itself: they count as one host.
    private static let loopback = ["localhost", "127.0.0.1", "[::1]"]
    /// For those who watch the daemon, by whatever name.
    private static let watched = ["/__lbheartbeat__", "/__heartbeat__"].map { Array($0.utf8) }

    /// A page may point its own name at this machine, and is of the daemon's origin then (DNS rebinding). Only browsers
    /// are meant: they all send `Host`.
    static func checkHost(_ request: Request) throws(APIError) {
        guard let host = request.header(.host), !watched.contains(where: { $0.elementsEqual(request.path) }) else {
            return
        }
        guard let authority = Authority(host), loopback.contains(authority.host) else {
            throw .refused(
                code: "host", "With --dev the daemon answers as localhost, 127.0.0.1 or [::1] only.")
        }
    }

    /// Pages of other sites may call what is meant for them, and owners' bodies say what they are: a page can send
    /// others without being asked first (Fetch standard 2.2.2).
    static func check(_ call: Call) throws(APIError) {
        let request = call.request
        if !call.endpoint.admitsOtherSites {
            let configured = AllowedOrigins(configured: call.worker.settings.corsOrigins).text(of: request) != nil
            guard configured || !isForeign(request) else {
                throw .refused(code: "origin", "With --dev pages of other origins may not call this route.")
            }
        }
        guard call.endpoint.isForStaff, !request.body.isEmpty, !MediaType.isNamedJSON(request) else { return }
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

    private static func isOwn(_ origin: ArraySlice<UInt8>, _ host: ArraySlice<UInt8>?) -> Bool {
        let schemes = ["http://", "https://"].map { Array($0.utf8) }
        guard let scheme = schemes.first(where: { origin.starts(with: $0) }), let host,
            let own = Authority(host), let other = Authority(origin.dropFirst(scheme.count))
        else { return false }
        // Browsers leave out the port of the scheme, in both fields.
        return loopback.contains(other.host) && own.port == other.port
    }

    /// `HOST[:PORT]`, the host in lower case.
    private struct Authority {
        let host: String
        let port: Int?

        init?(_ bytes: ArraySlice<UInt8>) {
            let text = String(decoding: bytes, as: UTF8.self).lowercased()
            let end = text.hasPrefix("[") ? text.firstIndex(of: "]").map(text.index(after:)) : text.firstIndex(of: ":")
            host = String(text[..<(end ?? text.endIndex)])
            let rest = text[(end ?? text.endIndex)...]
            port = rest.hasPrefix(":") ? Int(rest.dropFirst()) : nil
            guard rest.isEmpty || port != nil else { return nil }
        }
    }
}

extension Endpoint {
    /// For owners, pipelines or administrators.
    fileprivate var isForStaff: Bool {
        if case .scope(let scope) = access { scope != .client } else { false }
    }
}
