internal import BellwetherAPI
internal import BellwetherCommands
internal import BellwetherService
internal import EventLoop
internal import HTTPWire
internal import Synchronization
internal import Webhooks

/// Connects the parts. Only this type assigns work to threads.
///
/// N workers respond to requests. One thread of the store writes, others read. Publishes, checks of documents and the
/// folding of the store's log have their own threads; webhooks get one with the first webhook. The writer and these
/// background threads have a lower priority than the workers. The main thread waits for signals.
struct Wiring {
    let persistence: Persistence
    let publisher: Publisher
    let tokens: TokenRegister
    let telemetry: TelemetryTail
    let accessLog: AccessLog
    let outbox: OutboxDispatcher
    let secret: [UInt8]
    let node: String
    let places: SuggestPlaces
    let hooks: HookCaller
    let identityProvider: IdentityProvider?
    let backups: ScheduledBackups?
    let certificates: CertificateFiles?
    let forecasts: ForecastRecipe
    let sinks: [any Sink]

    static func background(requests: Int = .max) -> BackgroundQueue {
        BackgroundQueue(requests: requests) { body in
            WorkerThread.start {
                BackgroundPriority.enter()
                body()
            }
        }
    }

    /// The provider's addresses come from the operator, so they may be private.
    static func identityProvider(_ settings: SignInSettings?, clock: Clock) -> IdentityProvider? {
        let everywhere = ["0.0.0.0/0", "::/0"].compactMap { try? AddressBlock($0) }
        return settings.map {
            IdentityProvider($0, sender: webhookSender(AddressRules(allowing: everywhere)), clock: clock)
        }
    }

    static func webhookSender(_ rules: AddressRules) -> WebhookSender {
        WebhookSender(rules) { body in
            WorkerThread.start {
                BackgroundPriority.enter()
                body()
            }
        }
    }

    func makeServer(_ settings: ServerSettings, _ current: CurrentPublication) throws(ServerError) -> Server {
        let source = ServerSource()
        var services = APIServices(
            persistence: persistence, publisher: publisher, tokens: tokens, clock: persistence.store.clock,
            metrics: Metrics(), telemetry: telemetry, accessLog: accessLog, forecasts: forecasts,
            secret: secret, version: Version.text,
            loopMetrics: { [persistence, accessLog, outbox, hooks, node, backups, certificates, sinks] in
                source.samples + persistence.samples + persistence.feed.samples(of: node)
                    + outbox.statistics.samples + hooks.statistics.samples + (certificates?.state.samples ?? [])
                    + ProcessReading().samples + accessLog.samples + (backups?.samples ?? [])
                    + sinks.flatMap(\.samples)
            })
        services.checks = Self.background(requests: APIServices.maximumChecks)
        services.node = node
        services.build = Version.build
        services.places = places
        services.hooks = hooks
        services.identityProvider = identityProvider
        services.backups = backups
        services.sinks = sinks
        services.compressor = .ofProgram
        services.certificates = certificates?.state
        let server = try Server(settings, credentials: certificates?.credentials) { [services] worker, _ in
            APIWorker(services: services, parking: worker, initial: current.value)
        }
        source.connect(server)
        persistence.feed.streams.connect { [source] news in source.broadcast(news) }
        return server
    }
}

/// The server, for metrics requests that the server itself handles, and for news of streams.
private final class ServerSource: Sendable {
    private struct WeakServer: Sendable {
        weak var server: Server?
    }

    private let server = Mutex(WeakServer())

    func connect(_ server: Server) { self.server.withLock { $0 = WeakServer(server: server) } }

    func broadcast(_ notice: StreamHub.Notice) { server.withLock { $0.server }?.broadcast(notice) {} }

    var samples: [MetricSample] { server.withLock { $0.server }?.statistics.samples ?? [] }
}

extension StoreError {
    /// The sentence of the error, the same in every command.
    var sentence: String {
        switch self {
        case .unusable(let reason), .unavailable(let reason), .rejected(let reason): "The store: \(reason)."
        case .stale: "The store: another publish came first; try again."
        case .overloaded: "The store: too much waits to be written."
        }
    }
}
