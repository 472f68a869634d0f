public import BellwetherBase
public import BellwetherService
public import HTTPWire

/// The settings that routes need; a reload replaces them whole.
public struct APISettings: Sendable {
    /// On loopback without tokens (`--dev`).
    public var isOpen = false
    public var tokens = TokenTable([])
    /// Origins that browsers may call from; empty: none. `*`: any.
    public var corsOrigins: [BrowserOrigin] = []
    /// The interfaces that existing clients may speak without a token.
    public var publicInterfaces: Set<PublicInterface> = []
    /// The app that Cirrus' routes answer for where the token names none; empty: the app of the context's `app_id`.
    public var cirrusApp = ""
    /// Recipes, manifests and strings are stored as drafts, and the author of a revision cannot put it live
    /// (`publish.require_approval`).
    public var requiresApproval = false
    public var bodyBytes = 1 << 20
    public var ownerBodyBytes = 16 << 20
    /// The bound of the documents of all apps.
    public var catalogBytes = 256 << 20
    public var jsonDepth = 64
    public var eventsPerRequest = 1000
    public var eventLinesPerRequest = 10_000
    public var nextPollSeconds = 300
    public var events = EventPolicy()
    public var rates = RateSettings()
    /// By app: what proves that a web page speaks for a user (setting `web.identity_secrets`).
    public var identitySecrets: [String: [UInt8]] = [:]
    /// The daemon's own address, without a slash at its end; nil: it is not set (setting `http.public_url`).
    public var publicURL: String?
    /// The proxies whose word for the address of a client is believed.
    public var proxies = TrustedProxies()
    /// The retention of responses and drafts; nil: for ever (setting `runs.retention_days`).
    public var runRetentionDays: Int?
    /// Results withhold counts from 1 to below this, forecasts numbers of fewer contexts and of all but fewer.
    public var minimumCell = 5

    /// Reads a file of the folder `web.directory`; nil: the scripts are those of the program.
    public var webFiles: (@Sendable (String) -> [UInt8]?)?

    public init() {}
}

/// The bounds of a worker's caches. Nothing of a response depends on them.
public struct CacheLimits: Sendable {
    /// 0 turns a cache off.
    public var contexts = 16_384
    public var contextBytes = 32 << 20
    public var renderedBytes = 32 << 20
    public var responses = 131_072
    /// With the messages that kept responses hold.
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
    private let flowTurns = FlowTurns()
    public let telemetry: TelemetryTail
    public let accessLog: AccessLog
    public let forecasts: ForecastRecipe
    /// Keys the uuids that are derived for presses.
    public let secret: [UInt8]
    public let version: String
    /// The name of the daemon (setting `node.name`).
    public var node = "node"
    /// Asks hooks of flows; nil: each proceeds.
    public var hooks: HookCaller?
    /// Takes the actions of respondents in flows.
    var flowActions: FlowActions { FlowActions(persistence, publisher, hooks: hooks, turns: flowTurns) }
    /// Suggests places; nil: there are no suggestions.
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
    }
}
