internal import BellwetherAPI
internal import BellwetherCommands
internal import BellwetherService
internal import Dispatch
internal import EventLoop
internal import Glibc
internal import Logging
internal import Surveys
internal import Webhooks

/// The running daemon: starts its parts in order, and stops them in order.
struct Daemon {
    private static let webhookGraceSeconds = 5.0

    let settings: Settings
    /// Reads the configuration again, for a reload.
    let reading: () throws(SettingsError) -> Settings
    let logger = Logger(label: "bellwether")
    let persistence: Persistence
    let publisher: Publisher
    let tokens: TokenRegister
    let server: Server
    let current: CurrentPublication
    let webhooks: WebhookSender
    let outbox: OutboxDispatcher
    let hooks: HookCaller
    let forecasts = ForecastRecipe()
    let places: SuggestPlaces
    /// Nil if the daemon makes no backups.
    let backups: ScheduledBackups?
    let sinks: [any Sink]
    let access: AccessLogWriter
    /// Nil without an encrypted address.
    let certificates: CertificateFiles?
    let manager = ServiceManager()

    init(settings: Settings, reading: @escaping () throws(SettingsError) -> Settings) throws {
        self.settings = settings
        self.reading = reading
        if settings.api.isOpen {
            logger.warning("--dev: anyone on this machine may do anything; no token is asked for")
        }
        // A limit on the size of files makes a write fail, as a full disk does. It must not end the process.
        signal(SIGXFSZ, SIG_IGN)
        try Server.checkAddresses(settings.server)
        access = AccessLogWriter(logger: logger)
        try access.follow(settings.accessLog)
        let opened = try settings.store.open(background: Wiring.background())
        let store = opened.store
        persistence = Persistence(store, settings: settings.persistence, logger: logger)
        for warning in opened.warnings { logger.warning("\(warning)") }
        publisher = Publisher(store: store, clock: store.clock, logger: logger, queue: Wiring.background())
        publisher.follow(settings.webhooks.secrets)
        publisher.publicURL = settings.api.publicURL
        if let warning = settings.webhooks.warning { logger.warning("\(warning)") }
        tokens = TokenRegister(store: store, clock: store.clock, logger: logger)
        if !settings.api.isOpen, settings.api.tokens.isEmpty { try Self.showFirstToken(of: tokens) }
        let files = FolderReading.read(apps: settings.apps, recipes: settings.recipes)
        current = CurrentPublication(
            Publication(
                snapshot: try publisher.start(files), settings: settings.api,
                issued: TokenTable(issued: try tokens.start())))
        let tail = TelemetryTail()
        persistence.feed.connect(tail, publisher, tokens, persistence.store)
        webhooks = Wiring.webhookSender(settings.webhooks.rules)
        outbox = OutboxDispatcher(
            persistence, sender: webhooks, secrets: settings.webhooks.secrets, userAgent: "bellwether/\(Version.text)",
            clock: store.clock)
        hooks = HookCaller(
            sender: webhooks, secrets: settings.webhooks.secrets, userAgent: "bellwether/\(Version.text)",
            playsSamples: settings.api.isOpen)
        places = SuggestPlaces(
            queue: Wiring.background(), readTable: Self.reading(settings.locations, logger),
            offset: CountryNames.shared.locationNames.offset, addresses: Self.addresses(settings, webhooks, logger))
        backups = settings.backups?.scheduled(by: store.clock, logger)
        sinks = settings.sinks.map { [persistence, publisher, logger] in $0.sink(persistence, publisher, logger) }
        let certificates = try settings.tls.map { [logger] in
            try CertificateFiles($0, secret: opened.secret, logger: logger)
        }
        self.certificates = certificates
        let wiring = Wiring(
            persistence: persistence, publisher: publisher, tokens: tokens, telemetry: tail, accessLog: access.log,
            outbox: outbox, secret: opened.secret, node: settings.node,
            places: places, hooks: hooks,
            identityProvider: Wiring.identityProvider(settings.signIn, clock: store.clock), backups: backups,
            certificates: certificates, forecasts: forecasts, sinks: sinks)
        server = try wiring.makeServer(settings.server, current)
    }

    /// Serves until SIGTERM or SIGINT; then completes the requests in progress and the queued work.
    func run() throws {
        let loop = try SignalLoop()
        let handle = loop.handle
        for signal in [SIGTERM, SIGINT] {
            try loop.on(signal) {
                logger.info("draining")
                manager.notifyStopping()
                server.drain { [logger] isComplete in
                    if !isComplete { logger.warning("the drain's deadline passed; connections were cut") }
                    handle.perform { $0.stop() }
                }
            }
        }
        let watch = StoreWatch(persistence: persistence, logger: logger)
        let retention = RetentionTimer(persistence: persistence, policy: settings.retention, logger: logger)
        try loop.on(SIGHUP) { reload(retention) }
        connectPublisher()
        connectTokens()
        persistence.feed.start()
        let dailyJobs = startDailyJobs()
        let jobs = LookTimer { [backups, sinks] in
            backups?.look()
            for sink in sinks { sink.look() }
        } stop: {
            backups?.stop()
            for sink in sinks { sink.stop() }
        }
        verifyAudit()
        let guards = GuardWatch(publisher, persistence) { [current] in current.value.settings.minimumCell }
        guards.start(Array(current.value.snapshot.apps.values))
        let plans = ForecastWatch(publisher, persistence, forecasts) { [current] in current.value.settings.minimumCell }
        plans.start()
        try server.start()
        logger.info("started", metadata: ["store": "\(settings.store)", "workers": "\(settings.server.workers)"])
        // The reader of standard output may have ended, but the daemon must continue to serve clients.
        try? StandardOutput.writeLine("listening on \(url)")
        for (address, port) in zip(settings.server.addresses, server.ports).dropFirst() {
            try? StandardOutput.writeLine("listening on \(address.text(port: port))")
        }
        if settings.api.isOpen {
            logger.notice("the console in a browser: \(url)/console")
            for app in current.value.snapshot.apps.keys.sorted() {
                logger.notice("\(app) in a browser: \(url)/sample/\(app)")
            }
        }
        access.start()
        let certificateTimer = certificates.map { CertificateTimer($0, server) }
        outbox.look()
        manager.notifyReady("listening on \(url)")
        let watchdog = manager.watchdogMicroseconds.map {
            WatchdogTimer(every: $0, manager: manager, server: server, loop: handle)
        }
        withExtendedLifetime((watchdog, guards, plans)) { loop.run() }
        retention.cancel()
        for job in dailyJobs { job.cancel() }
        jobs.cancel()
        watch.cancel()
        certificateTimer?.cancel()
        access.close()
        stopWebhooks()
        persistence.close()
        logger.info("stopped")
    }

    private func startDailyJobs() -> [DailyTimer] {
        [
            DailyTimer(after: 0, retrySeconds: EarlierRuns.retrySeconds, persistence) {
                [persistence, current] _, now, done in
                EarlierRuns(in: persistence, now: now).count(current.value.snapshot.apps.keys.sorted(), done)
            },
            DailyTimer(after: 0, retrySeconds: RecountSlots.leaseSeconds, persistence) {
                [persistence] holder, now, done in
                RecountSlots(in: persistence, holding: holder, now: now).run(done)
            },
            DailyTimer(after: 60, retrySeconds: CleanUpRuns.leaseSeconds, persistence) {
                [persistence, current] holder, now, done in
                let publication = current.value
                let apps = publication.snapshot.apps.values.sorted { $0.name < $1.name }
                let days = publication.settings.runRetentionDays
                let rules = apps.flatMap { CleanUpRuns.rules(for: $0, retentionDays: days) }
                CleanUpRuns(in: persistence, now: now).run(rules, holding: holder, done)
            },
        ]
    }

    /// Logs the first fault of the audit. The daemon serves meanwhile, and with a fault too.
    private func verifyAudit() {
        persistence.verifyAudit { [logger] verdict in
            guard case .success(.failure(let fault)) = verdict else { return }
            logger.error("the audit is not whole", metadata: ["reason": "\(fault)"])
        }
    }

    /// Requests in progress get a short time to finish. The other webhooks are sent after the next start.
    private func stopWebhooks() {
        outbox.close()
        let done = DispatchSemaphore(value: 0)
        webhooks.close(graceSeconds: Self.webhookGraceSeconds) { done.signal() }
        done.wait()
    }

    private var url: String { settings.server.addresses[0].text(port: server.port) }

    private func connectPublisher() {
        publisher.connect { [server, current] snapshot, acknowledged in
            current.update {
                $0.snapshot = snapshot
            } send: {
                server.broadcast($0, acknowledged: acknowledged)
            }
        }
        publisher.followDates(in: persistence)
    }

    private static func addresses(
        _ settings: Settings, _ sender: WebhookSender, _ logger: Logger
    ) -> AddressProvider? {
        settings.locations.addresses.map {
            AddressProvider(
                $0, sender: sender, secrets: settings.webhooks.secrets, userAgent: "bellwether/\(Version.text)",
                logger: logger)
        }
    }

    /// Reads the table of places. Without a readable table there are no suggestions of places; the daemon serves
    /// everything else.
    private static func reading(_ locations: LocationSettings, _ logger: Logger) -> @Sendable () -> CityTable? {
        let (cities, regions) = (locations.cities, locations.regions)
        let report = { @Sendable (error: SettingsError) in
            let reason = error.sentences.joined(separator: "; ")
            logger.error("places are not loaded", metadata: ["reason": "\(reason)"])
        }
        do throws(SettingsError) {
            try LocationFiles.check(cities: cities, regions: regions)
        } catch {
            report(error)
        }
        return {
            do throws(SettingsError) {
                return try LocationFiles.read(cities: cities, regions: regions)
            } catch {
                report(error)
                return nil
            }
        }
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

    /// An installation without tokens issues one for its administrator, and prints it once. The log does not contain
    /// it, because logs are stored and forwarded.
    private static func showFirstToken(of tokens: TokenRegister) throws {
        guard let first = try tokens.issueFirst() else { return }
        StandardError.write("token of \(first.token.name) (scope admin, shown this once): \(first.text)")
    }

    private func publish(_ change: (inout Publication) -> Void) {
        current.update(change) { server.broadcast($0) {} }
    }

    /// Applies the settings first, so that later snapshots use them. A faulty configuration only changes the heartbeat,
    /// which shows the fault until a reload succeeds.
    private func reload(_ retention: RetentionTimer) {
        manager.notifyReloading()
        var status = "listening on \(url)"
        do {
            let settings = try reading()
            try access.follow(settings.accessLog)
            LogLevel.current = settings.logLevel
            retention.follow(settings.retention)
            webhooks.follow(settings.webhooks.rules)
            if let warning = settings.webhooks.warning { logger.warning("\(warning)") }
            certificates?.look(settings.tls, server)
            publisher.follow(settings.webhooks.secrets)
            publisher.publicURL = settings.api.publicURL
            outbox.follow(settings.webhooks.secrets)
            hooks.follow(settings.webhooks.secrets)
            places.follow(settings.webhooks.secrets)
            publish {
                $0.settings = settings.api
                $0.settingsFaults = []
            }
        } catch {
            let reason = error.sentences.joined(separator: "; ")
            logger.error("the configuration was not reloaded", metadata: ["reason": "\(reason)"])
            status += "; the configuration was not reloaded: \(reason)"
            publish { $0.settingsFaults = error.sentences }
        }
        let files = FolderReading.read(apps: settings.apps, recipes: settings.recipes)
        publisher.reload(files) { [logger, manager, status] in
            logger.info("reloaded")
            manager.notifyReady(status)
        }
    }
}
