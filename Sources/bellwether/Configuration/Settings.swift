internal import BellwetherAPI
internal import BellwetherBase
internal import BellwetherCommands
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import BellwetherSettings
internal import EventLoop
internal import FoundationEssentials
internal import HTTPWire
internal import Logging
internal import PostgresStore

/// The daemon's settings. Flags override the environment, which overrides the file, which overrides the defaults
/// (docs/reference/http-api.md#the-command-serve).
struct Settings {
    var server: ServerSettings
    /// Nil without an encrypted address.
    let tls: TLSSettings?
    var api: APISettings
    var retention: RetentionPolicy
    let store: any StoreLocation
    /// See `NodeName`.
    let node: String
    let apps: String
    let recipes: String
    let persistence: PersistenceSettings
    /// Nil if the daemon makes no backups.
    let backups: BackupSettings?
    let webhooks: WebhookSettings
    /// Nil without an identity provider.
    let signIn: SignInSettings?
    let locations: LocationSettings
    let sinks: [SinkConfiguration]
    let logLevel: Logger.Level
    let logFormat: LogFormat
    /// A file, `-` for standard output, or empty for no access log.
    let accessLog: String
}

/// The flags of `serve` that set settings.
struct SettingsFlags {
    var values: [String: SettingValue] = [:]
    var isOpen = false

    mutating func set(_ key: String, _ text: String?) { values[key] = text.map { .text($0) } }
    mutating func set(_ key: String, _ number: Int?) { values[key] = number.map { .number($0) } }
}

extension Settings {
    /// Reads all sources. Throws all faults together.
    static func load(flags: SettingsFlags, file: String?) throws(SettingsError) -> Settings {
        let document = try file.map { (path) throws(SettingsError) in try SettingsFile(path: path) } ?? SettingsFile()
        let environment = ProcessInfo.processInfo.environment
        let unknown = EnvironmentVariables.unknown(in: environment).map { "\($0): there is no such setting" }
        let layers = SettingsLayers(
            flags: flags.values, environment: environment, file: document.values, isOpen: flags.isOpen)
        var source = SettingsSource(layers: layers, faults: document.faults + unknown)
        let settings = source.settings(isOpen: flags.isOpen)
        guard source.faults.isEmpty else { throw SettingsError(source.faults) }
        return settings
    }
}

/// Reads settings one after another, and collects the faults.
private struct SettingsSource {
    let layers: SettingsLayers
    var faults: [String]

    mutating func settings(isOpen: Bool) -> Settings {
        let day: Int64 = 86_400
        let level = text("log.level")
        if Logger.Level(rawValue: level) == nil { faults.append("log.level is none of swift-log's levels: \(level)") }
        let format = LogFormat(rawValue: text("log.format"))
        if format == nil {
            faults.append("log.format is \(LogFormat.allCases.map(\.rawValue).joined(separator: " or "))")
        }
        let host = text("http.host")
        if isOpen, !["127.0.0.1", "::1", "localhost"].contains(host) {
            faults.append("--dev asks for no token and so listens on loopback only, not on \(host)")
        }
        let location = store(isOpen: isOpen)
        let server = server(host: host, isOpen: isOpen)
        let tls = tls(server)
        let api = api(isOpen: isOpen, tls: tls.address)
        let settings = Settings(
            server: server, tls: tls.settings, api: api,
            retention: RetentionPolicy(
                telemetrySeconds: Int64(number("telemetry.retention_days")) * day,
                telemetryHoldSeconds: Int64(number("telemetry.hold_days")) * day,
                eventIDSeconds: Int64(number("events.dedup_days")) * day),
            store: location, node: node(), apps: text("apps"), recipes: text("recipes"),
            persistence: persistence(),
            backups: BackupSettings(
                every: text("backups.every"), keep: number("backups.keep"), directory: text("backups.directory"),
                copies: objectStore("backups"), of: location, &faults),
            webhooks: WebhookSettings(
                secrets: read("webhooks.secrets", layers.secrets("webhooks.secrets"), []),
                allowing: texts("webhooks.allow_networks"), &faults),
            signIn: signIn(publicURL: api.publicURL), locations: locations(), sinks: sinks(),
            logLevel: Logger.Level(rawValue: level) ?? .info, logFormat: format ?? .text,
            accessLog: text("log.access"))
        return settings
    }

    private mutating func store(isOpen: Bool) -> any StoreLocation {
        let location: any StoreLocation
        let durability = StoreDurability(rawValue: text("store.durability"))
        if durability == nil {
            faults.append("store.durability is \(StoreDurability.allCases.map(\.rawValue).joined(separator: " or "))")
        }
        do {
            location = try StoreURL.location(text("store.url"), data: text("data"), durability ?? .local)
        } catch {
            faults.append("store.url: \(error.sentence)")
            return StoreURL.directory(text("data"))
        }
        guard location.isShared, !isOpen else { return location }
        for key in ["apps", "recipes"] where !text(key).isEmpty {
            faults.append(
                "\(key): a folder of one machine is no part of a store that several share; bellwether push sends it")
        }
        return location
    }

    private mutating func node() -> String {
        let name = text("node.name")
        guard !name.isEmpty else { return NodeName.ofProcess }
        if !NodeName.allows(name) { faults.append("node.name is not \(NodeName.kind): \(name)") }
        return name
    }

    private mutating func locations() -> LocationSettings {
        LocationSettings(
            cities: text("locations.cities"), regions: text("locations.regions"),
            addresses: text("locations.addresses.url"), secret: text("locations.addresses.secret"),
            properties: texts("locations.addresses.properties"), &faults)
    }

    /// The members of a group that describe a store of objects.
    private mutating func objectStore(_ group: String) -> ObjectStoreReading {
        ObjectStoreReading(
            text: text("\(group).to"), endpoint: text("\(group).endpoint"), region: text("\(group).region"),
            isPathStyle: flag("\(group).path_style"), credentials: text("\(group).credentials"),
            credentialsFile: text("\(group).credentials_file"))
    }

    private mutating func sinks() -> [SinkConfiguration] {
        layers.sinks.compactMap { name in
            let texts = ["topic", "password_file", "library"]
            let reading = SinkReading(
                name: name, objects: objectStore("sinks.\(name)"),
                texts: Dictionary(uniqueKeysWithValues: texts.map { ($0, text("sinks.\(name).\($0)")) }),
                apps: self.texts("sinks.\(name).apps"), tables: self.texts("sinks.\(name).tables"),
                everySeconds: number("sinks.\(name).every_seconds"), rows: number("sinks.\(name).rows"),
                options: pairs("sinks.\(name).options"), drainSeconds: number("sinks.\(name).drain_seconds"))
            return reading.configuration(&faults)
        }
    }

    private mutating func persistence() -> PersistenceSettings {
        var persistence = PersistenceSettings()
        persistence.clients = number("store.cached_clients")
        persistence.waitingTransactions = number("store.queued_writes")
        return persistence
    }

    /// Checks the certificates, so that a fault is found before anything is opened.
    private mutating func tls(_ server: ServerSettings) -> (settings: TLSSettings?, address: String?) {
        let settings = TLSSettings(
            certificates: pairs("http.tls.certificates"), authorities: text("http.tls.clients.authorities"))
        let services = Set(server.further.map(\.service))
        guard services.contains(where: \.isEncrypted) else {
            if !settings.certificates.isEmpty { faults.append("http.tls.certificates: no address uses them") }
            if services.contains(.redirect) { faults.append("http.tls.redirect: there is no address for HTTPS") }
            return (nil, nil)
        }
        if services.contains(.httpsWithCertificate) == settings.authorities.isEmpty {
            faults.append("http.tls.clients: listen and authorities are set together")
        }
        do {
            let credentials = try settings.read().credentials(secret: [])
            let listener = server.further.first { $0.service == .https }
            return (settings, listener.flatMap { Self.address(of: credentials, at: $0) })
        } catch {
            faults += error.sentences
            return (nil, nil)
        }
    }

    /// The address for browsers: the first name of the first certificate that is no pattern.
    private static func address(of credentials: TLSCredentials, at listener: ListenAddress) -> String? {
        guard case .network(_, let port) = listener.location, port != 0,
            let name = credentials.names.first(where: { !$0.hasPrefix("*") })
        else { return nil }
        return port == 443 ? "https://\(name)" : "https://\(name):\(port)"
    }

    private mutating func listeners(isOpen: Bool) -> [ListenAddress] {
        var addresses: [ListenAddress] = []
        let services: [(String, ListenAddress.Service)] = [
            ("http.listen", .http), ("http.tls.listen", .https), ("http.tls.redirect", .redirect),
            ("http.tls.clients.listen", .httpsWithCertificate),
        ]
        for (key, service) in services {
            for text in texts(key) {
                guard let address = ListenAddress(text, service) else {
                    faults.append("\(key): \"\(text)\" is not HOST:PORT, [IPV6]:PORT or unix:PATH")
                    continue
                }
                if isOpen, !address.isLoopback {
                    faults.append("--dev asks for no token and so listens on loopback only, not on \(text)")
                }
                addresses.append(address)
            }
        }
        return addresses
    }

    private mutating func api(isOpen: Bool, tls address: String?) -> APISettings {
        var api = APISettings()
        api.isOpen = isOpen
        api.tokens = tokens()
        api.requiresApproval = flag("publish.require_approval")
        api.publicInterfaces = publicInterfaces()
        api.cirrusApp = text("cirrus.app")
        if api.cirrusApp.meansAllApps { faults.append("cirrus.app is one app, not *") }
        api.proxies = TrustedProxies(texts("http.trusted_proxies"), field: text("http.forwarded_field"), &faults)
        api.publicURL = publicURL() ?? address
        api.hstsSeconds = number("http.tls.hsts_seconds")
        api.clientTokens = pairs("http.tls.clients.tokens")
        api.corsOrigins = origins()
        api.bodyBytes = number("limits.body_bytes")
        api.ownerBodyBytes = number("limits.owner_body_bytes")
        api.catalogBytes = number("limits.catalog_bytes")
        api.listIDs = number("lists.ids")
        api.jsonDepth = number("limits.json_depth")
        api.eventsPerRequest = number("limits.events")
        api.eventLinesPerRequest = number("limits.event_lines")
        api.nextPollSeconds = number("messages.next_poll_seconds")
        api.events.dedupSeconds = Int64(number("events.dedup_days")) * 86_400
        api.events.recordsBehavior = flag("telemetry.behavior")
        api.events.recordsAnswers = flag("telemetry.answers")
        api.minimumCell = number("results.minimum_cell")
        let retention = number("runs.retention_days")
        api.runRetentionDays = retention > 0 ? retention : nil
        api.webFiles = WebDirectory(text("web.directory"))?.read
        api.rates.token = rate("token")
        api.rates.client = rate("client")
        api.rates.address = rate("address")
        let (polls, writes) = (number("limits.web.polls_per_second"), number("limits.web.writes_per_second"))
        // A page sends several requests when it opens.
        api.rates.webPolls = RateSettings.Rate(perSecond: polls, burst: max(2 * polls, 1))
        api.rates.webWrites = RateSettings.Rate(perSecond: writes, burst: max(5 * writes, 1))
        api.rates.webRespondents = RateSettings.Rate(perHour: number("limits.web.respondents_per_hour"))
        api.rates.webChats = RateSettings.Rate(perHour: number("limits.web.chat_turns_per_hour"))
        api.streams.limit = number("streams.limit")
        api.streams.addressLimit = number("limits.web.streams")
        api.streams.heartbeatSeconds = number("streams.heartbeat_seconds")
        api.streams.maximumSeconds = number("streams.max_seconds")
        api.identitySecrets = identitySecrets()
        return api
    }

    private mutating func rate(_ subject: String) -> RateSettings.Rate {
        RateSettings.Rate(
            perSecond: number("limits.rate.\(subject)_per_second"), burst: number("limits.rate.\(subject)_burst"))
    }

    private mutating func tokens() -> TokenTable {
        let reading = TokenTable.read(texts("tokens"))
        faults += reading.faults.map { "tokens: \($0)" }
        return reading.table
    }

    /// Faults never quote a secret.
    private mutating func identitySecrets() -> [Identifier: [UInt8]] {
        var secrets: [Identifier: [UInt8]] = [:]
        for (position, text) in texts("web.identity_secrets").enumerated() {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, parts[1].utf8.count >= 16 else {
                faults.append("web.identity_secrets: entry \(position + 1) is not APP=SECRET of 16 bytes or more")
                continue
            }
            secrets[Identifier(parts[0])] = Array(parts[1].utf8)
        }
        return secrets
    }

    /// The address without a trailing slash.
    private mutating func publicURL() -> String? {
        let text = text("http.public_url")
        guard !text.isEmpty else { return nil }
        guard let url = WebhookURL(text), url.shown == text else {
            faults.append("http.public_url is no address such as https://bellwether.example: \(text)")
            return nil
        }
        return text.last == "/" ? String(text.dropLast()) : text
    }

    private mutating func signIn(publicURL: String?) -> SignInSettings? {
        let texts = ["issuer", "client_id", "client_secret", "client_secret_file", "name", "claim"].map {
            ($0, text("sign_in.\($0)"))
        }
        return SignInReading(
            texts: Dictionary(uniqueKeysWithValues: texts), scopes: self.texts("sign_in.scopes"),
            roles: pairs("sign_in.roles"), publicURL: publicURL
        ).settings(&faults)
    }

    private mutating func origins() -> [BrowserOrigin] {
        var origins: [BrowserOrigin] = []
        for text in texts("cors.origins") {
            do {
                origins.append(try BrowserOrigin(text))
            } catch {
                faults.append("cors.origins: \"\(text)\" matches no browser: \(error.reason)")
            }
        }
        return origins
    }

    private mutating func publicInterfaces() -> Set<PublicInterface> {
        var interfaces: Set<PublicInterface> = []
        for name in texts("public") {
            if let interface = PublicInterface(rawValue: name) {
                interfaces.insert(interface)
            } else {
                let known = PublicInterface.allCases.map(\.rawValue).joined(separator: ", ")
                faults.append("public: \"\(name)\" is none of \(known)")
            }
        }
        return interfaces
    }

    private mutating func number(_ key: String) -> Int { read(key, layers.number(key), 1) }
    private mutating func text(_ key: String) -> String { read(key, layers.text(key), "") }
    private mutating func flag(_ key: String) -> Bool { read(key, layers.flag(key), false) }
    private mutating func texts(_ key: String) -> [String] { read(key, layers.texts(key), []) }

    /// A mapping of texts, from entries in the form `NAME=TEXT`.
    private mutating func pairs(_ key: String) -> [String: String] {
        var pairs: [String: String] = [:]
        for (position, text) in texts(key).enumerated() {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
                faults.append("\(key): entry \(position + 1) is not NAME=TEXT")
                continue
            }
            pairs[parts[0]] = parts[1]
        }
        return pairs
    }

    private mutating func read<Value>(_ key: String, _ value: Value?, _ fallback: Value) -> Value {
        if value == nil { faults.append("\(key) is not \(SettingsTable.entry(key)?.kind ?? "readable")") }
        return value ?? fallback
    }

    private mutating func server(host: String, isOpen: Bool) -> ServerSettings {
        var server = ServerSettings()
        server.host = host
        server.port = number("http.port")
        server.further = listeners(isOpen: isOpen)
        let workers = number("http.workers")
        server.workers = workers == 0 ? ProcessInfo.processInfo.activeProcessorCount : workers
        server.limits.headBytes = number("limits.head_bytes")
        server.limits.headerCount = number("limits.header_count")
        server.limits.targetBytes = number("limits.target_bytes")
        server.limits.connections = number("limits.connections")
        server.limits.headSeconds = Double(number("limits.head_seconds"))
        server.limits.contentSeconds = Double(number("limits.body_seconds"))
        server.limits.idleSeconds = Double(number("limits.idle_seconds"))
        server.limits.backlogBytes = number("limits.output_bytes")
        server.limits.bufferedBytes = number("limits.buffered_bytes")
        server.limits.drainSeconds = Double(number("limits.drain_seconds"))
        return server
    }
}

extension TrustedProxies {
    /// The proxies that connect to a socket of the file system.
    private static let localText = "unix"

    /// Reads `http.trusted_proxies` and `http.forwarded_field`, and adds errors to the faults.
    init(_ texts: [String], field name: String, _ faults: inout [String]) {
        var blocks: [AddressBlock] = []
        for text in texts where text != Self.localText {
            do {
                blocks.append(try AddressBlock(text))
            } catch {
                faults.append("http.trusted_proxies: \"\(text)\": \(error.reason)")
            }
        }
        let field = Field.allCases.first { $0.rawValue.lowercased() == name.lowercased() }
        if field == nil {
            let known = Field.allCases.map(\.rawValue).joined(separator: " nor ")
            faults.append("http.forwarded_field is neither \(known): \(name)")
        }
        self.init(blocks, trustsLocal: texts.contains(Self.localText), field: field ?? .xForwardedFor)
    }
}
