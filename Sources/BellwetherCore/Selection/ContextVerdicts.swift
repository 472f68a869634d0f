/// What a context alone decides about a catalog, worked out as far as polls have asked.
///
/// Triggers over attributes are evaluated once for all clients of the same context; messages that such a trigger
/// rules out are skipped by every later poll. Belongs to one thread, and to one catalog and context.
public final class ContextVerdicts {
    public let catalog: Catalog
    public let context: TargetingContext
    private var outcomes: [TriggerOutcome?]
    private var surfaces: [String: SurfaceScan] = [:]

    public init(catalog: Catalog, context: TargetingContext) {
        self.catalog = catalog
        self.context = context
        outcomes = Array(repeating: nil, count: catalog.triggers.count)
    }

    /// A trigger's outcome for one client of this context.
    func outcome(of trigger: Int, in environment: TriggerEnvironment) -> TriggerOutcome {
        if let known = outcomes[trigger] { return known }
        let outcome = catalog.triggers[trigger].outcome(in: environment)
        if catalog.triggers[trigger].isDecidedByContext { outcomes[trigger] = outcome }
        return outcome
    }

    /// The messages of a surface that the context does not rule out.
    func scan(of surface: String) -> SurfaceScan {
        if let scan = surfaces[surface] { return scan }
        let scan = SurfaceScan(positions: catalog.positionsBySurface[surface] ?? [])
        surfaces[surface] = scan
        return scan
    }

    /// What is left to decide for each client; nil when the context rules the message out for all of them. An error or
    /// a deciding value anywhere in a list has the same effect as if it stood first.
    fileprivate func candidate(_ message: Message, _ environment: TriggerEnvironment) -> Candidate? {
        var open = Candidate(message: message, triggers: [], exclusions: [])
        for use in message.triggers {
            if !catalog.triggers[use.expression].isDecidedByContext {
                open.triggers.append(use.expression)
            } else if outcome(of: use.expression, in: environment) != .holds {
                return nil
            }
        }
        for use in message.exclusions {
            if !catalog.triggers[use.expression].isDecidedByContext {
                open.exclusions.append(use.expression)
            } else if outcome(of: use.expression, in: environment) != .fails {
                return nil
            }
        }
        return open
    }
}

/// A message that the context does not rule out, with the triggers that each client decides.
struct Candidate {
    let message: Message
    fileprivate(set) var triggers: [Int]
    fileprivate(set) var exclusions: [Int]
}

/// How far a surface's messages were looked at, and which of them a client of the context may see.
final class SurfaceScan {
    private let positions: [Int]
    private var scanned = 0
    private var candidates: [Candidate] = []

    fileprivate init(positions: [Int]) { self.positions = positions }

    /// The n-th candidate in the order of selection.
    func candidate(_ index: Int, _ verdicts: ContextVerdicts, _ environment: TriggerEnvironment) -> Candidate? {
        while index >= candidates.count, scanned < positions.count {
            let message = verdicts.catalog.messages[positions[scanned]]
            scanned += 1
            if let candidate = verdicts.candidate(message, environment) { candidates.append(candidate) }
        }
        return index < candidates.count ? candidates[index] : nil
    }
}
