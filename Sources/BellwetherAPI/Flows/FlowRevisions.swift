import BellwetherJSON
internal import BellwetherService
internal import Surveys

/// Flows in revisions that are no longer in force, for the runs that began with them
/// (docs/reference/flows.md#runs).
///
/// The key is app, slug and revision. A revision never changes, so no entry is invalidated. The cache is bounded in
/// number and bytes. It belongs to one worker's thread.
final class FlowRevisions {
    private struct Key: Hashable {
        let app: Identifier
        let slug: Identifier
        let revision: Int
    }

    private var kept = BoundedCache<Key, FlowContent>(capacity: 256, bytes: 64 << 20)

    /// A compiled flow takes about this many times the bytes of its document.
    private static let growth = 8

    /// The revision of a run, if it is available: in force, or used before.
    func find(_ run: Run, in app: AppSnapshot) -> FlowContent? {
        if let flow = app.recipes[run.slug]?.flow, flow.revision == run.revision { return flow }
        return kept[Key(app: app.name, slug: run.slug, revision: run.revision)]
    }

    /// Compiles one of the recipe's revisions; nil if it is not a flow.
    func compile(_ run: Run, in app: AppSnapshot, from revisions: [StoredDocument]) -> FlowContent? {
        guard let document = revisions.first(where: { $0.revision == run.revision }),
            let flow = FlowContent(document, slug: run.slug)
        else { return nil }
        let key = Key(app: app.name, slug: run.slug, revision: run.revision)
        kept.keep(flow, size: document.text.count * Self.growth, for: key)
        return flow
    }
}
