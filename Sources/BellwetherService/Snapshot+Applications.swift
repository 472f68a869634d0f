internal import BellwetherCore

extension Snapshot {
    /// The app whose manifest names this application id. Where several do, the first in the order of their names.
    public func app(applicationID id: String) -> AppSnapshot? {
        apps.values.filter { $0.manifest.identity.hasApplication(id) }
            .min { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}
