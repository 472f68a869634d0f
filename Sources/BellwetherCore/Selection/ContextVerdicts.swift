/// What a context alone decides about a catalog, worked out as far as polls have asked.
///
/// Triggers over attributes are evaluated once for all clients of the same context; messages that such a trigger
/// rules out are skipped by every later poll. Belongs to one thread, and to one catalog and context.
public final class ContextVerdicts {
    public let catalog: Catalog
    public let context: TargetingContext
    private var verdicts: [TriggerVerdict?]
    private var surfaces: [String: SurfaceScan] = [:]

    /// How far a surface's messages were looked at, and those that the context does not rule out.
    private struct SurfaceScan {
        let positions: [Int]
        var scanned = 0
        var candidates: [Int] = []
    }

    public init(catalog: Catalog, context: TargetingContext) {
        self.catalog = catalog
        self.context = context
        verdicts = Array(repeating: nil, count: catalog.triggers.count)
    }

    /// A trigger's verdict for a client of this context.
    func verdict(of trigger: Int, in environment: TriggerEnvironment) -> TriggerVerdict {
        if let known = verdicts[trigger] { return known }
        let verdict = catalog.triggers[trigger].verdict(in: environment)
        if catalog.triggers[trigger].isDecidedByContext { verdicts[trigger] = verdict }
        return verdict
    }

    /// The n-th message of a surface, in the order of selection, that the context does not rule out.
    func candidate(_ index: Int, surface: String, environment: TriggerEnvironment) -> Message? {
        var scan = surfaces[surface] ?? SurfaceScan(positions: catalog.positionsBySurface[surface] ?? [])
        if index >= scan.candidates.count {
            let before = scan.scanned
            while index >= scan.candidates.count, scan.scanned < scan.positions.count {
                let position = scan.positions[scan.scanned]
                scan.scanned += 1
                if !isRuledOut(catalog.messages[position], environment) { scan.candidates.append(position) }
            }
            if scan.scanned > before || surfaces[surface] == nil { surfaces[surface] = scan }
        }
        return index < scan.candidates.count ? catalog.messages[scan.candidates[index]] : nil
    }

    /// Whether the triggers that the context decides make the message ineligible for all its clients. An error or a
    /// deciding value anywhere in a list has the same effect as if it stood first.
    private func isRuledOut(_ message: Message, _ environment: TriggerEnvironment) -> Bool {
        func decided(_ use: TriggerUse) -> TriggerVerdict? {
            guard catalog.triggers[use.expression].isDecidedByContext else { return nil }
            return verdict(of: use.expression, in: environment)
        }
        return message.triggers.contains { decided($0).map { $0 != .holds } ?? false }
            || message.exclusions.contains { decided($0).map { $0 != .fails } ?? false }
    }
}
