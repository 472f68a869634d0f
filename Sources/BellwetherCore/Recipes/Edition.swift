internal import BellwetherJSON

/// One app as it is published at one time: all that decides what its clients see, compiled.
///
/// The daemon answers polls from it, and an app that has its bundle takes the same decisions from it on the device.
public final class Edition: Sendable {
    public let manifest: Manifest
    public let strings: StringTables
    public let catalog: Catalog
    /// In canonical order.
    public let live: [Recipe]
    /// Nothing of these is offered.
    public let paused: [Recipe]
    /// All that enrollments depend on besides client and context, as a hash that the process seeds: the same in editions
    /// between which nothing of it has changed.
    public let enrollmentDigest: Int

    /// Recipes in any order; `numbering` is `Catalog`'s. `previous` is the app's edition before this one: what stays the same is
    /// not made again.
    public init(
        manifest: Manifest, manifestRevision: Int, strings: StringTables, recipes: RecipesInForce, revision: UInt64,
        after previous: Edition? = nil,
        numbering: @escaping ([KnownMessage]) -> [Int] = { $0.map(\.revision) }
    ) {
        self.manifest = manifest
        self.strings = strings
        live = Recipe.inCanonicalOrder(recipes.live)
        paused = Recipe.inCanonicalOrder(recipes.paused)
        enrollmentDigest = Self.enrollmentDigest(manifest, live: live, paused: paused)
        catalog = Catalog(
            manifest: manifest, manifestRevision: manifestRevision, recipes: live,
            experiments: ExperimentSet(live: live, paused: paused), revision: revision,
            after: previous?.catalog, numbering: numbering)
    }

    /// In a bare messaging value everyone is, which only targeting can tell that asks what a client is enrolled in.
    private static func enrollmentDigest(_ manifest: Manifest, live: [Recipe], paused: [Recipe]) -> Int {
        var hasher = Hasher()
        for name in [manifest.appName, manifest.channel] { hasher.combine(name.map { Array($0.utf8) }) }
        let areEnrollmentsRead = live.contains { $0.experiment?.targeting?.readsEnrollments ?? false }
        for (recipes, isLive) in [(live, true), (paused, false)] {
            for recipe in recipes where recipe.experiment != nil || areEnrollmentsRead {
                hasher.combine(isLive)
                hasher.combine(Array(recipe.slug.utf8))
                hasher.combine(recipe.experiment.map { _ in recipe.document.encoded })
            }
        }
        return hasher.finalize()
    }

    public var experiments: ExperimentSet { catalog.experiments }

    /// A message as a client of these branches sees it.
    public func message(_ key: String, in branches: ClientBranches) -> Message? {
        catalog.message(key, for: branches.forms(of: catalog))
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
