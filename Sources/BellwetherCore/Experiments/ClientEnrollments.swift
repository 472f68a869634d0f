public import BellwetherBase
internal import BellwetherJSON

/// The stored state of one client's recipes: its enrollments in stored order, and its participation.
public struct ClientEnrollments: Sendable, Hashable {
    /// The enrollments, in the order in which the client met the recipes. A slug occurs once; if there are several, the
    /// first one counts.
    public var enrollments: [Enrollment]
    public var participation: Participation

    public init(enrollments: [Enrollment] = [], participation: Participation = .full) {
        self.enrollments = enrollments
        self.participation = participation
    }

    public var isEmpty: Bool { enrollments.isEmpty && participation == .full }

    /// Appends the bytes. A client without enrollments and with full participation has no bytes, as in the format
    /// before enrollments existed. Therefore this must be the last part of its container.
    public func encode(into writer: inout PackedWriter) {
        guard !isEmpty else { return }
        writer.unsigned((participation.experiments ? 0 : 1) | (participation.rollouts ? 0 : 2))
        writer.unsigned(UInt64(participation.optedOut.count))
        for slug in participation.optedOut { writer.name(slug, by: .client) }
        writer.unsigned(UInt64(participation.optedIn.count))
        for choice in participation.optedIn {
            writer.name(choice.slug, by: .client)
            writer.name(choice.branch, by: .client)
        }
        writer.unsigned(UInt64(enrollments.count))
        for enrollment in enrollments { enrollment.encode(into: &writer) }
    }

    /// Reads all bytes to the end; nil for bytes that `encode` does not write.
    public init?(from reader: inout PackedReader) {
        self.init()
        guard !reader.isAtEnd else { return }
        guard let flags = reader.unsigned(in: 0...3), let participation = Self.participation(flags, from: &reader),
            let count = reader.count()
        else { return nil }
        var enrollments: [Enrollment] = []
        enrollments.reserveCapacity(count)
        for _ in 0..<count {
            guard let enrollment = Enrollment(from: &reader) else { return nil }
            enrollments.append(enrollment)
        }
        guard reader.isAtEnd else { return nil }
        self.init(enrollments: enrollments, participation: participation)
        if isEmpty { return nil }
    }

    /// Skips the participation, as `encode` writes it.
    static func skipParticipation(in reader: inout PackedReader) -> Bool {
        guard reader.unsigned(in: 0...3) != nil, let outs = reader.count() else { return false }
        for _ in 0..<outs where reader.skipName() == nil { return false }
        guard let ins = reader.count() else { return false }
        for _ in 0..<(2 * ins) where reader.skipName() == nil { return false }
        return true
    }

    /// Copies enrollments from a reader, in the form of the writer. The reader's bytes were written by `encode`.
    static func copy(from reader: inout PackedReader, to writer: inout PackedWriter) {
        guard !reader.isAtEnd, let flags = reader.unsigned() else { return }
        writer.unsigned(flags)
        let outs = reader.copyCount(to: &writer)
        for _ in 0..<outs { reader.copyName(to: &writer, by: .client) }
        let ins = reader.copyCount(to: &writer)
        for _ in 0..<(2 * ins) { reader.copyName(to: &writer, by: .client) }
        let count = reader.copyCount(to: &writer)
        for _ in 0..<count {
            reader.copyName(to: &writer, by: .owner)
            Enrollment.copyStatus(from: &reader, to: &writer)
        }
    }

    private static func participation(_ flags: UInt64, from reader: inout PackedReader) -> Participation? {
        guard let outs = reader.count() else { return nil }
        var optedOut: [Identifier] = []
        for _ in 0..<outs {
            guard let slug = reader.name() else { return nil }
            optedOut.append(slug)
        }
        guard let ins = reader.count() else { return nil }
        var optedIn: [EnrolledBranch] = []
        for _ in 0..<ins {
            guard let slug = reader.name(), let branch = reader.name() else { return nil }
            optedIn.append(EnrolledBranch(slug: slug, branch: branch))
        }
        let participation = Participation(
            experiments: flags & 1 == 0, rollouts: flags & 2 == 0, optedOut: optedOut, optedIn: optedIn)
        // Order and uniqueness are part of the form.
        let isInOrder =
            participation.optedOut == optedOut
            && participation.optedIn.elementsEqual(optedIn) { $0.slug == $1.slug }
        return isInOrder ? participation : nil
    }
}
