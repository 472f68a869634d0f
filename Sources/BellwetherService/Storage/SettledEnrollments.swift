internal import BellwetherBase
public import BellwetherCore
internal import BellwetherJSON

/// The inputs of an evolution of enrollments besides the client's row and the time: the app's publication, and the
/// context. They are represented by 64 bits of a hash that the process seeds, so that no client can choose two contexts
/// with the same bits.
public struct EnrollmentBasis: Sendable, Hashable, BitwiseCopyable {
    private let digest: UInt64

    fileprivate static let none = EnrollmentBasis(digest: 0)

    private init(digest: UInt64) { self.digest = digest }

    /// Two values are equal for contexts with the same bytes, even if the contexts come from requests of different
    /// kinds.
    public init(_ app: AppSnapshot, _ context: TargetingContext) {
        // A sum of hashes does not depend on the order of the attributes.
        let attributes = context.attributes.reduce(into: 0) { sum, attribute in
            var hasher = Hasher()
            hasher.combine(Identifier(attribute.key))
            hasher.combine(attribute.key.utf8.count)
            hasher.combine(Identifier(attribute.value.text))
            sum &+= hasher.finalize()
        }
        var hasher = Hasher()
        // The revision grows with every publish of the app.
        hasher.combine(app.catalog.revision)
        hasher.combine(app.listStamps)
        hasher.combine(attributes)
        hasher.combine(Identifier(context.locale))
        digest = UInt64(bitPattern: Int64(hasher.finalize()))
    }
}

/// The note that an evolution of a client's enrollments changed nothing. It contains the time until which another one
/// of the same row and the same basis changes nothing either
/// (docs/decisions/archive/0075-a-clients-entry-says-until-when-its-enrollments-are-settled.md).
///
/// It is a field of the client's entry in the `ClientTable`: 16 bytes, which end with the entry and with each change of
/// the row.
public struct SettledEnrollments: Sendable, Hashable, BitwiseCopyable {
    private let basis: EnrollmentBasis
    /// The time at which the note was made, in milliseconds since 1970. The low bits are the seconds for which it
    /// holds. 0 means that it does not hold.
    private let window: UInt64

    static let none = SettledEnrollments(.none, window: 0)

    /// The bits of the duration, for 48 days. The enrollments of a client that polls less often are evolved again.
    private static let lengthBits = 22
    private static let longest: Int64 = 1 << lengthBits - 1
    private static let last: Int64 = 1 << (64 - lengthBits) - 1

    private init(_ basis: EnrollmentBasis, window: UInt64) { (self.basis, self.window) = (basis, window) }

    /// A result that holds for less than a second is not kept. A reading of the time is such a result.
    init(_ basis: EnrollmentBasis, from now: Timestamp, until end: Timestamp) {
        guard now < end, (0...Self.last).contains(now.milliseconds) else {
            self = .none
            return
        }
        let length = min(end.milliseconds - now.milliseconds, Self.longest * 1000) / 1000
        let window = length == 0 ? 0 : now.milliseconds << Self.lengthBits | length
        self.init(basis, window: UInt64(window))
    }

    /// The time until which the enrollments stay as they are; nil if they may change now. If the clock was set back,
    /// the note does not hold before the time at which it was made.
    func end(for basis: EnrollmentBasis, at now: Timestamp) -> Timestamp? {
        guard window != 0, basis == self.basis else { return nil }
        let start = Timestamp(milliseconds: Int64(window >> Self.lengthBits))
        let end = start.adding(seconds: Int64(window) & Self.longest)
        return start <= now && now < end ? end : nil
    }
}
