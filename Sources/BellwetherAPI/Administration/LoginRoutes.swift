internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import OpenID

/// The way to the identity provider and back (docs/reference/sign-in.md). Both are pages of a browser: a refusal is a
/// page, too.
enum LoginRoutes {
    static let all = [
        Endpoint(.get, "/v1/login", .signIn, errors: .login, handle: login),
        Endpoint(.get, "/v1/login/callback", .signIn, errors: .login, handle: comeBack),
    ]

    @Sendable private static func login(_ call: Call) throws(APIError) -> Handling {
        let provider = try provider(of: call)
        let reader = try QueryReader(call)
        let next = reader.items.first { $0.name == "next" }?.value ?? "/console"
        for item in reader.items where item.name != "next" { reader.refuse(item.name) }
        try reader.finish()
        let request = SignInRequest.make(secret: call.services.secret)
        return call.park { (ticket: Ticket<Result<String, SignInRefusal>>) in
            provider.address(for: request) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch outcome {
            case .failure(let refusal): throw .provider(refusal)
            case .success(let address):
                var response = Response(302)
                response.add("Location", address)
                response.add("Cache-Control", "no-store")
                response.add("Set-Cookie", LoginCookie(request, next: next, at: call.arrived).setting(call))
                return .now(response)
            }
        }
    }

    /// The browser has followed the provider's answer. A page of another site may have sent it here, so the cookie of
    /// its own request must belong to the answer.
    @Sendable private static func comeBack(_ call: Call) throws(APIError) -> Handling {
        let provider = try provider(of: call)
        let answer = try ProviderRedirect(call)
        guard let cookie = LoginCookie(call), cookie.state == answer.state else {
            throw .provider(SignInRefusal("this sign-in was not begun here, or more than ten minutes ago"))
        }
        // An error may be another issuer's, too (RFC 9207 2.4).
        if let issuer = answer.issuer, issuer != provider.settings.issuer {
            throw .provider(SignInRefusal("the answer came from another issuer"))
        }
        guard let code = answer.code else {
            throw .provider(SignInRefusal("the identity provider refused: \(answer.error ?? "no reason")"))
        }
        let request = SignInRequest(state: cookie.state, secret: call.services.secret)
        return call.park { (ticket: Ticket<Result<ProvidedPerson, SignInRefusal>>) in
            provider.person(of: request, code: code, issuer: answer.issuer) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch outcome {
            case .failure(let refusal): throw .provider(refusal)
            case .success(let person): return begin(person, cookie.next, call)
            }
        }
    }

    private static func begin(_ person: ProvidedPerson, _ next: String, _ call: Call) -> Handling {
        let (register, id) = (call.services.tokens, UniqueID.make(at: call.arrived))
        let names = call.worker.settings.tokens.names
        return call.park { (ticket: Ticket<Result<IssuedToken, TokenRefusal>>) in
            register.signIn(person, id: id, takenNames: names) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            switch outcome {
            case .failure(.store(let error)): throw .store(error)
            case .failure: throw .provider(SignInRefusal("a token or an account has the name \(person.name)"))
            case .success(let issued):
                // A navigation that began at another site carries no strict cookie: the page makes its own.
                var page = PageHTML(
                    title: "Bellwether", body: "<p><a href=\"\(PageHTML.escaped(next))\">Bellwether</a></p>")
                page.refresh = next
                page.caching = "no-store"
                var response = page.response
                response.add("Set-Cookie", SessionCookie.setting(issued))
                response.add("Set-Cookie", LoginCookie.ending)
                return .now(response)
            }
        }
    }

    private static func provider(of call: Call) throws(APIError) -> IdentityProvider {
        guard let provider = call.services.identityProvider else {
            throw .notFound("No identity provider is configured (setting sign_in.issuer).")
        }
        return provider
    }
}

/// The parameters with which a provider sends a person back. Others are ignored, as OAuth 2.0 demands.
private struct ProviderRedirect {
    let state: String
    let code: String?
    let error: String?
    let issuer: String?

    init(_ call: Call) throws(APIError) {
        let items = try call.query()
        var values: [String: String] = [:]
        for item in items {
            guard values.updateValue(item.value, forKey: item.name) == nil else {
                throw .provider(SignInRefusal("the answer has a parameter twice"))
            }
        }
        state = values["state"] ?? ""
        (code, error, issuer) = (values["code"], values["error"], values["iss"])
    }
}

/// The cookie of a sign-in that is under way. The provider sends the browser back from another site, so it is lax.
private struct LoginCookie {
    private static let name = "__Host-bellwether-login"
    private static let purpose = "login"
    private static let attributes = "Path=/; Secure; HttpOnly; SameSite=Lax"

    let state: String
    private let expires: Timestamp
    /// The page of the console that follows.
    let next: String

    init(_ request: SignInRequest, next: String, at now: Timestamp) {
        (state, expires) = (request.state, now.adding(seconds: SignInRequest.seconds))
        self.next = Self.isOwnPage(next) ? next : "/console"
    }

    /// The cookie of a request; nil if it has none that is valid.
    init?(_ call: Call) {
        guard let text = SessionCookie.value(of: Self.name, in: call.request),
            let claims = SignedClaims.read(
                String(decoding: text, as: UTF8.self), Self.purpose, secret: call.services.secret),
            claims.count == 3, let expires = Timestamp(claim: claims[1]), call.arrived < expires,
            let next = SignedClaims.name(claims[2])
        else { return nil }
        (state, self.expires, self.next) = (claims[0], expires, next.text)
    }

    /// Only pages of the console, so that a link cannot lead a person who signs in elsewhere.
    private static func isOwnPage(_ path: String) -> Bool {
        (path == "/console" || path.hasPrefix("/console/") || path.hasPrefix("/console?"))
            && path.utf8.count <= 1024
            && path.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
    }

    func setting(_ call: Call) -> String {
        let claims = [state, expires.claim, SignedClaims.claim(Identifier(next))]
        let text = SignedClaims.text(Self.purpose, claims, secret: call.services.secret)
        return "\(Self.name)=\(text); Max-Age=\(SignInRequest.seconds); \(Self.attributes)"
    }

    static let ending = "\(name)=; Max-Age=0; \(attributes)"
}

/// The page that says why a sign-in was refused.
enum LoginRefusal {
    static func response(_ problem: Problem) -> Response {
        let body = """
            <main><h1>Nobody is signed in</h1>
            <p>\(PageHTML.escaped(problem.detail ?? problem.title))</p>
            <p><a href="/console/sign-in">Back to the sign-in</a></p></main>
            """
        var page = PageHTML(title: "Bellwether", body: body)
        page.status = problem.status
        page.caching = "no-store"
        page.styleSheet = "/\(WebAsset.address(of: "console.css"))"
        var response = page.response
        response.headers.append(contentsOf: problem.headers)
        response.add("Set-Cookie", LoginCookie.ending)
        return response
    }
}

extension APIError {
    fileprivate static func provider(_ refusal: SignInRefusal) -> APIError {
        .refused(code: "sign_in", "\(refusal.reason.prefix(1).uppercased() + refusal.reason.dropFirst()).")
    }
}
