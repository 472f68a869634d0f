internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Surveys

/// The number of responses with slots in a message's quotas, and the number of submitted ones: one row of the store.
public struct Tally: Sendable, Hashable {
    public var submitted = 0
    /// The number of slots, by the quota's name.
    public var slots: [Identifier: Int] = [:]

    public init() {}

    /// The counts of reached limits. Other counts are unknown, and are 0.
    init(_ reached: ReachedLimits.Reached?) {
        submitted = reached?.responses?.taken ?? 0
        for quota in reached?.quotas ?? [] { slots[quota.name] = quota.level.taken }
    }

    public var json: JSONObject {
        let names = slots.keys.sorted()
        return [
            "submitted": .integer(Int64(submitted)),
            "places": .object(JSONObject(names.map { ($0.text, .integer(Int64(slots[$0] ?? 0))) })),
        ]
    }

    public init?(_ json: JSONObject) {
        guard let submitted = json["submitted"]?.integer, let slots = json["places"]?.object else { return nil }
        self.submitted = Int(submitted)
        for (name, count) in slots { self.slots[Identifier(name)] = count.integer.map { Int($0) } }
    }

    /// The key of the tally of a message's expired responses. No message has such a key.
    static func expiredKey(of key: Identifier) -> Identifier { "\(key)\(Slot.separator)expired" }

    /// The key of the message, if the key is the one of its tally of expired responses.
    static func keyOfExpired(_ key: Identifier) -> Identifier? {
        let end = "\(Slot.separator)expired"
        return key.text.hasSuffix(end) ? Identifier(key.text.dropLast(end.count)) : nil
    }

    mutating func take(_ slot: Slot) {
        if let quota = slot.quota { slots[quota, default: 0] += 1 } else { submitted += 1 }
    }

    /// Adds the counts of another tally some times. No count becomes negative in a sum of stored tallies.
    mutating func add(_ other: Tally, times factor: Int) {
        submitted += other.submitted * factor
        for (quota, count) in other.slots { slots[quota, default: 0] += count * factor }
    }

    /// Releases a slot.
    mutating func release(_ slot: Slot) {
        if let quota = slot.quota {
            slots[quota] = max(0, (slots[quota] ?? 0) - 1)
        } else {
            submitted = max(0, submitted - 1)
        }
    }

    /// One response's slot. A run keeps its slots as texts.
    struct Slot: Hashable {
        let key: Identifier
        /// The name of the quota; nil for the slot of a submitted response.
        let quota: Identifier?

        fileprivate static let separator: Character = "\u{1F}"

        init(key: Identifier, quota: Identifier?) { (self.key, self.quota) = (key, quota) }

        init?(_ slot: Identifier) {
            let text = slot.text
            guard let end = text.lastIndex(of: Self.separator) else { return nil }
            let quota = text[text.index(after: end)...]
            self.init(key: Identifier(text[..<end]), quota: quota.isEmpty ? nil : Identifier(quota))
        }

        var text: Identifier { "\(key)\(Self.separator)\(quota ?? "")" }
    }
}

/// A tally after a commit.
public struct CommittedTally: Sendable {
    public let app: Identifier
    /// The key of the message.
    public let key: Identifier
    public let tally: Tally
    public let version: UInt64
}

extension Store {
    /// The tallies of these names as they are now.
    func tallies(_ names: Set<RowName>) throws(StoreError) -> [CommittedTally] {
        var tallies: [CommittedTally] = []
        for name in names {
            guard case .tally(let app, let key) = name, let row = try row(name), case .tally(let tally) = row.value
            else { continue }
            tallies.append(CommittedTally(app: app, key: key, tally: tally, version: row.version))
        }
        return tallies
    }
}

/// A message's quotas and response limit, compiled (docs/reference/messaging.md#quotas).
struct ResponseLimits: Sendable, Hashable {
    struct Quota: Sendable, Hashable {
        let name: Identifier
        let condition: Condition
        let limit: Int
        let endsRun: Bool
    }

    let key: Identifier
    let responseLimit: Int?
    let quotas: [Quota]

    /// Nil if nothing is limited.
    init?(_ key: Identifier, _ pacing: Pacing?) {
        guard let pacing, pacing.limitsResponses else { return nil }
        self.key = key
        responseLimit = pacing.responseLimit
        let patterns = PatternBudget()
        quotas = pacing.quotas.map { quota in
            let condition = ConditionDialect.core.read(JSONReader(quota.condition, findings: Findings()), patterns)
            return Quota(name: quota.name, condition: condition, limit: quota.limit, endsRun: quota.endsRun)
        }
    }

    /// Whether the condition of each quota holds.
    func judge(_ facts: ConditionFacts, _ budget: inout EvaluationBudget) -> [Bool] {
        quotas.map { $0.condition.holds(for: facts, &budget) }
    }

    /// Takes and releases the run's slots. Returns false if a quota that ends runs is full, or if the limit is reached;
    /// then nothing is taken.
    ///
    /// - Parameter verdicts: whether the condition of each quota holds.
    func count(_ run: inout Run, _ verdicts: [Bool], isFinal: Bool, in tally: inout Tally) -> Bool {
        var (counted, changed) = (run, tally)
        for (quota, holds) in zip(quotas, verdicts) {
            let slot = Tally.Slot(key: key, quota: quota.name)
            if let index = counted.quotas.firstIndex(of: slot.text) {
                guard !holds else { continue }
                counted.quotas.remove(at: index)
                changed.release(slot)
            } else if holds {
                guard changed.slots[quota.name, default: 0] < quota.limit else {
                    if quota.endsRun { return false }
                    continue
                }
                changed.slots[quota.name, default: 0] += 1
                counted.quotas.append(slot.text)
            }
        }
        if isFinal {
            guard changed.submitted < responseLimit ?? .max else { return false }
            changed.submitted += 1
            counted.quotas.append(Tally.Slot(key: key, quota: nil).text)
        }
        (run, tally) = (counted, changed)
        return true
    }

    /// The reason why a respondent is turned away whatever they answer; nil if they may have a slot.
    ///
    /// - Parameter slots: the slots of the respondent's draft.
    func closing(
        _ tally: Tally, _ facts: ConditionFacts, slots: [Identifier], _ budget: inout EvaluationBudget
    ) -> FetchRun.Ineligibility? {
        if tally.submitted >= responseLimit ?? .max { return .responseLimit }
        let isFull = quotas.contains { quota in
            quota.endsRun && tally.slots[quota.name, default: 0] >= quota.limit
                && !slots.contains(Tally.Slot(key: key, quota: quota.name).text)
                && quota.condition.holds(for: facts, &budget)
        }
        return isFull ? .quotaFull : nil
    }

    /// The limits that are reached; nil if no quota is full and the limit is not reached.
    func reached(_ tally: Tally) -> ReachedLimits.Reached? {
        let full = quotas.compactMap { quota -> ReachedLimits.Quota? in
            let level = ReachedLimits.Level(taken: tally.slots[quota.name, default: 0], limit: quota.limit)
            guard level.taken >= level.limit else { return nil }
            return ReachedLimits.Quota(quota.name, level, excludes: quota.endsRun ? quota.condition.exclusion : nil)
        }
        let responses = responseLimit.map { ReachedLimits.Level(taken: tally.submitted, limit: $0) }
        let isReached = responses.map { $0.taken >= $0.limit } ?? false
        guard isReached || !full.isEmpty else { return nil }
        return ReachedLimits.Reached(responses: isReached ? responses : nil, quotas: full)
    }
}

extension Condition {
    /// The exclusion of a full quota, judged by attributes alone.
    fileprivate var exclusion: ReachedLimits.Quota.Exclusion {
        { attribute, steps in
            var budget = EvaluationBudget(steps: steps)
            defer { steps = budget.steps }
            var facts = ConditionFacts()
            for name in attributeNames { facts.attributes[name] = attribute(name.text) }
            return holds(for: facts, &budget)
        }
    }
}

extension TransactionRows {
    /// The tally of a message. A message without counted responses has an empty tally.
    func tally(_ name: RowName) -> Tally { if case .tally(let tally)? = self[name] { tally } else { Tally() } }
}

/// The limits of an app's messages, compiled when they are published.
struct CompiledLimits: Sendable {
    /// The limits of each message that has limits, from its first variant.
    let all: [ResponseLimits]
    private let variants: [Identifier: [(pacing: Pacing, limits: ResponseLimits)]]

    init(_ catalog: Catalog) {
        var (all, variants) = ([ResponseLimits](), [Identifier: [(pacing: Pacing, limits: ResponseLimits)]]())
        for message in catalog.messages {
            let key = message.key
            guard let pacing = message.facts.pacing, pacing.limitsResponses,
                variants[key]?.contains(where: { $0.pacing == pacing }) != true,
                let limits = ResponseLimits(message.key, pacing)
            else { continue }
            if variants[key] == nil { all.append(limits) }
            variants[key, default: []].append((pacing, limits))
        }
        (self.all, self.variants) = (all, variants)
    }

    /// The limits of one of the catalog's messages; nil if nothing is limited.
    func limits(of key: Identifier, _ pacing: Pacing?) -> ResponseLimits? {
        guard let pacing, pacing.limitsResponses else { return nil }
        return variants[key]?.first { $0.pacing == pacing }?.limits ?? ResponseLimits(key, pacing)
    }
}

/// The slots of runs that are deleted.
enum QuotaSlots {
    /// The tallies without the slots of these runs, each once.
    static func released(_ runs: [Run], of app: Identifier, in rows: TransactionRows) -> [(
        name: RowName, value: RowValue
    )] {
        names(runs, app).compactMap { name in
            guard case .tally(_, let key) = name, case .tally(var tally)? = rows[name] else { return nil }
            for slot in runs.flatMap(\.slots) where slot.key == key { tally.release(slot) }
            return (name, .tally(tally))
        }
    }

    /// The tallies of expired responses, with the slots of this one. It keeps its slots, and no run has them any more.
    static func expired(_ run: Run, of app: Identifier, in rows: TransactionRows) -> [(name: RowName, value: RowValue)]
    {
        keys([run]).map { key in
            let name = RowName.expiredTally(app: app, key: key)
            var tally = rows.tally(name)
            for slot in run.slots where slot.key == key { tally.take(slot) }
            return (name, .tally(tally))
        }
    }

    static func names(_ runs: [Run], _ app: Identifier, ofExpired: Bool = false) -> [RowName] {
        keys(runs).map { ofExpired ? .expiredTally(app: app, key: $0) : .tally(app: app, key: $0) }
    }

    private static func keys(_ runs: [Run]) -> [Identifier] {
        var keys: [Identifier] = []
        for slot in runs.flatMap(\.slots) where !keys.contains(slot.key) { keys.append(slot.key) }
        return keys
    }
}

extension RowName {
    /// The tally of a message's responses that have expired. Their slots are also in the message's own tally.
    static func expiredTally(app: Identifier, key: Identifier) -> RowName {
        .tally(app: app, key: Tally.expiredKey(of: key))
    }
}

extension Run {
    /// The slots that the run has in quotas and limits.
    var slots: [Tally.Slot] { quotas.compactMap { Tally.Slot($0) } }
}

extension LaunchCounters {
    /// The counters, in the form that conditions read.
    var facts: JSONObject {
        var json: JSONObject = [
            "launches": .integer(Int64(clamping: launches)), "foregrounds": .integer(Int64(clamping: foregrounds)),
        ]
        if let firstLaunchAt { json["first_launch_at"] = .integer(firstLaunchAt.milliseconds / 1000) }
        return json
    }
}
