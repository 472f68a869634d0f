internal import BellwetherBase
internal import BellwetherJSON

/// A status is stored as one number for its name and reason, then the values that belong to it. A number is never
/// reused, because stored data contains it.
extension Enrollment {
    private static let wasEnrolledCode: UInt64 = 30
    private static let errorCode: UInt64 = 31

    private static let enrolledCodes: [EnrolledReason] = [.qualified, .optIn, .firefoxLabsOptIn]
    private static let notEnrolledCodes: [NotEnrolledReason] = [
        .differentAppName, .differentChannel, .enrollmentsPaused, .featureConflict(slug: ""), .notSelected,
        .notTargeted, .experimentsOptOut, .rolloutsOptOut, .firefoxLabs, .optOut,
    ]
    private static let disqualifiedCodes: [DisqualifiedReason] = [
        .error, .optOut, .experimentsOptOut, .rolloutsOptOut, .notTargeted, .notSelected, .prefUnenrollReason,
        .firefoxLabsOptOut,
    ]
    /// The first number of each list of reasons.
    private static let notEnrolledStart = 4
    private static let disqualifiedStart = 20

    private static func code<Reason: Equatable>(_ reason: Reason, in codes: [Reason], from start: Int) -> UInt64 {
        UInt64(start + (codes.firstIndex(of: reason) ?? 0))
    }

    func encode(into writer: inout PackedWriter) {
        writer.name(slug)
        switch status {
        case .enrolled(let reason, let branch):
            writer.unsigned(Self.code(reason, in: Self.enrolledCodes, from: 0))
            writer.name(branch)
        case .notEnrolled(.featureConflict(let slug)):
            writer.unsigned(
                Self.code(.featureConflict(slug: ""), in: Self.notEnrolledCodes, from: Self.notEnrolledStart))
            writer.name(slug)
        case .notEnrolled(let reason):
            writer.unsigned(Self.code(reason, in: Self.notEnrolledCodes, from: Self.notEnrolledStart))
        case .disqualified(let reason, let branch):
            writer.unsigned(Self.code(reason, in: Self.disqualifiedCodes, from: Self.disqualifiedStart))
            writer.name(branch)
        case .wasEnrolled(let branch, let endedAt):
            writer.unsigned(Self.wasEnrolledCode)
            writer.name(branch)
            writer.signed(endedAt.milliseconds)
        case .error(let text):
            writer.unsigned(Self.errorCode)
            writer.string(text)
        }
    }

    /// Reads an enrollment; nil for bytes that `encode` does not write.
    init?(from reader: inout PackedReader) {
        guard let slug = reader.name(), let code = reader.unsigned(in: 0...Self.errorCode),
            let status = Self.status(Int(code), from: &reader)
        else { return nil }
        self.init(slug: slug, status: status)
    }

    /// Skips a status that `encode` has written; nil for bytes that it does not write.
    static func skipStatus(in reader: inout PackedReader) -> SkippedStatus? {
        guard let number = reader.unsigned(in: 0...errorCode) else { return nil }
        switch belongings(of: Int(number)) {
        case .branch: return reader.skipName().map { .enrolled(branch: $0) }
        case .nothing: return .other
        case .name: return reader.skipName().map { _ in .other }
        case .lastBranch: return reader.skipName().map { .past(branch: $0) }
        case .lastBranchAndTime: return reader.skipName().flatMap { reader.signed() == nil ? nil : .past(branch: $0) }
        case .text: return reader.range().map { _ in .other }
        case nil: return nil
        }
    }

    /// Copies a status from a reader, in the form of the writer. The reader's bytes were written by `encode`.
    static func copyStatus(from reader: inout PackedReader, to writer: inout PackedWriter) {
        guard let number = reader.unsigned(in: 0...errorCode), let belongings = belongings(of: Int(number)) else {
            return
        }
        writer.unsigned(number)
        switch belongings {
        case .nothing: break
        case .branch, .name, .lastBranch: reader.copyName(to: &writer, by: .owner)
        case .lastBranchAndTime:
            reader.copyName(to: &writer, by: .owner)
            if let milliseconds = reader.signed() { writer.signed(milliseconds) }
        case .text:
            if let text = reader.bytes() { writer.bytes(text) }
        }
    }

    /// The values that follow a status' number.
    private enum Belongings {
        case nothing
        /// The branch that the client is in.
        case branch
        /// The slug of another recipe.
        case name
        /// The branch that the client was in.
        case lastBranch
        case lastBranchAndTime
        case text
    }

    private static func belongings(of code: Int) -> Belongings? {
        if enrolledCodes.indices.contains(code) { return .branch }
        if notEnrolledCodes.indices.contains(code - notEnrolledStart) {
            guard case .featureConflict = notEnrolledCodes[code - notEnrolledStart] else { return .nothing }
            return .name
        }
        if disqualifiedCodes.indices.contains(code - disqualifiedStart) { return .lastBranch }
        if code == wasEnrolledCode { return .lastBranchAndTime }
        return code == errorCode ? .text : nil
    }

    private static func status(_ code: Int, from reader: inout PackedReader) -> EnrollmentStatus? {
        if enrolledCodes.indices.contains(code) {
            return reader.name().map { .enrolled(enrolledCodes[code], branch: $0) }
        }
        if notEnrolledCodes.indices.contains(code - notEnrolledStart) {
            let reason = notEnrolledCodes[code - notEnrolledStart]
            guard case .featureConflict = reason else { return .notEnrolled(reason) }
            return reader.name().map { .notEnrolled(.featureConflict(slug: $0)) }
        }
        if disqualifiedCodes.indices.contains(code - disqualifiedStart) {
            return reader.name().map { .disqualified(disqualifiedCodes[code - disqualifiedStart], branch: $0) }
        }
        switch UInt64(code) {
        case wasEnrolledCode:
            guard let branch = reader.name(), let milliseconds = reader.signed() else { return nil }
            return .wasEnrolled(branch: branch, endedAt: Timestamp(milliseconds: milliseconds))
        case errorCode: return reader.string().map { .error($0) }
        default: return nil
        }
    }
}
