/// The apps as they were before a publish, kept until no worker serves them. A compiled app has tens of thousands of
/// objects, and the thread that releases it last frees them all.
struct ReplacedApps {
    private var apps: [AppSnapshot] = []

    var count: Int { apps.count }

    /// Adds the old apps that are replaced or deleted.
    mutating func add(_ old: [String: AppSnapshot], after new: [String: AppSnapshot]) {
        apps += old.filter { new[$0.key] !== $0.value }.values
    }

    /// Returns and removes the apps that have no other owner.
    mutating func takeUnused() -> [AppSnapshot] {
        var unused: [AppSnapshot] = []
        for index in apps.indices.reversed() where isKnownUniquelyReferenced(&apps[index]) {
            unused.append(apps.remove(at: index))
        }
        return unused
    }
}
