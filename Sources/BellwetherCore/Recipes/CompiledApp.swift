public import BellwetherBase
internal import BellwetherJSON

/// One app as it is published at one time: all that decides what its clients see, compiled.
///
/// The daemon answers polls from it, and an app that has its bundle takes the same decisions from it on the device.
public final class CompiledApp: Sendable {
    public let manifest: Manifest
    public let strings: StringTables
    public let catalog: Catalog
    /// In canonical order.
    public let live: [Recipe]
    /// Nothing of these is offered.
    public let paused: [Recipe]

    /// Recipes in any order; `numbering` is `Catalog`'s. `previous` is the app's compiled app before this one: what
    /// stays the same is not made again.
    public init(
        manifest: Manifest, manifestRevision: Int, strings: StringTables, recipes: RecipesInForce, revision: UInt64,
        after previous: CompiledApp? = nil,
        numbering: @escaping ([KnownMessage]) -> [Int] = { $0.map(\.revision) }
    ) {
        self.manifest = manifest
        self.strings = strings
        live = Recipe.inCanonicalOrder(recipes.live)
        paused = Recipe.inCanonicalOrder(recipes.paused)
        catalog = Catalog(
            manifest: manifest, manifestRevision: manifestRevision, recipes: live,
            experiments: ExperimentSet(live: live, paused: paused),
            revision: revision, after: previous?.catalog, numbering: numbering)
    }

    public var experiments: ExperimentSet { catalog.experiments }

    /// A message as a client of these branches sees it.
    public func message(_ key: String, in branches: ClientBranches) -> Message? {
        catalog.message(key, for: branches.variants(of: catalog))
    }
}

/// An app's recipes that have a say.
public struct RecipesInForce: Sendable {
    public let live: [Recipe]
    /// Nothing of these is offered; who is enrolled stays so.
    public let paused: [Recipe]

    public init(live: [Recipe], paused: [Recipe] = []) {
        self.live = live
        self.paused = paused
    }
}
