public import BellwetherBase
internal import BellwetherJSON

/// The timetable by which the share of an experiment or a rollout grows (docs/reference/experiments.md#stages).
public struct RolloutStages: Sendable, Hashable {
    public struct Stage: Sendable, Hashable {
        /// The `count` of `bucketConfig` from then on.
        public let count: UInt32
        /// The earliest time of the stage; nil: it waits for its guards alone, or for a person.
        public let at: Timestamp?
        /// Whether all guards of the recipe must hold.
        public let waitsForGuards: Bool

        /// Whether a person publishes the larger share.
        public var isByHand: Bool { at == nil && !waitsForGuards }
    }

    /// The member of a recipe.
    public static let member = "stages"
    static let maximum = 10

    /// There is at least one. Each has a larger count than the one before.
    public let stages: [Stage]

    /// Reads the stages of an experiment's document; nil if it has none, or if there is a fault.
    ///
    /// A fault refuses a document that is published now. A stored document is served without stages.
    init?(_ document: JSONValue, findings: Findings) {
        let own = Findings()
        defer { findings.take(mistakes: own) }
        guard let list = JSONReader(document, findings: own).optional(Self.member), let items = list.elements() else {
            return nil
        }
        if items.count > Self.maximum { list.finding("range", "a recipe has at most \(Self.maximum) stages") }
        let hasGuards = document.object?["guards"]?.array?.isEmpty == false
        let stages = items.map { Self.read($0, hasGuards: hasGuards) }
        Self.checkOrder(stages, items, Self.available(document))
        guard !stages.isEmpty, own.faults.isEmpty else { return nil }
        self.stages = stages.compactMap(\.self)
    }

    /// Refuses the stages of a recipe that has no share of its own.
    static func refuse(in document: JSONValue, findings: Findings) {
        let own = Findings()
        JSONReader(document, findings: own).optional(member)?.finding(
            "stages_share", "only an experiment or a rollout has stages")
        findings.take(mistakes: own)
    }

    /// The stage after this share; nil if there is none.
    public func next(after count: UInt32) -> Stage? { stages.first { $0.count > count } }

    /// The stage that a share has reached by time alone; nil if the next one is not due.
    public func due(after count: UInt32, at now: Timestamp) -> Stage? {
        var reached: Stage?
        for stage in stages where stage.count > count {
            guard !stage.waitsForGuards, let at = stage.at, at <= now else { break }
            reached = stage
        }
        return reached
    }

    private static func read(_ reader: JSONReader, hasGuards: Bool) -> Stage? {
        guard reader.object() != nil else { return nil }
        reader.refuseUnknown(keys: ["count", "at", "guards"])
        let count = reader.required("count").flatMap { $0.integer(in: 1...Experiment.bounds.upperBound) }
        let at = reader.optional("at").flatMap { $0.time() }
        let guards = reader.optional("guards")
        let waits = guards.flatMap { $0.bool() } ?? false
        if waits, !hasGuards { guards?.finding("reference", "the recipe has no guards") }
        return count.map { Stage(count: UInt32($0), at: at, waitsForGuards: waits) }
    }

    /// The buckets from the first one of the recipe to the last of all; nil if they cannot be read.
    private static func available(_ document: JSONValue) -> Int64? {
        let buckets = document.object?["bucketConfig"]?.object
        let total = buckets?["total"].map(\.integer) ?? Int64(Bucketing.defaultTotal)
        guard let start = buckets?["start"]?.integer, let total else { return nil }
        return total - start
    }

    private static func checkOrder(_ stages: [Stage?], _ items: [JSONReader], _ available: Int64?) {
        var (count, at): (UInt32, Timestamp?) = (0, nil)
        for (stage, item) in zip(stages, items) {
            guard let stage else { continue }
            if stage.count <= count {
                item.optional("count")?.finding("range", "a stage is larger than the one before: above \(count)")
            } else if let available, Int64(stage.count) > available {
                item.optional("count")?.finding("range", "there are \(available) buckets from the first one on")
            }
            if let time = stage.at, let at, time < at {
                item.optional("at")?.finding("range", "a stage is not earlier than the one before")
            }
            (count, at) = (max(count, stage.count), stage.at ?? at)
        }
    }
}

extension Experiment.BucketConfig {
    /// The buckets after the last stage.
    package func growing(by stages: RolloutStages?) -> Self {
        guard let largest = stages?.stages.last, largest.count > count else { return self }
        return Self(
            randomizationUnit: randomizationUnit, namespace: namespace, start: start, count: largest.count,
            total: total)
    }
}

extension Recipe {
    /// The next stage of its share; nil if there is none.
    public var nextStage: RolloutStages.Stage? {
        guard let stages, let experiment else { return nil }
        return stages.next(after: experiment.bucketConfig.count)
    }

    /// The stage that is due by time alone; nil if there is none.
    public func dueStage(at now: Timestamp) -> RolloutStages.Stage? {
        guard let stages, let experiment else { return nil }
        return stages.due(after: experiment.bucketConfig.count, at: now)
    }
}
