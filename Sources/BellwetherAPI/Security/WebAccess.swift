internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// The rights of a public token (docs/reference/http-api.md#public-tokens). Everyone can read the token, so it
/// identifies the app and not the client.
struct WebAccess {
    let call: Call

    /// Nil if there is no token, or if the token is not public.
    init?(_ call: Call) {
        guard call.principal?.isWeb == true else { return nil }
        self.call = call
    }

    func checkOrigin() throws(APIError) {
        let app = call.optionalParameter("app") ?? call.principal?.app ?? ""
        try Self.checkOrigin(of: call.request, to: app, call.worker)
    }

    /// Refuses a page of another origin. A client that sends no `Origin` is not a browser.
    static func checkOrigin(of request: Request, to app: Identifier, _ worker: APIWorker) throws(APIError) {
        guard let origin = request.header(.origin), !isOwnOrigin(origin, request) else { return }
        var allowed = AllowedOrigins(configured: worker.settings.corsOrigins)
        allowed.app = worker.snapshot.apps[app]?.manifest.web.origins ?? []
        guard allowed.text(of: request) == nil else { return }
        throw .refused(code: "origin", "Pages of this origin may not call: the manifest's web.origins has no such.")
    }

    /// Whether the request comes from the daemon's own page. The scheme is not compared, because a proxy may have
    /// removed TLS.
    private static func isOwnOrigin(_ origin: ArraySlice<UInt8>, _ request: Request) -> Bool {
        guard let host = request.header(.host), !host.isEmpty else { return false }
        return ["http://", "https://"].contains { Array($0.utf8) + host == Array(origin) }
    }

    /// Counts one request of the address: a poll or a write.
    func limit() throws(APIError) {
        try call.worker.rates.limit(
            web: Self.subject(of: call.endpoint), call.request, behind: call.worker.settings.proxies, at: call.began)
    }

    /// The limit of responses that the address begins; nil if there is none.
    var allowance: Allowance? {
        call.worker.rates.allowance(
            .webRespondents, call.request, behind: call.worker.settings.proxies, call.services.clock)
    }

    /// Counts one message of a chat, which costs the owner's server.
    func limitChats() throws(APIError) {
        try call.worker.rates.limit(
            web: .webChats, call.request, behind: call.worker.settings.proxies, at: call.began)
    }

    static func subject(of endpoint: Endpoint) -> RateSubject {
        endpoint.method == .get || endpoint.isRead ? .webPolls : .webWrites
    }
}

extension Call {
    /// Requires a proof for a request with a public token that names a user: the HMAC that the app's own server makes.
    func requireProof(of userID: Identifier?, _ proof: String?, in app: AppSnapshot) throws(APIError) {
        guard let userID, principal?.isWeb == true else { return }
        if let proof, let secret = worker.settings.identitySecrets[app.name],
            UserProof(app: app.name, userID: userID).isProved(by: proof, secret)
        {
            return
        }
        throw .refused(
            code: "identity_proof", "With a public token a user_id needs its user_proof, which the app's server makes.")
    }
}

/// The access to the answers of a run. With a public token, a guessed client id is not enough.
struct RunAccess: Sendable {
    let isWeb: Bool
    /// The respondent's ids. A user's id was proved.
    let ids: RespondentIDs
    /// The id of the response in the request.
    let responseID: Identifier?

    init(_ call: Call, _ ids: RespondentIDs, responseID: Identifier?) {
        (isWeb, self.ids, self.responseID) = (call.principal?.isWeb == true, ids, responseID)
    }

    func mayRead(_ run: Run) -> Bool {
        if !isWeb || ids.userID != nil { return true }
        if let responseID { return responseID == run.id }
        return mayReadRespondent
    }

    /// Whether the facts in the respondent's row may be read.
    var mayReadRespondent: Bool { !isWeb || ids.userID != nil || ids.clientID?.isUnguessable == true }
}

extension Identifier {
    /// Whether the text can be a client id that cannot be guessed (docs/reference/http-api.md#public-tokens). 22
    /// characters of URL-safe Base64 hold 128 random bits. An e-mail address has other characters.
    var isUnguessable: Bool { utf8.count >= 22 && utf8.allSatisfy { ASCIISet.base64URL.contains($0) } }
}

/// The proof that a page represents a user: the hex of an HMAC-SHA256 over the app, a zero byte and the user's id. The
/// key is the app's identity secret (setting `web.identity_secrets`).
struct UserProof {
    private let text: [UInt8]

    init(app: Identifier, userID: Identifier) { text = Array(app.utf8) + [0] + Array(userID.utf8) }

    func isProved(by proof: String, _ secret: [UInt8]) -> Bool {
        let expected = Array(Digest.hex(Array(HMAC.authenticationCode(for: text, key: secret))).utf8)
        let given = Array(proof.lowercased().utf8)
        guard given.count == expected.count else { return false }
        // The comparison takes constant time: the duration reveals nothing about the proof.
        return zip(given, expected).reduce(UInt8(0)) { $0 | $1.0 ^ $1.1 } == 0
    }
}
