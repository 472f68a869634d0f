internal import BellwetherJSON

/// What a context alone decides about a catalog, worked out as far as polls have asked: messages that a trigger over
/// attributes rules out are skipped by every later poll of the context. Small, for there are many contexts. Belongs to
/// one thread, and to one catalog and context.
public final class ContextVerdicts {
    public let catalog: Catalog
    public let context: TargetingContext
    /// Of the catalog's recipes.
    let gates: ContextGates
    /// Of the poll at hand.
    let outcomes: TriggerOutcomes
    /// By surface: there are few.
    private var scans: [(surface: String, scan: SurfaceScan)] = []

    /// `outcomes`, of the same catalog, may serve all contexts of a thread.
    public init(catalog: Catalog, context: TargetingContext, outcomes: TriggerOutcomes? = nil) {
        self.catalog = catalog
        self.context = context
        gates = ContextGates(catalog.experiments, context)
        self.outcomes = outcomes ?? TriggerOutcomes(of: catalog)
    }

    /// What is known of a surface; kept, so that later polls go on from there.
    func scan(of surface: String) -> SurfaceScan {
        if let known = scans.first(where: { $0.surface.hasSameBytes(as: surface) }) { return known.scan }
        let scan = SurfaceScan(of: catalog.surfaces[surface] ?? .empty)
        scans.append((surface, scan))
        return scan
    }
}

/// A surface's messages, and what one context is known to make of them: marks, or a list where all clients go through
/// the same run, which is quicker to go through.
final class SurfaceScan {
    let index: SurfaceIndex
    var marks = ContextMarks()
    /// Of a uniform index: positions in the catalog, in the order of selection, as far as messages were looked at; 32
    /// bits, for there are many contexts.
    private(set) var candidates: [Int32] = []
    private var scanned = 0

    fileprivate init(of index: SurfaceIndex) { self.index = index }

    /// Looks for one candidate more. False: there is none.
    func goOn(_ table: CandidateTable, _ outcomes: inout PollOutcomes, _ environment: TriggerEnvironment) -> Bool {
        while scanned < index.order.count {
            let position = index.order[scanned]
            scanned += 1
            if !table.isRuledOut(table.candidates[Int(position)], &outcomes, environment) {
                candidates.append(position)
                return true
            }
        }
        return false
    }
}
