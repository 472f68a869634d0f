internal import BellwetherService

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
    func limit(client id: String, of app: AppSnapshot) throws(APIError) {
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
