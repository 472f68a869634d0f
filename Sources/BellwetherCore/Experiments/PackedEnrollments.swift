internal import BellwetherBase
internal import BellwetherJSON

/// A client's enrollments in stored bytes, or in a table in memory, where names are replaced by numbers. They are
/// unpacked when they change, and scanned when a poll reads branches. Two values with the same content are equal,
/// whatever their form.
public struct PackedEnrollments: Sendable, Hashable {
    /// The bytes. They are empty for a client without enrollments and with full participation.
    private let packed: ArraySlice<UInt8>
    /// The table of the names that the bytes refer to by number; nil if the names are written out.
    private let names: [Identifier]?

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

    /// Reads packed bytes; nil for bytes that `encode` does not write.
    init?(packed: ArraySlice<UInt8>, names: [Identifier]?) {
        guard packed.isEmpty || Self.walk(packed, names, { _, _ in }) else { return nil }
        self.packed = packed
        self.names = names
    }

    public var isEmpty: Bool { packed.isEmpty }

    public var unpacked: ClientEnrollments {
        var reader = PackedReader(packed, names: names)
        return ClientEnrollments(from: &reader) ?? ClientEnrollments()
    }

    /// Appends the bytes in the writer's form. They must be the last part of their container.
    func encode(into writer: inout PackedWriter) {
        if writer.hasForm(of: names) { return writer.append(packed) }
        var reader = PackedReader(packed, names: names)
        ClientEnrollments.copy(from: &reader, to: &writer)
    }

    /// Calls `body` with each recipe in which the client is enrolled and its branch, in stored order. It gives the
    /// positions of their names.
    func forEachEnrolled(_ body: (_ slug: PackedName, _ branch: PackedName) -> Void) {
        forEach { if case .enrolled(let branch) = $1 { body($0, branch) } }
    }

    /// Whether a name in the enrollments is this one.
    func isSame(_ packedName: PackedName, as name: Identifier) -> Bool {
        switch packedName {
        case .numbered(let number): names?[number] == name
        case .written(let range): name.text.hasSameBytes(as: packed.span.extracting(range))
        }
    }

    /// The client's former branches, in stored order.
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

    func text(_ name: PackedName) -> Identifier? {
        switch name {
        case .numbered(let number): names?[number]
        case .written(let range): String(utf8: packed.span.extracting(range)).map { Identifier($0) }
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

    /// The bytes in the stored form, with names written out.
    private var stored: ArraySlice<UInt8> {
        guard names != nil else { return packed }
        var writer = PackedWriter()
        encode(into: &writer)
        return writer.bytes[...]
    }

    /// Scans the bytes. Returns false if they have another form.
    private static func walk(
        _ packed: ArraySlice<UInt8>, _ names: [Identifier]?,
        _ body: (_ slug: PackedName, _ status: SkippedStatus) -> Void
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

/// The status of an enrollment in a scan of packed enrollments.
enum SkippedStatus {
    case enrolled(branch: PackedName)
    case past(branch: PackedName)
    case other
}
