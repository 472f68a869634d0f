public import BellwetherBase
public import BellwetherJSON

/// Everything that the daemon stores about one client. The state of a client that was never seen is empty.
///
/// The state changes only through pure functions, which a store applies one transaction at a time.
public struct ClientState: Sendable, Hashable {
    /// Behaviour event counters (docs/reference/events.md#counters-and-intervals).
    public var behavior = BehaviorHistory()
    public var ledger = DisplayLedger()
    /// The catalog revision whose malformed messages were reported for this client; 0: none yet
    /// (docs/reference/messaging.md#malformed-messages).
    public var reportedRevision: UInt64 = 0
    /// The client's enrollments in experiments and rollouts, and its participation.
    public var enrollments = PackedEnrollments.none
    /// The client's submissions and dismissals of questionnaires and surveys. If the client was identified, they are in
    /// the user's row instead.
    public var surveys = SurveyStanding()
    /// The user that the client was identified with. Displays and answers of the client count for all clients of that
    /// user.
    public var userID: Identifier?
    /// The newest displays over all messages.
    public var shows = ShowHistory()
    public var counters = LaunchCounters()
    /// The displays of the newest session that had any.
    public var session = SessionShows()
    /// The exposures that evaluations of features have recorded.
    public var exposures = ExposureLedger()
    /// Choices in surveys that are the default in the next survey. If the client was identified, they are in the user's
    /// row instead.
    public var memory = RespondentMemory()
    /// The newest answers that expressions read. If the client was identified, they are in the user's row instead.
    public var facts = RespondentFacts()
    /// The experiments with goals in which the client is counted. They are the client's own, even if it was identified.
    public var goals = GoalMemory()
    /// The newest change of this row that notifies streams. The writer of rows sets it.
    public var changes = ChangeMark()
    /// Stored sections that only a later version of the daemon can read. They are kept and written back unchanged.
    private var unknownSections: [UnknownSection] = []

    public init() {}

    /// The state of an identified client for decisions: its displays, dismissals and answers are the user's.
    public func joined(with user: ClientState) -> ClientState {
        var joined = self
        (joined.ledger, joined.shows, joined.surveys) = (user.ledger, user.shows, user.surveys)
        (joined.memory, joined.facts) = (user.memory, user.facts)
        return joined
    }

    /// Splits a joined state into the client's own part, which it returns, and the user's part.
    public func split(into user: inout ClientState) -> ClientState {
        (user.ledger, user.shows, user.surveys) = (ledger, shows, surveys)
        (user.memory, user.facts) = (memory, facts)
        return joined(with: ClientState())
    }

    private struct UnknownSection: Sendable, Hashable {
        let tag: UInt64
        let bytes: ArraySlice<UInt8>

        func write(to writer: inout PackedWriter) { writer.section(tag) { $0.append(bytes) } }
    }
}

/// The stored bytes of a client: a format number, the number of sections, then the sections. Each section is a tag, a
/// length, and as many bytes (docs/decisions/0054-stored-client-state-is-a-list-of-tagged-sections.md). In memory,
/// names are replaced by numbers.
///
/// Only a section that is not empty is written. Sections stand in the order of their tags, and each tag occurs once.
extension ClientState {
    /// The number of the format with sections. Format 1 had the same parts one after another, without tags and lengths,
    /// and can still be read. The number is the first byte, so the two formats cannot be confused.
    static let format: UInt64 = 2
    private static let formatWithoutSections: UInt64 = 1

    /// A tag is never reused. Tags up to 19 are for parts that polls read.
    private enum Section: UInt64, CaseIterable {
        case reportedRevision = 1
        case ledger
        case behavior
        case enrollments
        case surveys
        case userID
        case shows
        case counters
        case session
        case rounds
        case askings
        case eventTimes
        case facts
        case changes
        case exposures = 20
        case memory
        case goals
    }

    /// The bytes that a store keeps.
    public func encoded() -> [UInt8] {
        var writer = PackedWriter()
        encode(into: &writer)
        return writer.bytes
    }

    /// Appends the bytes. They must be the last part of their container.
    public func encode(into writer: inout PackedWriter) {
        let sections = Section.allCases.filter(isFilled)
        writer.unsigned(Self.format)
        writer.unsigned(UInt64(sections.count + unknownSections.count))
        var unknown = unknownSections[...]
        for section in sections {
            while let next = unknown.first, next.tag < section.rawValue { unknown.removeFirst().write(to: &writer) }
            writer.section(section.rawValue) { encode(section, into: &$0) }
        }
        for section in unknown { section.write(to: &writer) }
    }

    private func isFilled(_ section: Section) -> Bool {
        switch section {
        case .reportedRevision: reportedRevision != 0
        case .ledger: !ledger.entries.isEmpty
        case .behavior: behavior.count > 0
        case .enrollments: !enrollments.isEmpty
        case .surveys: !surveys.isEmpty
        case .userID: userID != nil
        case .shows: !shows.isEmpty
        case .counters: !counters.isEmpty
        case .session: !session.isEmpty
        case .rounds: surveys.hasRounds
        case .askings: ledger.hasAskings
        case .eventTimes: behavior.count > 0
        case .facts: !facts.isEmpty
        case .changes: !changes.isEmpty
        case .exposures: !exposures.isEmpty
        case .memory: !memory.isEmpty
        case .goals: !goals.isEmpty
        }
    }

    private func encode(_ section: Section, into writer: inout PackedWriter) {
        switch section {
        case .reportedRevision: writer.unsigned(reportedRevision)
        case .ledger: ledger.encode(into: &writer)
        case .behavior: behavior.encode(into: &writer)
        case .enrollments: enrollments.encode(into: &writer)
        case .surveys: surveys.encode(into: &writer)
        case .userID: writer.string(userID?.text ?? "")
        case .shows: shows.encode(into: &writer)
        case .counters: counters.encode(into: &writer)
        case .session: session.encode(into: &writer)
        case .rounds: surveys.encodeRounds(into: &writer)
        case .askings: ledger.encodeAskings(into: &writer)
        case .eventTimes: behavior.encodeTimes(into: &writer)
        case .facts: facts.encode(into: &writer)
        case .changes: changes.encode(into: &writer)
        case .exposures: exposures.encode(into: &writer)
        case .memory: memory.encode(into: &writer)
        case .goals: goals.encode(into: &writer)
        }
    }

    /// Reads a stored state; nil for bytes that no version of the daemon has written.
    public init?(encoded bytes: [UInt8]) { self.init(encoded: bytes[...]) }

    /// Reads a stored state. `names` is the writer's table of names, or nil if the writer had none.
    public init?(encoded bytes: ArraySlice<UInt8>, names: [Identifier]? = nil) {
        var reader = PackedReader(bytes, names: names)
        switch reader.unsigned() {
        case Self.format: self.init(sections: &reader, names: names)
        case Self.formatWithoutSections: self.init(withoutSections: &reader, names: names)
        default: return nil
        }
    }

    private init?(sections reader: inout PackedReader, names: [Identifier]?) {
        self.init()
        guard let count = reader.count() else { return nil }
        var last: UInt64 = 0
        for _ in 0..<count {
            guard let tag = reader.unsigned(), tag > last, let bytes = reader.bytes(), !bytes.isEmpty else {
                return nil
            }
            last = tag
            guard let section = Section(rawValue: tag) else {
                unknownSections.append(UnknownSection(tag: tag, bytes: bytes))
                continue
            }
            guard decode(section, bytes, names) else { return nil }
        }
        guard reader.isAtEnd else { return nil }
    }

    /// Reads one section. Returns false if the bytes are not what `encode` writes for a section that is not empty.
    private mutating func decode(_ section: Section, _ bytes: ArraySlice<UInt8>, _ names: [Identifier]?) -> Bool {
        var reader = PackedReader(bytes, names: names)
        switch section {
        case .reportedRevision:
            guard let revision = reader.unsigned() else { return false }
            reportedRevision = revision
        case .ledger:
            guard let ledger = DisplayLedger(from: &reader) else { return false }
            self.ledger = ledger
        case .behavior:
            guard let behavior = BehaviorHistory(from: &reader) else { return false }
            self.behavior = behavior
        case .enrollments:
            guard let enrollments = PackedEnrollments(packed: bytes, names: names) else { return false }
            self.enrollments = enrollments
            return true
        case .surveys:
            guard let surveys = SurveyStanding(from: &reader) else { return false }
            self.surveys = surveys
        case .userID:
            guard let userID = reader.string(), !userID.isEmpty else { return false }
            self.userID = Identifier(userID)
        case .shows:
            guard let shows = ShowHistory(from: &reader) else { return false }
            self.shows = shows
        case .counters:
            guard let counters = LaunchCounters(from: &reader) else { return false }
            self.counters = counters
        case .session:
            guard let session = SessionShows(from: &reader) else { return false }
            self.session = session
        // These sections add to earlier ones, which an earlier version of the daemon may have changed.
        case .rounds: return surveys.decodeRounds(from: &reader) && reader.isAtEnd
        case .askings: return ledger.decodeAskings(from: &reader) && reader.isAtEnd
        case .eventTimes: return behavior.decodeTimes(from: &reader) && reader.isAtEnd
        case .facts:
            guard let facts = RespondentFacts(from: &reader) else { return false }
            self.facts = facts
        case .changes:
            guard let changes = ChangeMark(from: &reader) else { return false }
            self.changes = changes
        case .exposures:
            guard let exposures = ExposureLedger(from: &reader) else { return false }
            self.exposures = exposures
        case .memory:
            guard let memory = RespondentMemory(from: &reader) else { return false }
            self.memory = memory
        case .goals:
            guard let goals = GoalMemory(from: &reader) else { return false }
            self.goals = goals
        }
        return reader.isAtEnd && isFilled(section)
    }

    private init?(withoutSections reader: inout PackedReader, names: [Identifier]?) {
        guard let revision = reader.unsigned(), let ledger = DisplayLedger(from: &reader),
            let behavior = BehaviorHistory(from: &reader),
            let enrollments = PackedEnrollments(packed: reader.rest, names: names)
        else { return nil }
        reportedRevision = revision
        self.ledger = ledger
        self.behavior = behavior
        self.enrollments = enrollments
    }
}

extension ExposureLedger {
    fileprivate func encode(into writer: inout PackedWriter) {
        writer.unsigned(UInt64(entries.count))
        for entry in entries {
            writer.name(entry.branch.slug)
            writer.name(entry.branch.branch)
            writer.name(entry.featureID)
        }
    }

    fileprivate init?(from reader: inout PackedReader) {
        guard let count = reader.count() else { return nil }
        var entries: [FeatureExposure] = []
        for _ in 0..<count {
            guard let slug = reader.name(), let branch = reader.name(), let featureID = reader.name() else {
                return nil
            }
            entries.append(
                FeatureExposure(branch: EnrolledBranch(slug: slug, branch: branch), featureID: featureID))
        }
        self.init(entries: entries)
    }
}

extension DisplayLedger {
    fileprivate func encode(into writer: inout PackedWriter) {
        writer.unsigned(UInt64(entries.count))
        for entry in entries { entry.encode(into: &writer) }
    }

    fileprivate init?(from reader: inout PackedReader) {
        guard let count = reader.count() else { return nil }
        var entries: [LedgerEntry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
            guard let entry = LedgerEntry(from: &reader) else { return nil }
            entries.append(entry)
        }
        self.init(entries: entries)
    }

    fileprivate var hasAskings: Bool { entries.contains(where: \.hasTimes) }

    fileprivate func encodeAskings(into writer: inout PackedWriter) {
        let timed = entries.filter(\.hasTimes)
        writer.unsigned(UInt64(timed.count))
        for entry in timed {
            writer.name(entry.message)
            let displayed = entry.displayedAt?.milliseconds ?? 0
            writer.signed(displayed)
            writer.signed((entry.dismissedAt?.milliseconds ?? 0) &- displayed)
        }
    }

    /// Reads the times of displays and dismissals into the entries that were read before.
    fileprivate mutating func decodeAskings(from reader: inout PackedReader) -> Bool {
        guard let count = reader.count() else { return false }
        for _ in 0..<count {
            guard let message = reader.name(), let displayed = reader.signed(), let gap = reader.signed() else {
                return false
            }
            guard var entry = entry(of: message) else { continue }
            let dismissed = displayed &+ gap
            entry.displayedAt = displayed == 0 ? nil : Timestamp(milliseconds: displayed)
            entry.dismissedAt = dismissed == 0 ? nil : Timestamp(milliseconds: dismissed)
            self[message] = entry
        }
        return true
    }
}

extension LedgerEntry {
    fileprivate var hasTimes: Bool { displayedAt != nil || dismissedAt != nil }

    private struct Flags: OptionSet {
        let rawValue: UInt64
        static let clicked = Flags(rawValue: 1)
        static let expired = Flags(rawValue: 2)
        static let answered = Flags(rawValue: 4)
    }

    func encode(into writer: inout PackedWriter) {
        var flags: Flags = []
        if isClicked { flags.insert(.clicked) }
        if isExpired { flags.insert(.expired) }
        if isAnswered { flags.insert(.answered) }
        writer.name(message)
        writer.unsigned(flags.rawValue)
        writer.unsigned(UInt64(displayCount))
        writer.unsigned(UInt64(dismissals))
    }

    init?(from reader: inout PackedReader) {
        guard let message = reader.name(), let rawFlags = reader.unsigned(), let displays = reader.unsigned(),
            let dismissals = reader.unsigned()
        else { return nil }
        let flags = Flags(rawValue: rawFlags)
        self.init(
            message: message, displayCount: UInt32(clamping: displays), dismissals: UInt32(clamping: dismissals),
            isClicked: flags.contains(.clicked), isExpired: flags.contains(.expired),
            isAnswered: flags.contains(.answered))
    }
}
