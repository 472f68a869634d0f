/// Apps as they were before a publish, kept until no worker serves them any more: a compiled app is tens of thousands
/// of objects, and whoever lets go of it last frees them all.
struct ReplacedApps {
    private var apps: [AppSnapshot] = []

    var count: Int { apps.count }

    /// Those that are not the same any more.
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
