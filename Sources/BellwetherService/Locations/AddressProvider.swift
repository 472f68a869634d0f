internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
public import Logging
public import Surveys
internal import Synchronization

/// Requests addresses from a provider, under the rules of webhooks (docs/reference/flows.md#addresses).
///
/// Queries and suggestions are in no log. A bounded number of them is kept in memory for a bounded time. The provider
/// gets the text that was typed, and no fact of the person.
public final class AddressProvider: Sendable {
    /// Settings of the provider.
    public struct Source: Sendable, Hashable {
        public let template: AddressTemplate
        /// The name of its key in `webhooks.secrets`; nil if it needs no key.
        public let secretName: String?

        public init(_ template: AddressTemplate, secretName: String?) {
            (self.template, self.secretName) = (template, secretName)
        }
    }

    private struct State {
        var secrets: WebhookSecrets
        var cache: AddressCache
        /// Whether the provider's last request failed.
        var isFailing = false
    }

    private static let seconds = 5.0
    private static let answerBound = 256 << 10

    private let source: Source
    private let sender: any WebhookSending
    private let userAgent: String
    private let logger: Logger
    private let clock: Clock
    private let state: Mutex<State>

    public init(
        _ source: Source, sender: any WebhookSending, secrets: WebhookSecrets, userAgent: String, logger: Logger,
        clock: Clock = .system
    ) {
        (self.source, self.sender, self.userAgent) = (source, sender, userAgent)
        (self.logger, self.clock) = (logger, clock)
        state = Mutex(State(secrets: secrets, cache: AddressCache()))
    }

    func follow(_ secrets: WebhookSecrets) { state.withLock { $0.secrets = secrets } }

    /// Completes without suggestions if the app may not use the key, or if the provider fails.
    func suggest(
        _ query: LocationQuery, for app: Identifier, offset: @escaping @Sendable (String) -> Int?,
        _ completion: @escaping @Sendable ([LocationSuggestion]) -> Void
    ) {
        guard let url = url(for: query, app) else {
            report(failure: "the app may not use the key, or the address is none")
            return completion([])
        }
        let now = clock.now().seconds
        if let known = state.withLock({ $0.cache.suggestions(to: query, at: now) }) { return completion(known) }
        let headers = [
            WebhookRequest.Header("Accept", "application/geo+json, application/json"),
            WebhookRequest.Header("User-Agent", userAgent),
        ]
        var request = WebhookRequest(url: url, headers: headers, body: [], seconds: Self.seconds)
        request.method = .get
        request.answerBound = Self.answerBound
        sender.send(request) { [self] outcome in
            guard let found = places(outcome, query, offset) else { return completion([]) }
            state.withLock { $0.cache.add(found, to: query, at: now) }
            completion(found)
        }
    }

    private func url(for query: LocationQuery, _ app: Identifier) -> WebhookURL? {
        guard let open = WebhookURL(source.template.url(for: query, key: nil)) else { return nil }
        guard let name = source.secretName else { return open }
        let secrets = state.withLock(\.secrets)
        guard let key = try? secrets.providerKey(name, of: app, to: open) else { return nil }
        return WebhookURL(source.template.url(for: query, key: key))
    }

    private func places(
        _ outcome: Result<WebhookResponse, WebhookFailure>, _ query: LocationQuery, _ offset: (String) -> Int?
    ) -> [LocationSuggestion]? {
        switch outcome {
        case .success(let response) where (200..<300).contains(response.status):
            guard let json = try? JSONValue(parsing: response.body),
                let found = source.template.suggestions(in: json, limit: query.limit, offset: offset)
            else { return report(failure: "the answer is no FeatureCollection of GeoJSON") }
            state.withLock { $0.isFailing = false }
            return found
        case .success(let response): return report(failure: "status \(response.status)")
        case .failure(let failure): return report(failure: failure.sentence)
        }
    }

    /// Logs the first failure after a success. The log contains neither the query nor the address, which contains the
    /// key.
    @discardableResult private func report(failure: String) -> [LocationSuggestion]? {
        let isNew = state.withLock { state in
            defer { state.isFailing = true }
            return !state.isFailing
        }
        if isNew { logger.warning("the provider of addresses gives no answer", metadata: ["reason": "\(failure)"]) }
        return nil
    }
}

/// The suggestions of a provider: at most 256 queries, each for 10 to 20 minutes.
struct AddressCache {
    static let bound = 128
    static let seconds: Int64 = 600

    private var recent: [LocationQuery: [LocationSuggestion]] = [:]
    private var older: [LocationQuery: [LocationSuggestion]] = [:]
    /// The time at which `recent` began, in seconds.
    private var began: Int64 = 0

    mutating func suggestions(to query: LocationQuery, at now: Int64) -> [LocationSuggestion]? {
        age(at: now)
        return recent[query] ?? older[query]
    }

    mutating func add(_ response: [LocationSuggestion], to query: LocationQuery, at now: Int64) {
        age(at: now)
        if recent.count >= Self.bound { (older, recent, began) = (recent, [:], now) }
        recent[query] = response
    }

    /// Removes the suggestions that are too old. If the clock steps back, it removes all.
    private mutating func age(at now: Int64) {
        guard !(began..<began + Self.seconds).contains(now) else { return }
        let isNext = (began..<began + 2 * Self.seconds).contains(now)
        (older, recent, began) = (isNext ? recent : [:], [:], now)
    }
}
