internal import BellwetherJSON

/// A client's enrollments as a store keeps them: unpacked where they change, walked where a poll asks for branches.
public struct PackedEnrollments: Sendable, Hashable {
    /// Empty for a client that recipes know nothing of.
    private let packed: ArraySlice<UInt8>

    public static let none = PackedEnrollments()

    private init() { packed = [] }

    public init(_ enrollments: ClientEnrollments) {
        var writer = PackedWriter()
        enrollments.encode(into: &writer)
        packed = writer.bytes[...]
    }

    /// Nil for what was not packed here.
    init?(packed: ArraySlice<UInt8>) {
        guard packed.isEmpty || Self.walk(packed, { _, _ in }) else { return nil }
        self.packed = packed
    }

    public var isEmpty: Bool { packed.isEmpty }

    var bytes: ArraySlice<UInt8> { packed }

    public var unpacked: ClientEnrollments {
        var reader = PackedReader(packed)
        return ClientEnrollments(from: &reader) ?? ClientEnrollments()
    }

    /// The recipes in which the client is enrolled, and its branches there, as bytes and in stored order.
    func forEachEnrolled(_ body: (_ slug: Span<UInt8>, _ branch: Span<UInt8>) -> Void) {
        guard !packed.isEmpty else { return }
        _ = Self.walk(packed, body)
    }

    public static func == (left: PackedEnrollments, right: PackedEnrollments) -> Bool {
        left.packed.elementsEqual(right.packed)
    }

    /// False where the bytes are of another form.
    private static func walk(
        _ packed: ArraySlice<UInt8>, _ body: (_ slug: Span<UInt8>, _ branch: Span<UInt8>) -> Void
    ) -> Bool {
        var reader = PackedReader(packed)
        guard ClientEnrollments.skipParticipation(in: &reader), let count = reader.count() else { return false }
        let span = packed.span
        for _ in 0..<count {
            guard let slug = reader.range(), let status = Enrollment.skipStatus(in: &reader) else { return false }
            if case .enrolled(let branch) = status { body(span.extracting(slug), span.extracting(branch)) }
        }
        return reader.isAtEnd
    }
}

/// What a walk over packed enrollments finds.
enum SkippedStatus {
    /// The branch's place in what the reader reads.
    case enrolled(branch: Range<Int>)
    case other
}
