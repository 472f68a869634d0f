/// What a context alone decides about a catalog, worked out as far as polls have asked.
///
/// Triggers over attributes are evaluated once for all clients of the same context; messages that such a trigger
/// rules out are skipped by every later poll. Belongs to one thread, and to one catalog and context.
public final class ContextVerdicts {
    public let catalog: Catalog
    public let context: TargetingContext
    private var known: [KnownVerdict]
    private var polls: UInt64 = 0
    private var surfaces: [String: SurfaceScan] = [:]

    public init(catalog: Catalog, context: TargetingContext) {
        self.catalog = catalog
        self.context = context
        known = Array(repeating: KnownVerdict(poll: 0, verdict: .fails), count: catalog.triggers.count)
    }

    /// A trigger's last verdict, and for which poll it holds.
    private struct KnownVerdict {
        static let everyPoll = UInt64.max

        var poll: UInt64
        var verdict: TriggerVerdict
    }

    /// A number for a poll: within it each trigger is evaluated once, however many messages use it.
    func beginPoll() -> UInt64 {
        polls += 1
        return polls
    }

    /// A trigger's verdict for a client of this context, which is the same throughout its poll.
    func verdict(of trigger: Int, in environment: TriggerEnvironment, poll: UInt64) -> TriggerVerdict {
        let last = known[trigger].poll
        if last == poll || last == KnownVerdict.everyPoll { return known[trigger].verdict }
        let compiled = catalog.triggers[trigger]
        let verdict = compiled.verdict(in: environment)
        known[trigger] = KnownVerdict(
            poll: compiled.isDecidedByContext ? KnownVerdict.everyPoll : poll, verdict: verdict)
        return verdict
    }

    /// What is known of a surface; kept, so that later polls go on from there.
    func scan(of surface: String) -> SurfaceScan {
        if let scan = surfaces[surface] { return scan }
        let scan = SurfaceScan(positions: catalog.positionsBySurface[surface] ?? [])
        surfaces[surface] = scan
        return scan
    }

    /// The n-th message of a surface, in the order of selection, that the context does not rule out.
    func candidate(
        _ index: Int, in scan: SurfaceScan, _ environment: TriggerEnvironment, poll: UInt64
    ) -> Message? {
        while index >= scan.candidates.count, let position = scan.next() {
            if !isRuledOut(catalog.messages[position], environment, poll) { scan.candidates.append(position) }
        }
        return index < scan.candidates.count ? catalog.messages[scan.candidates[index]] : nil
    }

    /// Whether the triggers that the context decides make the message ineligible for all its clients. An error or a
    /// deciding value anywhere in a list has the same effect as if it stood first.
    private func isRuledOut(_ message: Message, _ environment: TriggerEnvironment, _ poll: UInt64) -> Bool {
        func decided(_ use: TriggerUse) -> TriggerVerdict? {
            guard catalog.triggers[use.expression].isDecidedByContext else { return nil }
            return verdict(of: use.expression, in: environment, poll: poll)
        }
        return message.triggers.contains { decided($0).map { $0 != .holds } ?? false }
            || message.exclusions.contains { decided($0).map { $0 != .fails } ?? false }
    }
}

/// How far a surface's messages were looked at for one context, and those that the context does not rule out.
final class SurfaceScan {
    private let positions: [Int]
    private var scanned = 0
    fileprivate(set) var candidates: [Int] = []

    fileprivate init(positions: [Int]) { self.positions = positions }

    fileprivate func next() -> Int? {
        guard scanned < positions.count else { return nil }
        scanned += 1
        return positions[scanned - 1]
    }
}
