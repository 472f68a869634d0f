internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

extension RateGate {
    /// Counts one request of a sender: for its token if the token is known, else for its address.
    func limit(
        sender request: Request, isKnown: Bool, behind proxies: TrustedProxies, at now: Int64
    ) throws(APIError) {
        if isKnown {
            guard isSet(.token), let text = Authorization.token(of: request) else { return }
            try limit(.token, Self.key(text), at: now)
        } else {
            guard isSet(.address), let key = proxies.client(of: request).networkKey else { return }
            try limit(.address, key, at: now)
        }
    }

    /// Counts one request of a client. The key comes from `key(_:_:)`.
    func limit(client key: UInt64, at now: Int64) throws(APIError) { try limit(.client, key, at: now) }

    /// Counts one request with a public token for its address.
    func limit(
        web subject: RateSubject, _ request: Request, behind proxies: TrustedProxies, at now: Int64
    ) throws(APIError) {
        guard isSet(subject), let key = proxies.client(of: request).networkKey else { return }
        try limit(subject, key, at: now)
    }

    /// The key of a request's address; nil if it is unknown.
    func key(ofAddress call: Call) -> UInt64? { call.client.networkKey }

    /// Counts one TLS handshake for its address. A proxy's handshakes are not counted.
    func admitsHandshake(from peer: PeerAddress, behind proxies: TrustedProxies, at now: Int64) -> Bool {
        guard isSet(.address), !proxies.isTrusted(peer), let key = peer.networkKey else { return true }
        return wait(.address, key, at: now) == 0
    }

    /// The limit of an address for what it may begin on other threads; nil if there is none.
    func allowance(
        _ subject: RateSubject, _ request: Request, behind proxies: TrustedProxies, _ clock: Clock
    ) -> Allowance? {
        guard isSet(subject), let key = proxies.client(of: request).networkKey else { return nil }
        return allowance(subject, key, clock)
    }

    private func limit(_ subject: RateSubject, _ key: UInt64, at now: Int64) throws(APIError) {
        let wait = wait(subject, key, at: now)
        if wait > 0 { throw refusal(subject, wait: wait) }
    }

    /// The hash is seeded for each process: no client can choose another client whose bucket it shares.
    static func key(_ app: Identifier, _ client: Identifier) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(app)
        hasher.combine(client)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    private static func key(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(bytes)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}

extension PeerAddress {
    /// The key that all addresses of one peer share. Each IPv4 address has its own key. All 2⁶⁴ addresses of an IPv6
    /// network, which usually is one household, share a key. An IPv4 address in IPv6 form has the IPv4 key. Nil if the
    /// peer is unknown.
    fileprivate var networkKey: UInt64? {
        var hasher = Hasher()
        switch canonical {
        case .unknown: return nil
        case .ipv4(let address, _): hasher.combine(address)
        case .ipv6(let high, _, _): hasher.combine(high)
        }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}

extension Call {
    /// Looks up the principal, and checks its abilities and its rate. A refused request also counts. Open routes are
    /// for monitoring, and are never limited.
    func admit() throws(APIError) {
        if worker.settings.isOpen { try DevelopmentGuard.check(self) }
        guard endpoint.access != .open else { return }
        do {
            try authorize()
        } catch {
            try worker.rates.limit(
                sender: request, isKnown: error.isOfKnownToken, behind: worker.settings.proxies, at: began)
            throw error
        }
        try worker.rates.limit(
            sender: request, isKnown: principal != nil && !worker.settings.isOpen, behind: worker.settings.proxies,
            at: began)
        guard let web = WebAccess(self) else { return }
        try web.checkOrigin()
        try web.limit()
    }

    /// Counts one request of a client of the app.
    func limit(client id: Identifier, of app: AppSnapshot) throws(APIError) {
        guard worker.rates.isSet(.client) else { return }
        try worker.rates.limit(client: RateGate.key(app.name, id), at: began)
    }

    /// The events of the clients that are within their rates. The events of other clients are refused, so one client
    /// does not silence the others in the same body. Throws 429 if no events are left.
    func withinRates(_ batches: [ClientEvents]) throws(APIError) -> [ClientEvents] {
        guard worker.rates.isSet(.client) else { return batches }
        var batches = batches
        var limited = 0
        var longest: Int64 = 0
        for index in batches.indices {
            let client = batches[index].client
            let wait = worker.rates.wait(.client, RateGate.key(client.app, client.id), at: began)
            guard wait > 0 else { continue }
            limited += 1
            longest = max(longest, wait)
            batches[index].events.reject("rate_limited", "too many requests of this client; again in \(wait) s")
        }
        if limited > 0, limited == batches.count { throw worker.rates.refusal(.client, wait: longest) }
        return batches
    }
}

extension APIError {
    /// Whether the refused request has a valid token.
    fileprivate var isOfKnownToken: Bool {
        if case .forbidden = self { true } else { false }
    }
}
