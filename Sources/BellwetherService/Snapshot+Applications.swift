internal import BellwetherCore
internal import BellwetherJSON

extension Snapshot {
    /// The app whose manifest names this application id. Where several do, the first in the order of their names.
    public func app(applicationID id: String) -> AppSnapshot? {
        apps.values.filter { $0.manifest.identity.hasApplication(id) }
            .min { $0.name.precedes($1.name) }
    }
}
