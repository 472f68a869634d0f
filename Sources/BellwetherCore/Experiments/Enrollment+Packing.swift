internal import BellwetherJSON

/// A status is one number for its name and reason, then what belongs to it. Numbers are never given anew: the store has
/// them.
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
    /// Where the numbers of each list begin.
    private static let notEnrolledStart = 4
    private static let disqualifiedStart = 20

    private static func code<Reason: Equatable>(_ reason: Reason, in codes: [Reason], from start: Int) -> UInt64 {
        UInt64(start + (codes.firstIndex(of: reason) ?? 0))
    }

    func encode(into writer: inout PackedWriter) {
        writer.string(slug)
        switch status {
        case .enrolled(let reason, let branch):
            writer.unsigned(Self.code(reason, in: Self.enrolledCodes, from: 0))
            writer.string(branch)
        case .notEnrolled(.featureConflict(let slug)):
            writer.unsigned(
                Self.code(.featureConflict(slug: ""), in: Self.notEnrolledCodes, from: Self.notEnrolledStart))
            writer.string(slug)
        case .notEnrolled(let reason):
            writer.unsigned(Self.code(reason, in: Self.notEnrolledCodes, from: Self.notEnrolledStart))
        case .disqualified(let reason, let branch):
            writer.unsigned(Self.code(reason, in: Self.disqualifiedCodes, from: Self.disqualifiedStart))
            writer.string(branch)
        case .wasEnrolled(let branch, let endedAt):
            writer.unsigned(Self.wasEnrolledCode)
            writer.string(branch)
            writer.signed(endedAt.milliseconds)
        case .error(let text):
            writer.unsigned(Self.errorCode)
            writer.string(text)
        }
    }

    /// Nil for what `encode` does not write.
    init?(from reader: inout PackedReader) {
        guard let slug = reader.string(), let code = reader.unsigned(in: 0...Self.errorCode),
            let status = Self.status(Int(code), from: &reader)
        else { return nil }
        self.init(slug: slug, status: status)
    }

    /// Passes over a status as `encode` writes it; nil for what it does not write.
    static func skipStatus(in reader: inout PackedReader) -> SkippedStatus? {
        guard let number = reader.unsigned(in: 0...errorCode) else { return nil }
        let code = Int(number)
        if enrolledCodes.indices.contains(code) { return reader.range().map { .enrolled(branch: $0) } }
        if notEnrolledCodes.indices.contains(code - notEnrolledStart) {
            guard case .featureConflict = notEnrolledCodes[code - notEnrolledStart] else { return .other }
            return reader.range().map { _ in .other }
        }
        guard disqualifiedCodes.indices.contains(code - disqualifiedStart) || number >= wasEnrolledCode,
            reader.range() != nil
        else { return nil }
        return number != wasEnrolledCode || reader.signed() != nil ? .other : nil
    }

    private static func status(_ code: Int, from reader: inout PackedReader) -> EnrollmentStatus? {
        if enrolledCodes.indices.contains(code) {
            return reader.string().map { .enrolled(enrolledCodes[code], branch: $0) }
        }
        if notEnrolledCodes.indices.contains(code - notEnrolledStart) {
            let reason = notEnrolledCodes[code - notEnrolledStart]
            guard case .featureConflict = reason else { return .notEnrolled(reason) }
            return reader.string().map { .notEnrolled(.featureConflict(slug: $0)) }
        }
        if disqualifiedCodes.indices.contains(code - disqualifiedStart) {
            return reader.string().map { .disqualified(disqualifiedCodes[code - disqualifiedStart], branch: $0) }
        }
        switch UInt64(code) {
        case wasEnrolledCode:
            guard let branch = reader.string(), let milliseconds = reader.signed() else { return nil }
            return .wasEnrolled(branch: branch, endedAt: Timestamp(milliseconds: milliseconds))
        case errorCode: return reader.string().map { .error($0) }
        default: return nil
        }
    }
}
