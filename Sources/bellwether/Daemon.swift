internal import BellwetherAPI
internal import BellwetherService
internal import EventLoop
internal import Glibc
internal import Logging
internal import SQLiteStore

/// The running daemon: what is made, in which order, and in which order it ends.
struct Daemon {
    let settings: Settings
    /// Reads the configuration again.
    let reading: () throws(SettingsError) -> Settings
    let logger = Logger(label: "bellwether")
    let store: SQLiteStore
    let publisher: Publisher
    let tokens: TokenRegister
    let server: Server
    let current: CurrentPublication

    init(settings: Settings, reading: @escaping () throws(SettingsError) -> Settings) throws {
        self.settings = settings
        self.reading = reading
        if settings.api.isOpen {
            logger.warning("--dev: anyone on this machine may do anything; no token is asked for")
        }
        store = try SQLiteStore(directory: settings.data, settings: settings.store)
        publisher = Publisher(store: store, clock: .system, logger: logger)
        tokens = TokenRegister(store: store, clock: .system, logger: logger)
        if !settings.api.isOpen, settings.api.tokens.isEmpty { try Self.showFirstToken(of: tokens) }
        let files = FolderReading.read(apps: settings.apps, recipes: settings.recipes)
        current = CurrentPublication(
            Publication(
                snapshot: try publisher.start(files), settings: settings.api,
                issued: TokenTable(issued: try tokens.start())))
        let tail = TelemetryTail()
        store.observeTelemetry { tail.notify($0) }
        let wiring = Wiring(
            store: store, publisher: publisher, tokens: tokens, telemetry: tail,
            secret: try InstallationSecret.read(in: settings.data))
        server = try wiring.makeServer(settings.server, current)
    }

    /// Serves until SIGTERM or SIGINT; then finishes what is in flight, and what is queued.
    func run() throws {
        let loop = try SignalLoop()
        let handle = loop.handle
        for signal in [SIGTERM, SIGINT] {
            try loop.on(signal) {
                logger.info("draining")
                server.drain { [logger] isComplete in
                    if !isComplete { logger.warning("the drain's deadline passed; connections were cut") }
                    handle.perform { $0.stop() }
                }
            }
        }
        let retention = RetentionTimer(store: store, policy: settings.retention)
        try loop.on(SIGHUP) { reload(retention) }
        connectPublisher()
        connectTokens()
        try server.start()
        logger.info("started", metadata: ["data": "\(settings.data)", "workers": "\(settings.server.workers)"])
        StandardOutput.writeLine("listening on http://\(hostText):\(server.port)")
        loop.run()
        retention.cancel()
        store.close()
        logger.info("stopped")
    }

    /// As a URL writes it.
    private var hostText: String {
        settings.server.host.contains(":") ? "[\(settings.server.host)]" : settings.server.host
    }

    private func connectPublisher() {
        publisher.connect { [server, current] snapshot, acknowledged in
            current.update {
                $0.snapshot = snapshot
            } send: {
                server.broadcast($0, acknowledged: acknowledged)
            }
        }
        publisher.followDates()
    }

    private func connectTokens() {
        tokens.connect { [server, current] tokens, acknowledged in
            current.update {
                $0.issued = TokenTable(issued: tokens)
            } send: {
                server.broadcast(IssuedTokens($0.issued), acknowledged: acknowledged)
            }
        }
    }

    /// An installation that nobody could use makes a token for its administrator, and says it this once. Not in the log,
    /// which is kept and sent on.
    private static func showFirstToken(of tokens: TokenRegister) throws {
        guard let first = try tokens.issueFirst() else { return }
        StandardError.write("token of \(first.token.name) (scope admin, shown this once): \(first.text)")
    }

    /// Settings first, so that a snapshot that comes later finds them. A configuration that cannot be read changes
    /// nothing.
    private func reload(_ retention: RetentionTimer) {
        do {
            let settings = try reading()
            LogLevel.current = settings.logLevel
            retention.follow(settings.retention)
            current.update {
                $0.settings = settings.api
            } send: {
                server.broadcast($0) {}
            }
        } catch {
            logger.error(
                "the configuration was not reloaded",
                metadata: ["reason": "\(error.sentences.joined(separator: "; "))"])
        }
        let files = FolderReading.read(apps: settings.apps, recipes: settings.recipes)
        publisher.reload(files) { [logger] in logger.info("reloaded") }
    }
}
