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
        let files = FolderReading.read(apps: settings.apps, recipes: settings.recipes)
        current = CurrentPublication(Publication(snapshot: try publisher.start(files), settings: settings.api))
        let tail = TelemetryTail()
        store.observeTelemetry { tail.notify($0) }
        let wiring = Wiring(
            store: store, publisher: publisher, telemetry: tail, secret: try InstallationSecret.read(in: settings.data))
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
                $0 = Publication(snapshot: snapshot, settings: $0.settings)
            } send: {
                server.broadcast($0, acknowledged: acknowledged)
            }
        }
        publisher.followDates()
    }

    /// Settings first, so that a snapshot that comes later finds them. A configuration that cannot be read changes
    /// nothing.
    private func reload(_ retention: RetentionTimer) {
        do {
            let settings = try reading()
            LogLevel.current = settings.logLevel
            retention.follow(settings.retention)
            current.update {
                $0 = Publication(snapshot: $0.snapshot, settings: settings.api)
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
