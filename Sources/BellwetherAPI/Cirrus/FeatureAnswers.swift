internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// Features as bytes, by app and branches: clients are many, combinations of branches few. Belongs to one thread and
/// one snapshot. Bounded in number and bytes: when it is full it starts anew.
final class FeatureAnswers {
    private struct Key: Hashable {
        let app: ObjectIdentifier
        let places: [FeatureEnrollment.Place]
    }

    private let capacity: Int
    private let byteCapacity: Int
    private var answers: [Key: [UInt8]] = [:]
    private var bytes = 0

    init(capacity: Int, bytes: Int) {
        self.capacity = capacity
        byteCapacity = bytes
    }

    func removeAll() {
        answers.removeAll()
        bytes = 0
    }

    /// The object of all features that these branches make, as JSON text.
    func features(of app: AppSnapshot, _ enrollments: [FeatureEnrollment]) -> [UInt8] {
        let key = Key(app: ObjectIdentifier(app), places: enrollments.map(\.place))
        if let known = answers[key] { return known }
        let text = JSONValue.object(app.features.features(of: enrollments)).encoded
        guard text.count <= byteCapacity else { return text }
        if answers.count >= capacity || bytes + text.count > byteCapacity { removeAll() }
        bytes += text.count
        answers[key] = text
        return text
    }
}
