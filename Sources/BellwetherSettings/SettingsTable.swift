/// The type of a setting's value.
public enum SettingValue: Sendable, Hashable {
    case number(Int)
    case flag(Bool)
    case text(String)
    case texts([String])
    /// Texts by name.
    case pairs([String: String])
    case secrets([String: SecretSetting])
}

/// A secret as settings write it: a text, or a mapping that also names its apps and hosts.
public struct SecretSetting: Sendable, Hashable {
    public let value: String
    /// The scope; nil for a secret that is only a text.
    public let scope: Scope?

    /// The apps and hosts that may use the secret. An absent member is nil.
    public struct Scope: Sendable, Hashable {
        public let apps: [String]?
        public let hosts: [String]?

        public init(apps: [String]?, hosts: [String]?) { (self.apps, self.hosts) = (apps, hosts) }
    }

    public init(_ value: String, scope: Scope? = nil) { (self.value, self.scope) = (value, scope) }
}

/// Every setting: its name, its default and its type. The readers of the file, the environment and the flags use this
/// table.
public enum SettingsTable {
    public struct Entry: Sendable {
        public private(set) var key: String
        public let defaultValue: SettingValue
        /// The default with `--dev`; nil if it is the same.
        public let openValue: SettingValue?
        /// The range of a number; nil for other values.
        public let range: ClosedRange<Int>?

        init(_ key: String, _ number: Int, withDev open: Int? = nil, in range: ClosedRange<Int>) {
            self.key = key
            defaultValue = .number(number)
            openValue = open.map { .number($0) }
            self.range = range
        }

        init(_ key: String, _ value: SettingValue) {
            self.key = key
            defaultValue = value
            openValue = nil
            range = nil
        }

        fileprivate func named(_ key: String) -> Entry {
            var entry = self
            entry.key = key
            return entry
        }

        /// The setting's name in the environment.
        public var variable: String { "BELLWETHER_" + key.uppercased().replacing(".", with: "_") }

        /// The type of the value, as words for a sentence.
        public var kind: String {
            switch defaultValue {
            case .number: range.map { "a whole number from \($0.lowerBound) to \($0.upperBound)" } ?? "a whole number"
            case .flag: "true or false"
            case .texts: "a list of texts"
            case .text: "a text"
            case .pairs: "a mapping of names to texts"
            case .secrets: "a mapping of names to texts or to mappings of value, apps and hosts"
            }
        }

        func allows(_ value: SettingValue) -> Bool {
            guard let range, case .number(let number) = value else { return true }
            return range.contains(number)
        }
    }

    public static func entry(_ key: String) -> Entry? { entries.first { $0.key == key } ?? member(key) }

    /// Whether names of settings begin with this name and a dot.
    static func isGroup(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.first == "sinks" && parts.count <= 2 || entries.contains { $0.key.hasPrefix(name + ".") }
    }

    /// The entry of `sinks.NAME.MEMBER`.
    private static func member(_ key: String) -> Entry? {
        let parts = key.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "sinks" else { return nil }
        return sinkMembers.first { $0.key == parts[2] }?.named(key)
    }

    private static let positive = 1...Int(Int32.max)

    public static let entries = [
        Entry("http.host", .text("127.0.0.1")),
        Entry("http.port", 8080, in: 0...65_535),
        Entry("http.workers", 0, in: 0...256),
        Entry("http.public_url", .text("")),
        Entry("http.trusted_proxies", .texts([])),
        Entry("http.forwarded_field", .text("X-Forwarded-For")),
        Entry("http.listen", .texts([])),
        Entry("http.tls.listen", .texts([])),
        Entry("http.tls.certificates", .pairs([:])),
        Entry("http.tls.redirect", .texts([])),
        Entry("http.tls.hsts_seconds", 0, in: 0...126_144_000),
        Entry("http.tls.clients.listen", .texts([])),
        Entry("http.tls.clients.authorities", .text("")),
        Entry("http.tls.clients.tokens", .pairs([:])),
        Entry("data", .text(".data")),
        Entry("apps", .text("")),
        Entry("recipes", .text("")),
        Entry("tokens", .texts([])),
        Entry("sign_in.issuer", .text("")),
        Entry("sign_in.client_id", .text("")),
        Entry("sign_in.client_secret", .text("")),
        Entry("sign_in.client_secret_file", .text("")),
        Entry("sign_in.name", .text("")),
        Entry("sign_in.claim", .text("groups")),
        Entry("sign_in.scopes", .texts(["openid", "email", "groups"])),
        Entry("sign_in.roles", .pairs([:])),
        Entry("publish.require_approval", .flag(false)),
        Entry("public", .texts([])),
        Entry("cirrus.app", .text("")),
        Entry("cors.origins", .texts([])),
        Entry("limits.head_bytes", 16_384, in: 1024...1_048_576),
        Entry("limits.header_count", 100, in: 8...10_000),
        Entry("limits.target_bytes", 8192, in: 256...1_048_576),
        Entry("limits.body_bytes", 1 << 20, in: positive),
        Entry("limits.owner_body_bytes", 16 << 20, in: positive),
        Entry("limits.catalog_bytes", 256 << 20, in: positive),
        Entry("limits.json_depth", 64, in: 4...512),
        Entry("limits.events", 1000, in: positive),
        Entry("limits.event_lines", 10_000, in: positive),
        Entry("limits.connections", 10_000, in: positive),
        Entry("limits.rate.token_per_second", 0, in: 0...1_000_000),
        Entry("limits.rate.token_burst", 1000, in: 1...1_000_000),
        Entry("limits.rate.client_per_second", 0, in: 0...1_000_000),
        Entry("limits.rate.client_burst", 20, in: 1...1_000_000),
        Entry("limits.rate.address_per_second", 0, in: 0...1_000_000),
        Entry("limits.rate.address_burst", 100, in: 1...1_000_000),
        Entry("limits.web.polls_per_second", 20, in: 0...1_000_000),
        Entry("limits.web.writes_per_second", 2, in: 0...1_000_000),
        Entry("limits.web.respondents_per_hour", 30, in: 0...1_000_000),
        Entry("limits.web.chat_turns_per_hour", 20, in: 0...1_000_000),
        Entry("limits.web.streams", 100, in: 0...1_000_000),
        Entry("limits.head_seconds", 10, in: 1...3600),
        Entry("limits.body_seconds", 10, in: 1...3600),
        Entry("limits.idle_seconds", 60, in: 1...86_400),
        Entry("limits.output_bytes", 1 << 20, in: positive),
        Entry("limits.buffered_bytes", 256 << 20, in: positive),
        Entry("limits.drain_seconds", 10, in: 0...3600),
        Entry("lists.ids", 20_000_000, in: 0...1_000_000_000),
        Entry("messages.next_poll_seconds", 300, in: 1...604_800),
        Entry("streams.limit", 10_000, in: 0...1_000_000),
        Entry("streams.heartbeat_seconds", 15, in: 1...3600),
        Entry("streams.max_seconds", 3600, in: 1...86_400),
        Entry("events.dedup_days", 90, in: 1...3650),
        Entry("telemetry.behavior", .flag(false)),
        Entry("telemetry.answers", .flag(true)),
        Entry("telemetry.retention_days", 90, in: 1...3650),
        Entry("telemetry.hold_days", 365, in: 1...3650),
        Entry("runs.retention_days", 0, in: 0...36_500),
        Entry("results.minimum_cell", 5, withDev: 1, in: 1...1000),
        Entry("node.name", .text("")),
        Entry("store.url", .text("")),
        Entry("store.durability", .text("local")),
        Entry("store.cached_clients", 1_000_000, in: positive),
        Entry("store.queued_writes", 10_000, in: positive),
        Entry("backups.directory", .text("")),
        Entry("backups.every", .text("1d")),
        Entry("backups.keep", 7, in: 1...1000),
        Entry("backups.to", .text("")),
        Entry("backups.endpoint", .text("")),
        Entry("backups.region", .text("us-east-1")),
        Entry("backups.path_style", .flag(false)),
        Entry("backups.credentials", .text("")),
        Entry("backups.credentials_file", .text("")),
        Entry("web.directory", .text("")),
        Entry("web.identity_secrets", .pairs([:])),
        Entry("webhooks.secrets", .secrets([:])),
        Entry("webhooks.allow_networks", .texts([])),
        Entry("locations.cities", .text("")),
        Entry("locations.regions", .text("")),
        Entry("locations.addresses.url", .text("")),
        Entry("locations.addresses.secret", .text("")),
        Entry("locations.addresses.properties", .pairs([:])),
        Entry("log.level", .text("info")),
        Entry("log.format", .text("text")),
        Entry("log.access", .text("")),
    ]

    /// The members of each sink: `sinks.NAME.MEMBER`. Only the file has them.
    public static let sinkMembers = [
        Entry("to", .text("")),
        Entry("apps", .texts(["*"])),
        Entry("tables", .texts([])),
        Entry("schema", 1, in: 1...1),
        Entry("every_seconds", 900, in: 10...86_400),
        Entry("rows", 500_000, in: 1000...5_000_000),
        Entry("endpoint", .text("")),
        Entry("region", .text("us-east-1")),
        Entry("path_style", .flag(false)),
        Entry("credentials", .text("")),
        Entry("credentials_file", .text("")),
        Entry("topic", .text("bellwether.{app}")),
        Entry("options", .pairs([:])),
        Entry("password_file", .text("")),
        Entry("library", .text("")),
        Entry("drain_seconds", 10, in: 0...600),
    ]
}
