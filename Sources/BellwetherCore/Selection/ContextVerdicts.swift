/// What a context alone decides about a catalog, worked out as far as polls have asked.
///
/// Triggers over attributes are evaluated once for all clients of the same context; messages that such a trigger
/// rules out are skipped by every later poll. Belongs to one thread, and to one catalog and context.
public final class ContextVerdicts {
    public let catalog: Catalog
    public let context: TargetingContext
    private var known: [KnownOutcome]
    private var polls: UInt32 = 0
    private var surfaces: [String: SurfaceScan] = [:]

    public init(catalog: Catalog, context: TargetingContext) {
        self.catalog = catalog
        self.context = context
        known = Array(repeating: KnownOutcome(poll: 0, outcome: .fails), count: catalog.triggers.count)
    }

    /// A trigger's last outcome, and the poll for which it holds. Small, for there are many contexts.
    private struct KnownOutcome {
        static let everyPoll = UInt32.max

        let poll: UInt32
        let outcome: TriggerOutcome
    }

    /// A number for one client's poll: within it each trigger is evaluated once, however many messages use it.
    func beginPoll() -> UInt32 {
        polls += 1
        if polls == KnownOutcome.everyPoll { startAnew() }
        return polls
    }

    /// The numbers are used up: what holds for single polls is forgotten, so that no number comes twice.
    private func startAnew() {
        for trigger in known.indices where known[trigger].poll != KnownOutcome.everyPoll {
            known[trigger] = KnownOutcome(poll: 0, outcome: .fails)
        }
        polls = 1
    }

    /// A trigger's outcome for the client of a poll.
    func outcome(of trigger: Int, in environment: TriggerEnvironment, poll: UInt32) -> TriggerOutcome {
        let last = known[trigger]
        if last.poll == poll || last.poll == KnownOutcome.everyPoll { return last.outcome }
        let compiled = catalog.triggers[trigger]
        let outcome = compiled.outcome(in: environment)
        known[trigger] = KnownOutcome(
            poll: compiled.isDecidedByContext ? KnownOutcome.everyPoll : poll, outcome: outcome)
        return outcome
    }

    /// What is known of a surface; kept, so that later polls go on from there.
    func scan(of surface: String) -> SurfaceScan {
        if let scan = surfaces[surface] { return scan }
        let scan = SurfaceScan(positions: catalog.positionsBySurface[surface] ?? [])
        surfaces[surface] = scan
        return scan
    }
}

/// How far a surface's messages were looked at for one context, and those that the context does not rule out.
final class SurfaceScan {
    private let positions: [Int]
    private var scanned = 0
    /// Positions in the catalog; 32 bits, for there are many contexts.
    private var candidates: [Int32] = []

    fileprivate init(positions: [Int]) { self.positions = positions }

    /// The n-th candidate in the order of selection.
    func candidate(
        _ index: Int, _ verdicts: ContextVerdicts, _ environment: TriggerEnvironment, poll: UInt32
    ) -> Candidate? {
        let all = verdicts.catalog.candidates
        while index >= candidates.count, scanned < positions.count {
            let position = positions[scanned]
            scanned += 1
            if !all[position].isRuledOut(verdicts, environment, poll: poll) { candidates.append(Int32(position)) }
        }
        return index < candidates.count ? all[Int(candidates[index])] : nil
    }
}
