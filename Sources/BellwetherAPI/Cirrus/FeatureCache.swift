internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// The features as bytes, by app and branches. There are many clients, but few combinations of branches. Belongs to one
/// thread and one snapshot.
final class FeatureCache {
    private struct Key: Hashable {
        let app: ObjectIdentifier
        let keys: [FeatureEnrollment.BranchKey]
    }

    private var responses: BoundedCache<Key, [UInt8]>

    init(capacity: Int, bytes: Int) { responses = BoundedCache(capacity: capacity, bytes: bytes) }

    func removeAll() { responses.removeAll() }

    /// The object of all features for these branches, as JSON text.
    func features(of app: AppSnapshot, _ enrollments: [FeatureEnrollment]) -> [UInt8] {
        let key = Key(app: ObjectIdentifier(app), keys: enrollments.map(\.key))
        if let known = responses[key] { return known }
        let text = JSONValue.object(app.features.features(of: enrollments)).encoded
        responses.keep(text, size: text.count, for: key)
        return text
    }
}
