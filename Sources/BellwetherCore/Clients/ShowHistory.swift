public import BellwetherBase
public import BellwetherJSON

/// The newest displays to one client, over all messages, which caps and cooldowns count
/// (docs/reference/messaging.md#pacing). They are stored only if an app or a message has pacing.
public struct ShowHistory: Sendable, Hashable {
    public struct Show: Sendable, Hashable {
        /// The message's key.
        public let message: Identifier
        /// The number of minutes since 1970.
        public let minute: Int64
        /// The tags that the message had when it was shown.
        public let tags: [Identifier]

        /// The beginning of the minute.
        public var time: Timestamp { Timestamp(seconds: minute.multipliedSaturating(by: 60)) }
    }

    /// The displays, oldest first.
    public private(set) var shows: [Show] = []

    public init() {}

    public var isEmpty: Bool { shows.isEmpty }

    static let maximumShows = 256

    /// - Parameter pacing: the app's pacing, which determines the number of displays to keep.
    mutating func add(_ message: Identifier, tags: [Identifier], at time: Timestamp, keeping pacing: AppPacing?) {
        let show = Show(message: message, minute: time.milliseconds.floored(by: 60_000), tags: tags)
        let index = shows.lastIndex { $0.minute <= show.minute }.map { $0 + 1 } ?? 0
        shows.insert(show, at: index)
        trim(pacing)
    }

    /// Keeps the newest displays overall, the newest ones for each cap, and the last one of each message.
    private mutating func trim(_ pacing: AppPacing?) {
        var kept: [Show] = []
        var counts = Array(repeating: 0, count: pacing?.caps.count ?? 0)
        var messages: Set<Identifier> = []
        let bound = pacing?.keptShows ?? 0
        for (age, show) in shows.reversed().enumerated() {
            var isNeeded = age < bound || messages.insert(show.message).inserted
            for (index, cap) in (pacing?.caps ?? []).enumerated() where cap.counts(show.tags) {
                counts[index] += 1
                if counts[index] <= cap.count { isNeeded = true }
            }
            if isNeeded, kept.count < Self.maximumShows { kept.append(show) }
        }
        shows = kept.reversed()
    }

    func last(of message: Identifier) -> Timestamp? { shows.last { $0.message == message }?.time }

    /// Adds the displays to another client of the same user.
    public mutating func merge(_ other: ShowHistory) {
        shows = Array((shows + other.shows).sorted { $0.minute < $1.minute }.suffix(Self.maximumShows))
    }
}

extension ShowHistory {
    func encode(into writer: inout PackedWriter) {
        writer.unsigned(UInt64(shows.count))
        var minute: Int64 = 0
        for show in shows {
            writer.name(show.message)
            writer.signed(show.minute - minute)
            writer.unsigned(UInt64(show.tags.count))
            for tag in show.tags { writer.name(tag) }
            minute = show.minute
        }
    }

    init?(from reader: inout PackedReader) {
        guard let count = reader.count() else { return nil }
        var minute: Int64 = 0
        for _ in 0..<count {
            guard let message = reader.name(), let step = reader.signed(), let tagCount = reader.count() else {
                return nil
            }
            var tags: [Identifier] = []
            for _ in 0..<tagCount {
                guard let tag = reader.name() else { return nil }
                tags.append(tag)
            }
            minute &+= step
            shows.append(Show(message: message, minute: minute, tags: tags))
        }
    }
}

/// The displays to a client in the newest session of the app that had any, which session caps count
/// (docs/reference/messaging.md#pacing). The client names its sessions.
public struct SessionShows: Sendable, Hashable {
    public private(set) var id: Identifier = ""
    /// The tags of each displayed message, in the order of the displays.
    public private(set) var tags: [[Identifier]] = []

    public init() {}

    public var isEmpty: Bool { id.text.isEmpty }

    /// The maximum number of displays that a cap can count.
    private static let maximumShows = 32

    mutating func add(tags: [Identifier], in session: Identifier) {
        if session != id { (id, self.tags) = (session, []) }
        self.tags = (self.tags + [tags]).suffix(Self.maximumShows)
    }

    /// The number of displays in a session that a cap counts.
    func count(_ cap: AppPacing.Cap, in session: Identifier) -> Int {
        session == id ? tags.count { cap.counts($0) } : 0
    }

    func encode(into writer: inout PackedWriter) {
        writer.string(id.text)
        writer.unsigned(UInt64(tags.count))
        for tags in tags {
            writer.unsigned(UInt64(tags.count))
            for tag in tags { writer.name(tag) }
        }
    }

    init?(from reader: inout PackedReader) {
        guard let id = reader.string(), let count = reader.count() else { return nil }
        self.id = Identifier(id)
        for _ in 0..<count {
            guard let tagCount = reader.count() else { return nil }
            var tags: [Identifier] = []
            for _ in 0..<tagCount {
                guard let tag = reader.name() else { return nil }
                tags.append(tag)
            }
            self.tags.append(tags)
        }
    }
}

/// The counts of launches that a client reports itself (`context.counters`). The larger of the reported and the stored
/// number counts.
public struct ReportedCounters: Sendable, Hashable {
    public var launches: UInt64 = 0
    public var foregrounds: UInt64 = 0
    /// The time since the first launch.
    public var seconds: Int64 = 0

    /// Reads `{launches?, foregrounds?, days_since_first_launch?, hours_since_first_launch?}`.
    init(_ reader: JSONReader) {
        guard reader.object() != nil else { return }
        func number(_ key: String) -> Int64 { reader.optional(key)?.integer(in: 0...1_000_000_000) ?? 0 }
        (launches, foregrounds) = (UInt64(number("launches")), UInt64(number("foregrounds")))
        seconds = max(number("days_since_first_launch") * 86_400, number("hours_since_first_launch") * 3_600)
    }
}

/// The number of starts of the app by a client, and the time of the first one. An offer's `trigger` reads them
/// (docs/reference/messaging.md#counters).
public struct LaunchCounters: Sendable, Hashable {
    public var launches: UInt64 = 0
    public var foregrounds: UInt64 = 0
    public var firstLaunchAt: Timestamp?

    public init() {}

    public var isEmpty: Bool { launches == 0 && foregrounds == 0 && firstLaunchAt == nil }

    static let launch: Identifier = "app_launch"
    static let foreground: Identifier = "app_foreground"

    /// Counts an event if it is an event of an app start.
    public mutating func count(_ name: Identifier, _ count: UInt64, at time: Timestamp) {
        switch name {
        case Self.launch:
            launches = launches.addingReportingOverflow(count).overflow ? .max : launches + count
            firstLaunchAt = min(firstLaunchAt ?? time, time)
        case Self.foreground:
            foregrounds = foregrounds.addingReportingOverflow(count).overflow ? .max : foregrounds + count
        default: break
        }
    }

    func encode(into writer: inout PackedWriter) {
        writer.unsigned(launches)
        writer.unsigned(foregrounds)
        writer.signed(firstLaunchAt?.milliseconds ?? 0)
    }

    init?(from reader: inout PackedReader) {
        guard let launches = reader.unsigned(), let foregrounds = reader.unsigned(), let first = reader.signed() else {
            return nil
        }
        (self.launches, self.foregrounds) = (launches, foregrounds)
        if first != 0 { firstLaunchAt = Timestamp(milliseconds: first) }
    }
}

/// The launches and starts that an offer waits for. All of them are needed.
public struct LaunchTrigger: Sendable, Hashable {
    public var launches: UInt64 = 0
    public var foregrounds: UInt64 = 0
    /// The minimum time since the first launch.
    public var seconds: Int64 = 0
}

extension LaunchTrigger {
    /// The key under which a recipe's offer stores its `trigger` in the message that it creates.
    static let key = "$launch-trigger"

    /// Each number with its spellings: Bellwether's first, then the one of Owlmetry's SDK.
    private static let launchKeys: [Identifier] = ["launches", "afterLaunches"]
    private static let foregroundKeys: [Identifier] = ["foregrounds"]
    private static let dayKeys: [Identifier] = ["days_since_first_launch", "daysSinceFirstLaunch"]
    private static let hourKeys: [Identifier] = ["hours_since_first_launch", "hoursSinceFirstLaunch"]

    static let keys = launchKeys + foregroundKeys + dayKeys + hourKeys

    /// Reads a trigger with tolerance: a member of the wrong type counts as missing. If there are several spellings,
    /// the largest number counts.
    init?(_ value: JSONValue?) {
        guard let object = value?.object else { return nil }
        func number(_ keys: [Identifier]) -> Int64 { keys.map { max(0, object[$0]?.integer ?? 0) }.max() ?? 0 }
        launches = UInt64(number(Self.launchKeys))
        foregrounds = UInt64(number(Self.foregroundKeys))
        seconds = max(
            number(Self.dayKeys).multipliedSaturating(by: 86_400),
            number(Self.hourKeys).multipliedSaturating(by: 3_600))
    }

    static func check(_ reader: JSONReader) {
        guard reader.object() != nil else { return }
        reader.refuseUnknown(keys: Set(keys))
        for key in keys { _ = reader.optional(key.text)?.integer(in: 0...1_000_000) }
    }
}
