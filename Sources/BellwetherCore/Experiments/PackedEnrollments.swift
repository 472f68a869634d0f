internal import BellwetherBase
internal import BellwetherJSON

/// A client's enrollments as a store keeps them, or a table in memory, where names have numbers: unpacked where they
/// change, walked where a poll asks for branches. Equal where they mean the same, in whatever form.
public struct PackedEnrollments: Sendable, Hashable {
    /// Empty for a client that recipes know nothing of.
    private let packed: ArraySlice<UInt8>
    /// Those that the bytes have numbers of; nil where names are written out.
    private let names: [String]?

    public static let none = PackedEnrollments()

    private init() {
        packed = []
        names = nil
    }

    public init(_ enrollments: ClientEnrollments) {
        var writer = PackedWriter()
        enrollments.encode(into: &writer)
        packed = writer.bytes[...]
        names = nil
    }

    /// Nil for bytes that were not packed here.
    init?(packed: ArraySlice<UInt8>, names: [String]?) {
        guard packed.isEmpty || Self.walk(packed, names, { _, _ in }) else { return nil }
        self.packed = packed
        self.names = names
    }

    public var isEmpty: Bool { packed.isEmpty }

    public var unpacked: ClientEnrollments {
        var reader = PackedReader(packed, names: names)
        return ClientEnrollments(from: &reader) ?? ClientEnrollments()
    }

    /// Appends the bytes in the writer's form, which go to the end of whatever holds them.
    func encode(into writer: inout PackedWriter) {
        if writer.hasForm(of: names) { return writer.append(packed) }
        var reader = PackedReader(packed, names: names)
        ClientEnrollments.copy(from: &reader, to: &writer)
    }

    /// The recipes in which the client is enrolled, and its branches there, in stored order: where their names are.
    func forEachEnrolled(_ body: (_ slug: PackedName, _ branch: PackedName) -> Void) {
        forEach { if case .enrolled(let branch) = $1 { body($0, branch) } }
    }

    /// Whether a name in the enrollments has the bytes of a text.
    func isSame(_ name: PackedName, as text: String) -> Bool {
        switch name {
        case .numbered(let number): names?[number].hasSameBytes(as: text) ?? false
        case .written(let range): text.hasSameBytes(as: packed.span.extracting(range))
        }
    }

    /// The branches in which the client was, of recipes that it is not in any more, in stored order.
    var past: [EnrolledBranch] {
        var past: [EnrolledBranch] = []
        forEach { slug, status in
            guard case .past(let branch) = status, let slug = text(slug), let branch = text(branch) else { return }
            past.append(EnrolledBranch(slug: slug, branch: branch))
        }
        return past
    }

    private func forEach(_ body: (_ slug: PackedName, _ status: SkippedStatus) -> Void) {
        if !packed.isEmpty { _ = Self.walk(packed, names, body) }
    }

    func text(_ name: PackedName) -> String? {
        switch name {
        case .numbered(let number): names?[number]
        case .written(let range): String(utf8: packed.span.extracting(range))
        }
    }

    public static func == (left: PackedEnrollments, right: PackedEnrollments) -> Bool {
        if let names = left.names, let others = right.names, names.isIdentical(to: others),
            left.packed.elementsEqual(right.packed)
        {
            return true
        }
        return left.stored.elementsEqual(right.stored)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(stored) }

    /// As a store keeps them.
    private var stored: ArraySlice<UInt8> {
        guard names != nil else { return packed }
        var writer = PackedWriter()
        encode(into: &writer)
        return writer.bytes[...]
    }

    /// False where the bytes are of another form.
    private static func walk(
        _ packed: ArraySlice<UInt8>, _ names: [String]?, _ body: (_ slug: PackedName, _ status: SkippedStatus) -> Void
    ) -> Bool {
        var reader = PackedReader(packed, names: names)
        guard ClientEnrollments.skipParticipation(in: &reader), let count = reader.count() else { return false }
        for _ in 0..<count {
            guard let slug = reader.skipName(), let status = Enrollment.skipStatus(in: &reader) else { return false }
            body(slug, status)
        }
        return reader.isAtEnd
    }
}

/// The status of an enrollment that a walk over packed enrollments passes.
enum SkippedStatus {
    case enrolled(branch: PackedName)
    case past(branch: PackedName)
    case other
}
