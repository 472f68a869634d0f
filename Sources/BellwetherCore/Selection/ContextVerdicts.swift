internal import BellwetherJSON

/// What a context alone decides about a catalog, worked out as far as polls have asked: messages that a trigger over
/// attributes rules out are skipped by every later poll of the context. Small, for there are many contexts. Belongs to
/// one thread, and to one catalog and context.
public final class ContextVerdicts {
    public let catalog: Catalog
    public let context: TargetingContext
    /// Of the poll at hand.
    let outcomes: TriggerOutcomes
    /// By surface: there are few.
    private var scans: [(surface: String, scan: SurfaceScan)] = []

    /// `outcomes`, of the same catalog, may serve all contexts of a thread.
    public init(catalog: Catalog, context: TargetingContext, outcomes: TriggerOutcomes? = nil) {
        self.catalog = catalog
        self.context = context
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

/// A surface's messages, and what one context is known to make of them.
final class SurfaceScan {
    let index: SurfaceIndex
    var marks = ContextMarks()

    fileprivate init(of index: SurfaceIndex) { self.index = index }
}
