internal import BellwetherJSON
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

    /// Counts one request with a public token for its address. Nil if there is no limit.
    @discardableResult
    func limit(
        web subject: RateSubject, _ request: Request, behind proxies: TrustedProxies, at now: Int64
    ) throws(APIError) -> TakenRequest? {
        guard isSet(subject), let key = proxies.client(of: request).networkKey else { return nil }
        try limit(subject, key, at: now)
        return taken(subject, key)
    }

    private func limit(_ subject: RateSubject, _ key: UInt64, at now: Int64) throws(APIError) {
        let wait = wait(subject, key, at: now)
        if wait > 0 { throw refusal(subject, wait: wait) }
    }

    /// The hash is seeded for each process: no client can choose another client whose bucket it shares.
    static func key(_ app: String, _ client: String) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(ByteKey(text: app))
        hasher.combine(ByteKey(text: client))
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
