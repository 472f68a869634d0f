internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The right to open one stream, for readers that can set no header field (docs/reference/streams.md#tickets).
///
/// It is derived, not stored, and contains no token: it names the digest of the token or session of its holder, and is
/// valid as long as that is. The same holder, client and name have the same ticket.
struct StreamTicket {
    static let parameter = "ticket"
    private static let purpose = "stream"

    enum Holder {
        case token([UInt8])
        case session([UInt8])
        /// Everybody, under `--dev`.
        case anybody

        fileprivate var claim: String {
            switch self {
            case .token(let digest): "t" + Digest.hex(digest)
            case .session(let digest): "s" + Digest.hex(digest)
            case .anybody: "d"
            }
        }

        fileprivate init?(claim: String) {
            let digest = SignedClaims.bytes(String(claim.dropFirst()))
            switch (claim.first, digest) {
            case ("t", let digest?): self = .token(digest)
            case ("s", let digest?): self = .session(digest)
            case ("d", _): self = .anybody
            default: return nil
            }
        }

        /// Nil for the token of a hosted page, which opens no stream.
        init?(_ principal: Principal?, isOpen: Bool) {
            if let session = principal?.session {
                self = .session(session.digest)
            } else if let digest = principal?.digest {
                self = .token(digest)
            } else if isOpen {
                self = .anybody
            } else {
                return nil
            }
        }
    }

    let app: Identifier
    let clientID: Identifier
    let name: String?
    let holder: Holder

    init(app: Identifier, clientID: Identifier, name: String?, holder: Holder) {
        (self.app, self.clientID, self.name, self.holder) = (app, clientID, name, holder)
    }

    /// Nil if this installation did not make the ticket.
    init?(_ text: String, secret: [UInt8]) {
        guard let claims = SignedClaims.read(text, Self.purpose, secret: secret), claims.count == 4,
            let app = SignedClaims.name(claims[0]), let clientID = SignedClaims.name(claims[1]),
            let holder = Holder(claim: claims[3])
        else { return nil }
        self.init(app: app, clientID: clientID, name: claims[2].isEmpty ? nil : claims[2], holder: holder)
    }

    private func text(secret: [UInt8]) -> String {
        let claims = [SignedClaims.claim(app), SignedClaims.claim(clientID), name ?? "", holder.claim]
        return SignedClaims.text(Self.purpose, claims, secret: secret)
    }

    /// The path and query with which the stream is opened.
    func url(secret: [UInt8]) -> String {
        let (app, client) = (PercentEncoding.queryValue(app.text), PercentEncoding.queryValue(clientID.text))
        let path = "/v1/apps/\(app)/stream?client_id=\(client)"
        return path + (name.map { "&name=\($0)" } ?? "") + "&\(Self.parameter)=\(text(secret: secret))"
    }
}

extension StreamTicket {
    /// The ticket of a request for a stream, as it was sent; nil if the request has none.
    static func sent(with call: Call) -> String? {
        guard call.endpoint.method == .get, call.endpoint.pattern == StreamRoutes.pattern else { return nil }
        return (try? call.query())?.first { $0.name == parameter }?.value
    }

    /// The holder of a ticket, if it is valid for this stream.
    static func principal(_ text: String, _ call: Call) throws(APIError) -> Principal {
        guard let ticket = StreamTicket(text, secret: call.services.secret) else {
            throw .unauthorized("The ticket is not known.")
        }
        let request = try StreamRequest(query: call)
        guard call.parameter("app") == ticket.app, request.clientID == ticket.clientID, request.name == ticket.name
        else { throw .unauthorized("The ticket is for another stream.") }
        guard let principal = try call.worker.principal(of: ticket.holder, at: call.arrived) else {
            throw .unauthorized("The ticket's token is no longer valid.")
        }
        return principal
    }
}

extension APIWorker {
    /// The principal that a ticket stands for, or a stream was opened by; nil if its token or session has ended.
    func principal(of holder: StreamTicket.Holder, at now: Timestamp) throws(APIError) -> Principal? {
        switch holder {
        case .anybody: return settings.isOpen ? .developer : nil
        case .token(let digest):
            guard let token = token(digest: digest) else {
                guard services.persistence.feed.isCurrent else { throw .behind }
                return nil
            }
            return token.hasExpired(at: now) ? nil : token.principal
        case .session(let digest):
            return person(ofSession: digest, at: now)
        }
    }
}
