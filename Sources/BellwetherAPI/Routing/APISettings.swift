public import BellwetherBase
public import BellwetherJSON
public import BellwetherService
public import HTTPWire
public import Parquet

/// The settings that routes need. A reload replaces all of them together.
public struct APISettings: Sendable {
    /// Whether the daemon is on loopback without tokens (`--dev`).
    public var isOpen = false
    public var tokens = TokenTable([])
    /// The origins from which browsers may call; empty for none, `*` for any.
    public var corsOrigins: [BrowserOrigin] = []
    /// The interfaces that existing clients may use without a token.
    public var publicInterfaces: Set<PublicInterface> = []
    /// The app for Cirrus' routes if the token names none. If it is empty, the context's `app_id` selects the app.
    public var cirrusApp = ""
    /// Whether recipes, manifests and strings are stored as drafts, and the author of a revision cannot publish it
    /// (`publish.require_approval`).
    public var requiresApproval = false
    public var bodyBytes = 1 << 20
    public var ownerBodyBytes = 16 << 20
    /// The maximum size of all apps' documents together.
    public var catalogBytes = 256 << 20
    /// The maximum size of a body with the ids of a list. No setting changes it.
    var listBodyBytes = 256 << 20
    /// The maximum number of ids in all lists together.
    public var listIDs = 20_000_000
    public var jsonDepth = 64
    public var eventsPerRequest = 1000
    public var eventLinesPerRequest = 10_000
    public var nextPollSeconds = 300
    public var events = EventPolicy()
    public var rates = RateSettings()
    public var streams = StreamSettings()
    /// The secrets, by app, for the proof that a web page represents a user (setting `web.identity_secrets`).
    public var identitySecrets: [Identifier: [UInt8]] = [:]
    /// The daemon's own address, without a trailing slash; nil if it is not set (setting `http.public_url`).
    public var publicURL: String?
    /// The duration in `Strict-Transport-Security` over HTTPS; 0 for no such field.
    public var hstsSeconds = 0
    /// The names of tokens by the names in the certificates of clients.
    public var clientTokens: [String: String] = [:]
    /// The proxies that are trusted to report a client's address.
    public var proxies = TrustedProxies()
    /// The retention of responses and drafts; nil for unlimited retention (setting `runs.retention_days`).
    public var runRetentionDays: Int?
    /// Results withhold counts from 1 to below this number. Forecasts withhold shares of fewer contexts than this, and
    /// of all contexts but fewer than this.
    public var minimumCell = 5

    /// Reads a file of the folder `web.directory`; nil if the program's own scripts are used.
    public var webFiles: (@Sendable (String) -> [UInt8]?)?

    public init() {}
}

/// The bounds of a worker's caches. They never affect the content of a response.
public struct CacheLimits: Sendable {
    /// The maximum number of contexts. 0 disables a cache.
    public var contexts = 16_384
    public var contextBytes = 32 << 20
    public var renderedBytes = 32 << 20
    public var responses = 131_072
    /// The maximum bytes, with the messages that cached responses keep alive.
    public var responseBytes = 96 << 20

    public init() {}
}

/// The services that all workers share.
public struct APIServices: Sendable {
    public let persistence: Persistence
    public let publisher: Publisher
    public let tokens: TokenRegister
    public let clock: Clock
    public let metrics: Metrics
    let rates = RateLimits()
    let analysis = CatalogAnalysis()
    /// Runs what grows with the documents of owners and readers, outside the event loops.
    public var checks = BackgroundQueue(requests: Self.maximumChecks)
    /// The maximum number of requests that wait to be checked.
    public static let maximumChecks = 256
    private let flowTurns = FlowTurns()
    public let telemetry: TelemetryTail
    public let accessLog: AccessLog
    public let forecasts: ForecastRecipe
    /// The key of the uuids that are derived for presses.
    public let secret: [UInt8]
    public let version: String
    /// The members of `/__version__` that describe the build: its commit, and the schemas that it knows.
    public var build: JSONObject = [:]
    /// The name of the daemon (setting `node.name`).
    public var node = "node"
    /// The nanoseconds of a clock that is never set, for the times of streams.
    public var uptime: @Sendable () -> UInt64 = { MonotonicTime.nanoseconds }
    /// Calls the hooks of flows; nil if each hook proceeds without a call.
    public var hooks: HookCaller?
    /// The provider with which people sign in; nil if none is configured.
    public var identityProvider: IdentityProvider?
    /// Performs the actions of respondents, and imports.
    var actions: ActionDriver {
        ActionDriver(persistence, publisher, hooks: hooks, turns: flowTurns, judgements: checks, clock: clock)
    }
    /// The daemon's own backups; nil if it makes none.
    public var backups: ScheduledBackups?
    /// Compresses the pages of files of Parquet.
    public var compressor = ParquetCompressor.none
    /// The daemon's sinks.
    public var sinks: [any Sink] = []
    /// The state of the certificates; nil without TLS.
    public var certificates: CertificateState?
    /// Suggests places; nil if suggestions are off.
    public var places: SuggestPlaces?
    /// The counts of the event loop, the store and the process, for `/metrics`.
    public let loopMetrics: @Sendable () -> [MetricSample]

    public init(
        persistence: Persistence, publisher: Publisher, tokens: TokenRegister, clock: Clock, metrics: Metrics,
        telemetry: TelemetryTail, accessLog: AccessLog = AccessLog(), forecasts: ForecastRecipe = ForecastRecipe(),
        secret: [UInt8], version: String,
        loopMetrics: @escaping @Sendable () -> [MetricSample]
    ) {
        self.persistence = persistence
        self.publisher = publisher
        self.tokens = tokens
        self.clock = clock
        self.metrics = metrics
        self.telemetry = telemetry
        self.accessLog = accessLog
        self.forecasts = forecasts
        self.secret = secret
        self.version = version
        self.loopMetrics = loopMetrics
        // Before any thread checks a document.
        CheckLimit.install()
    }
}
