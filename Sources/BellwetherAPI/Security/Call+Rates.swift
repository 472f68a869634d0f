internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

extension Call {
    /// Finds out who asks, whether they may, and whether they ask too often. What is refused counts as asked. Routes that
    /// are open to all are for those who watch the daemon, and never closed to them.
    func admit() throws(APIError) {
        guard endpoint.access != .open else { return }
        do {
            try authorize()
        } catch {
            try limitAsker(isKnown: error.isOfKnownToken)
            throw error
        }
        try limitAsker(isKnown: principal != nil && !worker.settings.isOpen)
    }

    /// One request of a client of the app.
    func limit(client id: String, of app: AppSnapshot) throws(APIError) {
        guard worker.rates.isSet(.client) else { return }
        let wait = worker.rates.wait(.client, Self.key(app.name, id), at: began)
        if wait > 0 { throw worker.rates.refusal(.client, wait: wait) }
    }

    /// What a request brings of clients that do not ask too often. Of those that do no event is taken, but others of the
    /// same body are: one client does not silence those it shares a sender with. 429 when nothing is left.
    func withinRates(_ batches: [ClientEvents]) throws(APIError) -> [ClientEvents] {
        guard worker.rates.isSet(.client) else { return batches }
        var batches = batches
        var limited = 0
        var longest: Int64 = 0
        for place in batches.indices {
            let client = batches[place].client
            let wait = worker.rates.wait(.client, Self.key(client.app, client.id), at: began)
            guard wait > 0 else { continue }
            limited += 1
            longest = max(longest, wait)
            batches[place].events.reject("rate_limited", "too many requests of this client; again in \(wait) s")
        }
        if limited > 0, limited == batches.count { throw worker.rates.refusal(.client, wait: longest) }
        return batches
    }

    private func limitAsker(isKnown: Bool) throws(APIError) {
        let rates = worker.rates
        if isKnown {
            guard rates.isSet(.token), let header = request.header(.authorization) else { return }
            // What follows the scheme, which has no case: as `Authorization` reads it.
            let text = header.dropFirst(Authorization.scheme.count)
            let wait = rates.wait(.token, Self.key(text), at: began)
            if wait > 0 { throw rates.refusal(.token, wait: wait) }
        } else {
            guard rates.isSet(.address), let network = request.peer.network else { return }
            let wait = rates.wait(.address, network.key, at: began)
            if wait > 0 { throw rates.refusal(.address, wait: wait) }
        }
    }

    /// Hashes are seeded by the process: nobody can choose whom to share a bucket with.
    private static func key(_ app: String, _ client: String) -> UInt64 {
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

extension APIError {
    /// Whether it is refused though its token is good.
    fileprivate var isOfKnownToken: Bool {
        if case .forbidden = self { true } else { false }
    }
}

/// Addresses that one peer may have: a single IPv4 address, and the 2⁶⁴ of an IPv6 network, which one household has.
private struct PeerNetwork: Hashable {
    let number: UInt64
    let isVersion6: Bool

    var key: UInt64 { UInt64(bitPattern: Int64(hashValue)) }
}

extension PeerAddress {
    /// Nil where nothing is known of the peer. An IPv4 address written as one of IPv6 is the same.
    fileprivate var network: PeerNetwork? {
        switch self {
        case .unknown: nil
        case .ipv4(let address, _): PeerNetwork(number: UInt64(address), isVersion6: false)
        case .ipv6(0, let low, _) where low >> 32 == 0xFFFF:
            PeerNetwork(number: low & 0xFFFF_FFFF, isVersion6: false)
        case .ipv6(let high, _, _): PeerNetwork(number: high, isVersion6: true)
        }
    }
}
