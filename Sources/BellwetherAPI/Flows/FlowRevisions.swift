internal import BellwetherService
internal import Surveys

/// Flows in revisions that are no longer in force, for the runs that began with them
/// (docs/reference/flows.md#runs).
///
/// Key: app, slug, revision. A revision never changes, so nothing is invalidated. Bound: number and bytes. Belongs to
/// one worker's thread.
final class FlowRevisions {
    private struct Key: Hashable {
        let app: String
        let slug: String
        let revision: Int
    }

    private var kept = BoundedCache<Key, FlowContent>(capacity: 256, bytes: 64 << 20)

    /// A compiled flow takes about so many times the bytes of its document.
    private static let growth = 8

    /// The revision of a run, if it is at hand: in force, or used before.
    func find(_ run: Run, in app: AppSnapshot) -> FlowContent? {
        if let flow = app.recipes[run.slug]?.flow, flow.revision == run.revision { return flow }
        return kept[Key(app: app.name, slug: run.slug, revision: run.revision)]
    }

    /// Compiles one of the recipe's revisions. Nil: it is no flow any more.
    func compile(_ run: Run, in app: AppSnapshot, from revisions: [StoredDocument]) -> FlowContent? {
        guard let document = revisions.first(where: { $0.revision == run.revision }),
            let flow = FlowContent(document, slug: run.slug)
        else { return nil }
        let key = Key(app: app.name, slug: run.slug, revision: run.revision)
        kept.keep(flow, size: document.text.count * Self.growth, for: key)
        return flow
    }
}
