internal import BellwetherJSON

/// What a context alone decides about a catalog, worked out as far as polls have asked: messages that a trigger over
/// attributes rules out are skipped by every later poll of the context. Small, for there are many contexts. Belongs to
/// one thread, and to one catalog and context.
public final class ContextVerdicts {
    public let catalog: Catalog
    public let context: TargetingContext
    /// Of the poll at hand.
    let outcomes: TriggerOutcomes
    let truths: ContextTruths
    /// By surface: there are few.
    private var scans: [(surface: String, scan: SurfaceScan)] = []

    /// `outcomes`, of the same catalog, may serve all contexts of a thread; `truths`, of the same context and manifest,
    /// all catalogs of an app.
    public init(
        catalog: Catalog, context: TargetingContext, outcomes: TriggerOutcomes? = nil,
        truths: ContextTruths = ContextTruths()
    ) {
        self.catalog = catalog
        self.context = context
        self.outcomes = outcomes ?? TriggerOutcomes(of: catalog)
        self.truths = truths
        truths.follow(catalog.candidates.series)
    }

    /// What the context makes of an edition's recipes; the edition is the catalog's.
    func gates(in edition: Edition) -> ContextGates { truths.gates(in: edition, context) }

    /// All that enrollments depend on besides the client, as a hash that the process seeds: the same for contexts
    /// between which the edition's recipes make no difference, and in editions between which nothing of those has
    /// changed.
    public func enrollmentDigest(in edition: Edition) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(edition.enrollmentDigest)
        hasher.combine(gates(in: edition).digest)
        return UInt64(bitPattern: Int64(hasher.finalize()))
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

    fileprivate init(of index: SurfaceIndex) {
        self.index = index
        if index.isUniform { candidates.reserveCapacity(min(index.order.count, 64)) }
    }

    /// Looks for one candidate more. False: there is none.
    func goOn(_ table: CandidateTable, _ truths: ContextTruths, _ environment: TriggerEnvironment) -> Bool {
        while scanned < index.order.count {
            let position = index.order[scanned]
            scanned += 1
            if !table.isRuledOut(table.candidates[Int(position)], truths, environment) {
                candidates.append(position)
                return true
            }
        }
        return false
    }
}
