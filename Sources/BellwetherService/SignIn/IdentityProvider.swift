internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
public import OpenID
internal import Synchronization

/// An OpenID provider: sends people there, and reads who came back (docs/reference/sign-in.md).
///
/// Its document and its keys are requested when a person signs in, and kept for a while. Sessions, links and tokens
/// work without it.
public final class IdentityProvider: Sendable {
    public typealias Completion<Value> = @Sendable (Result<Value, SignInRefusal>) -> Void

    private struct Known: Sendable {
        var document: (value: ProviderDocument, until: Timestamp)?
        var keys: (value: KeySet, until: Timestamp)?
        /// The last request for keys. An unknown key is looked for at most once a minute.
        var keysAt: Timestamp?
    }

    private static let answerBound = 256 << 10
    private static let seconds = 5.0
    private static let keptSeconds: Int64 = 3600
    private static let keyPeriod: Int64 = 60

    public let settings: SignInSettings
    private let sender: any WebhookSending
    private let clock: Clock
    private let known = Mutex(Known())

    /// - Parameter sender: Sends to every address, because the operator names the provider.
    public init(_ settings: SignInSettings, sender: any WebhookSending, clock: Clock) {
        (self.settings, self.sender, self.clock) = (settings, sender, clock)
    }

    /// Where a person signs out of the provider; nil if that is not known, or not offered.
    public var signOutAddress: String? {
        guard let address = known.withLock({ $0.document?.value.endSession }) else { return nil }
        return Self.address(
            address, [("client_id", settings.clientID), ("post_logout_redirect_uri", settings.publicURL + "/console")])
    }

    /// The address at the provider where the person signs in.
    public func address(for request: SignInRequest, _ completion: @escaping Completion<String>) {
        readDocument { [settings] result in
            completion(
                result.map { document in
                    Self.address(
                        document.authorization,
                        [
                            ("response_type", "code"), ("client_id", settings.clientID),
                            ("redirect_uri", settings.returnAddress), ("scope", settings.scopes.joined(separator: " ")),
                            ("state", request.state), ("nonce", request.nonce),
                            ("code_challenge", request.challenge), ("code_challenge_method", "S256"),
                        ])
                })
        }
    }

    /// The person who came back with a code.
    ///
    /// - Parameter issuer: The issuer that the provider's answer names; nil if it names none.
    public func person(
        of request: SignInRequest, code: String, issuer: String?, _ completion: @escaping Completion<ProvidedPerson>
    ) {
        readDocument { [self] result in
            let document: ProviderDocument
            switch result {
            case .success(let known): document = known
            case .failure(let refusal): return completion(.failure(refusal))
            }
            guard issuer == settings.issuer || issuer == nil && !document.namesIssuer else {
                return completion(.failure(SignInRefusal("the answer came from another issuer")))
            }
            exchange(code, request, at: document) { [self] answer in
                switch answer {
                case .failure(let refusal): completion(.failure(refusal))
                case .success(let tokens): verify(tokens, request, document, completion)
                }
            }
        }
    }
}

/// The tokens that the provider gives for a code.
private struct ProvidedTokens: Sendable {
    let idToken: String
    let accessToken: String

    init?(_ answer: JSONObject) {
        guard let idToken = answer["id_token"]?.string, let accessToken = answer["access_token"]?.string,
            answer["token_type"]?.string?.lowercased() == "bearer"
        else { return nil }
        (self.idToken, self.accessToken) = (idToken, accessToken)
    }
}

extension IdentityProvider {
    private func exchange(
        _ code: String, _ request: SignInRequest, at document: ProviderDocument,
        _ completion: @escaping Completion<ProvidedTokens>
    ) {
        let body = Self.query([
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", settings.returnAddress),
            ("code_verifier", request.verifier),
        ])
        let credentials = "\(Self.encoded(settings.clientID)):\(Self.encoded(settings.clientSecret))"
        let headers = [
            WebhookRequest.Header("Authorization", "Basic \(Base64.encode(Array(credentials.utf8)[...]))"),
            WebhookRequest.Header("Content-Type", "application/x-www-form-urlencoded"),
        ]
        send(to: document.token, headers, body: Array(body.utf8)) { answer in
            completion(
                answer.flatMap { answer in
                    ProvidedTokens(answer).map { .success($0) }
                        ?? .failure(SignInRefusal("the provider gave no ID token"))
                })
        }
    }

    private func verify(
        _ tokens: ProvidedTokens, _ request: SignInRequest, _ document: ProviderDocument,
        _ completion: @escaping Completion<ProvidedPerson>
    ) {
        readKeys(for: tokens.idToken, at: document) { [self] result in
            do throws(SignInRefusal) {
                let keys = try result.get()
                let expected = SignInExpectation(
                    issuer: settings.issuer, clientID: settings.clientID, nonce: request.nonce,
                    accessToken: tokens.accessToken, now: clock.now())
                completeClaims(
                    of: try IDToken(tokens.idToken, keys: keys, expected), tokens, document, completion)
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// Asks the provider for the person's groups if the ID token has none.
    private func completeClaims(
        of token: IDToken, _ tokens: ProvidedTokens, _ document: ProviderDocument,
        _ completion: @escaping Completion<ProvidedPerson>
    ) {
        do throws(SignInRefusal) {
            let groups = try ClaimValues.values(of: settings.claim, in: token.claims)
            guard groups.isEmpty, let userInfo = document.userInfo else {
                return completion(.success(try person(token, groups)))
            }
            let headers = [WebhookRequest.Header("Authorization", "Bearer \(tokens.accessToken)")]
            send(to: userInfo, headers) { [self] answer in
                completion(
                    answer.flatMap { claims in
                        Result { () throws(SignInRefusal) in
                            guard claims["sub"]?.string == token.subject else {
                                throw SignInRefusal("the provider's user information is about somebody else")
                            }
                            return try person(token, try ClaimValues.values(of: settings.claim, in: claims))
                        }
                    })
            }
        } catch {
            completion(.failure(error))
        }
    }

    private func person(_ token: IDToken, _ groups: [String]) throws(SignInRefusal) -> ProvidedPerson {
        let name = "\(token.subject)@\(settings.issuer)"
        guard let roles = settings.roles(of: groups) else {
            throw SignInRefusal("no group of \(token.subject) has a role here: an administrator gives one")
        }
        guard name.isIdentifier else { throw SignInRefusal("the provider's name of the person is too long") }
        let claims = token.claims
        let shown = ["name", "preferred_username", "email"].lazy.compactMap { claims[$0]?.string }.first
        return ProvidedPerson(name: Identifier(name), displayName: shown.map { String($0.prefix(128)) }, roles: roles)
    }
}

/// The provider's document and keys.
extension IdentityProvider {
    private func readDocument(_ completion: @escaping Completion<ProviderDocument>) {
        let now = clock.now()
        if let document = known.withLock({ $0.document }), now < document.until {
            return completion(.success(document.value))
        }
        let issuer = settings.issuer.hasSuffix("/") ? String(settings.issuer.dropLast()) : settings.issuer
        send(to: issuer + "/.well-known/openid-configuration") { [self, settings] answer in
            let read = answer.flatMap { answer in
                Result { () throws(SignInRefusal) in try ProviderDocument(answer, issuer: settings.issuer) }
            }
            if case .success(let document) = read {
                known.withLock { $0.document = (document, now.adding(seconds: Self.keptSeconds)) }
            }
            completion(read)
        }
    }

    /// The keys, requested again if they are old, or if they lack the token's key.
    private func readKeys(
        for token: String, at document: ProviderDocument, _ completion: @escaping Completion<KeySet>
    ) {
        let now = clock.now()
        do throws(SignInRefusal) {
            if let keys = known.withLock({ $0.keys }), now < keys.until {
                let isKnown = try IDToken.isKnown(keyOf: token, in: keys.value)
                let last = known.withLock { $0.keysAt } ?? now
                guard !isKnown, now.milliseconds - last.milliseconds >= Self.keyPeriod * 1000 else {
                    return completion(.success(keys.value))
                }
            }
        } catch {
            return completion(.failure(error))
        }
        known.withLock { $0.keysAt = now }
        send(to: document.keys) { [self] answer in
            let read = answer.flatMap { answer -> Result<KeySet, SignInRefusal> in
                KeySet(answer).map { .success($0) } ?? .failure(SignInRefusal("the provider's keys cannot be read"))
            }
            if case .success(let keys) = read {
                known.withLock { $0.keys = (keys, now.adding(seconds: Self.keptSeconds)) }
            }
            completion(read)
        }
    }

    /// Sends a request, and reads the answer as a JSON object. Without a body it is a GET.
    private func send(
        to address: String, _ headers: [WebhookRequest.Header] = [], body: [UInt8]? = nil,
        _ completion: @escaping Completion<JSONObject>
    ) {
        guard let url = WebhookURL(address) else {
            return completion(.failure(SignInRefusal("the provider has an address that is none")))
        }
        var request = WebhookRequest(
            url: url, headers: headers + [WebhookRequest.Header("Accept", "application/json")], body: body ?? [],
            seconds: Self.seconds)
        if body == nil { request.method = .get }
        request.answerBound = Self.answerBound
        sender.send(request) { outcome in
            switch outcome {
            case .failure(let failure):
                completion(.failure(SignInRefusal("the identity provider cannot be reached: \(failure.sentence)")))
            case .success(let answer) where answer.status != 200:
                completion(.failure(SignInRefusal("the identity provider answered with status \(answer.status)")))
            case .success(let answer):
                guard let object = (try? JSONValue(parsing: answer.body))?.object else {
                    return completion(.failure(SignInRefusal("the identity provider's answer is no JSON object")))
                }
                completion(.success(object))
            }
        }
    }

    private static func address(_ address: String, _ members: [(String, String)]) -> String {
        address + (address.contains("?") ? "&" : "?") + query(members)
    }

    private static func query(_ members: [(String, String)]) -> String {
        members.map { "\($0.0)=\(encoded($0.1))" }.joined(separator: "&")
    }

    private static func encoded(_ text: String) -> String { PercentEncoding.queryValue(text) }
}
