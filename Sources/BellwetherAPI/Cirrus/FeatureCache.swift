internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// Features as bytes, by app and branches: clients are many, combinations of branches few. Belongs to one thread and
/// one snapshot.
final class FeatureCache {
    private struct Key: Hashable {
        let app: ObjectIdentifier
        let places: [FeatureEnrollment.BranchKey]
    }

    private var answers: BoundedCache<Key, [UInt8]>

    init(capacity: Int, bytes: Int) { answers = BoundedCache(capacity: capacity, bytes: bytes) }

    func removeAll() { answers.removeAll() }

    /// The object of all features that these branches make, as JSON text.
    func features(of app: AppSnapshot, _ enrollments: [FeatureEnrollment]) -> [UInt8] {
        let key = Key(app: ObjectIdentifier(app), places: enrollments.map(\.place))
        if let known = answers[key] { return known }
        let text = JSONValue.object(app.features.features(of: enrollments)).encoded
        answers.keep(text, size: text.count, for: key)
        return text
    }
}
