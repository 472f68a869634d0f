public import BellwetherBase
public import BellwetherJSON

/// The limits on the times and the number of a message's offers, in addition to its triggers and its style's cap
/// (docs/reference/messaging.md#pacing).
public struct Pacing: Sendable, Hashable {
    public enum Display: String, Sendable, Hashable, CaseIterable {
        case once
        case untilAnswered = "until-answered"
        case some
    }

    public var start: Timestamp?
    public var end: Timestamp?
    /// The minimum time between two displays of the message.
    public var cooldownSeconds: Int64?
    /// The display policy, which replaces the style's cap.
    public var display: Display?
    /// The maximum number of displays of a message with the policy `some`.
    public var limit: Int?
    /// The sample: `count` of `total` respondents.
    public var sample: Sample?
    public var tags: [Identifier] = []
    /// The maximum number of submitted responses.
    public var responseLimit: Int?
    public var quotas: [Quota] = []

    /// The maximum number of responses whose answers meet a condition. The service compiles the condition.
    public struct Quota: Sendable, Hashable {
        public let name: Identifier
        public let condition: JSONValue
        public let limit: Int
        /// Whether a response that finds the quota full is screened out. Otherwise it is accepted and not counted.
        public let endsRun: Bool
    }

    public static let maximumQuotas = 50

    /// Whether the number of responses is limited.
    public var limitsResponses: Bool { responseLimit != nil || !quotas.isEmpty }

    /// The maximum number of displays under the display policy; nil if there is no maximum.
    var displayLimit: Int? {
        guard let display else { return nil }
        return switch display {
        case .once: 1
        case .some: limit ?? 1
        case .untilAnswered: limit
        }
    }

    public struct Sample: Sendable, Hashable {
        public var count: UInt32
        public var total: UInt32
    }

    /// Reads the pacing with the SDK's tolerance: a value of the wrong type counts as missing. Returns nil if the value
    /// is no object.
    init?(_ value: JSONValue?) {
        guard let object = value?.object else { return nil }
        start = object["start"]?.string.flatMap { Timestamp(rfc3339: $0) }
        end = object["end"]?.string.flatMap { Timestamp(rfc3339: $0) }
        cooldownSeconds = object["cooldown_seconds"]?.integer.map { max(0, $0) }
        display = object["display"]?.string.flatMap(Display.init(rawValue:))
        limit = object["limit"]?.integer.map { Int(clamping: max(0, $0)) }
        tags = object["tags"]?.array?.compactMap(\.identifier) ?? []
        if let sample = object["sample"]?.object, let count = sample["count"]?.integer,
            let total = sample["total"]?.integer, total > 0
        {
            self.sample = Sample(count: UInt32(clamping: count), total: UInt32(clamping: total))
        }
        responseLimit = object["response_limit"]?.integer.flatMap { $0 >= 0 ? Int(clamping: $0) : nil }
        quotas = (object["quotas"]?.array ?? []).prefix(Self.maximumQuotas).compactMap { Quota($0) }
    }

    static let keys: Set<Identifier> = [
        "start", "end", "cooldown_seconds", "display", "limit", "sample", "tags", "response_limit", "quotas",
    ]

    /// Reports mistakes. A field with a mistake reads as missing.
    static func check(_ reader: JSONReader) {
        guard reader.object() != nil else { return }
        reader.refuseUnknown(keys: keys)
        for key in ["start", "end"] { _ = reader.optional(key)?.time() }
        _ = reader.optional("cooldown_seconds")?.integer(in: 0...maximumSeconds)
        _ = reader.optional("display")?.choice(Display.self)
        _ = reader.optional("limit")?.integer(in: 1...1_000_000)
        if let sample = reader.optional("sample") {
            sample.refuseUnknown(keys: ["count", "total"])
            _ = sample.required("count")?.integer(in: 0...Int64(UInt32.max))
            _ = sample.required("total")?.integer(in: 1...Int64(UInt32.max))
        }
        for tag in reader.optional("tags")?.elements() ?? [] { _ = tag.string(length: 1...100) }
        _ = reader.optional("response_limit")?.integer(in: 0...1_000_000_000)
        Quota.check(reader.optional("quotas"))
    }

    private static let maximumSeconds: Int64 = 10 * 366 * 86_400
}

extension Pacing.Quota {
    private enum Action: String, CaseIterable { case end, `continue` }

    /// Reads a quota; nil for a value that is no quota.
    fileprivate init?(_ value: JSONValue) {
        guard let object = value.object, let name = object["name"]?.string, let condition = object["when"],
            let limit = object["limit"]?.integer, limit >= 0, name.isIdentifier
        else { return nil }
        let action = object["action"]?.string.flatMap(Action.init(rawValue:)) ?? .end
        self.init(name: Identifier(name), condition: condition, limit: Int(clamping: limit), endsRun: action == .end)
    }

    fileprivate static func check(_ reader: JSONReader?) {
        guard let reader, let items = reader.elements() else { return }
        if items.count > Pacing.maximumQuotas {
            reader.finding("length", "expected at most \(Pacing.maximumQuotas) quotas")
        }
        var names: Set<Identifier> = []
        for item in items where item.object() != nil {
            item.refuseUnknown(keys: ["name", "when", "limit", "action"])
            _ = item.required("when")
            _ = item.required("limit")?.integer(in: 0...1_000_000_000)
            _ = item.optional("action")?.choice(Action.self)
            guard let location = item.required("name"), let name = location.string(length: 1...128) else { continue }
            if !name.isIdentifier { location.finding("identifier", "a name has printable characters only") }
            if !names.insert(Identifier(name)).inserted {
                location.finding("duplicate", "another quota has the name \"\(name)\"")
            }
        }
    }
}

/// The pacing that applies to all messages of an app: the manifest's `pacing` (docs/reference/messaging.md#pacing).
public struct AppPacing: Sendable, Hashable {
    public struct Cap: Sendable, Hashable {
        public var count: Int
        /// The time window in seconds; nil: one session of the app.
        public var seconds: Int64?
        /// The cap counts shows of messages with one of these tags. If the list is empty, it counts all shows.
        public var tags: [Identifier]

        func counts(_ other: [Identifier]) -> Bool { tags.isEmpty || !Set(tags).isDisjoint(with: other) }
    }

    public struct QuietHours: Sendable, Hashable {
        /// The start and the end, in minutes of the day.
        public var from: Int64
        public var to: Int64
        /// The name of an attribute that contains the offset from UTC, in minutes to the east.
        public var offsetAttribute: String?
    }

    public var caps: [Cap] = []
    /// The minimum time between two displays of any messages.
    public var cooldownSeconds: Int64 = 0
    public var quietHours: QuietHours?

    public static let maximumCaps = 8
    private static let maximumCapSeconds: Int64 = 90 * 86_400

    init(_ reader: JSONReader) {
        guard reader.object() != nil else { return }
        reader.own.refuseUnknown(keys: ["caps", "cooldown_seconds", "quiet_hours"])
        cooldownSeconds = reader.optional("cooldown_seconds")?.integer(in: 0...10 * 366 * 86_400) ?? 0
        if let list = reader.optional("caps"), let elements = list.elements() {
            if elements.count > Self.maximumCaps { list.finding("length", "expected at most 8 caps") }
            caps = elements.compactMap(Self.cap)
        }
        quietHours = reader.optional("quiet_hours").flatMap(Self.quietHours)
    }

    private static func cap(_ reader: JSONReader) -> Cap? {
        reader.own.refuseUnknown(keys: ["count", "seconds", "session", "tags"])
        let isOfSession = reader.optional("session")?.bool() ?? false
        let secondsReader = isOfSession ? reader.optional("seconds") : reader.required("seconds")
        if isOfSession, let secondsReader {
            secondsReader.finding("exclusive", "a cap has seconds or session, not both")
        }
        let seconds = secondsReader?.integer(in: 1...maximumCapSeconds)
        guard let count = reader.required("count")?.integer(in: 1...32), isOfSession || seconds != nil else {
            return nil
        }
        let tags = reader.optional("tags")?.elements()?.compactMap { $0.string(length: 1...100) } ?? []
        return Cap(count: Int(count), seconds: isOfSession ? nil : seconds, tags: tags.map { Identifier($0) })
    }

    private static func quietHours(_ reader: JSONReader) -> QuietHours? {
        reader.own.refuseUnknown(keys: ["from", "to", "utc_offset_attribute"])
        let from = reader.required("from").flatMap(minutes)
        let to = reader.required("to").flatMap(minutes)
        let attribute = reader.optional("utc_offset_attribute")?.string(length: 1...100)
        guard let from, let to else { return nil }
        return QuietHours(from: from, to: to, offsetAttribute: attribute)
    }

    /// Reads a time `HH:MM` as minutes of the day.
    private static func minutes(_ reader: JSONReader) -> Int64? {
        guard let text = reader.string() else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = Int64(parts[0]),
            let minute = Int64(parts[1]), (0...23).contains(hour), (0...59).contains(minute)
        else {
            reader.finding("time", "expected a time of day such as 22:00")
            return nil
        }
        return hour * 60 + minute
    }

    /// Whether polls and displays should name their session.
    public var hasSessionCaps: Bool { caps.contains { $0.seconds == nil } }

    /// The number of displays that a client's row must keep.
    var keptShows: Int { max(caps.filter { $0.seconds != nil }.map(\.count).max() ?? 0, cooldownSeconds > 0 ? 1 : 0) }
}

/// The facts about a presented recipe that offers need.
public struct PresentedContent: Sendable, Hashable {
    /// The kind; nil for a recipe that is gone.
    public let kind: ContentKind?
    public let isActive: Bool
    public let revision: Int
    /// When the same person may answer again; nil: never.
    public let repeats: RepeatRule?

    public init(kind: ContentKind?, isActive: Bool, revision: Int, repeats: RepeatRule? = nil) {
        (self.kind, self.isActive, self.revision, self.repeats) = (kind, isActive, revision, repeats)
    }
}
