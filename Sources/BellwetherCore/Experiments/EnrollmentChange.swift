public import BellwetherBase
public import BellwetherJSON

/// A change of an enrollment that is recorded in the log: Glean's `nimbus_events.*`
/// (docs/reference/experiments.md#enrollment-events).
public struct EnrollmentChange: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case enrollment
        case enrollFailed = "enroll_failed"
        case unenrollment
        case disqualification
    }

    public static let category: Identifier = "nimbus_events"
    /// The value of `branch` if none was chosen.
    static let noBranch: Identifier = "N/A"

    public let kind: Kind
    public let slug: Identifier
    /// The branch; nil for a failure before a branch was chosen.
    public let branch: Identifier?
    /// The reason. The event of a disqualification leaves it out.
    public let reason: String?

    init(_ kind: Kind, slug: Identifier, branch: Identifier?, reason: String? = nil) {
        self.kind = kind
        self.slug = slug
        self.branch = branch
        self.reason = reason
    }

    public var name: String { kind.rawValue }

    public var extra: JSONObject {
        var extra: JSONObject = ["experiment": .string(slug)]
        if kind == .enrollFailed, let reason { extra["reason"] = .string(reason) }
        extra["branch"] = .string(branch ?? Self.noBranch)
        if kind == .unenrollment, let reason { extra["reason"] = .string(reason) }
        return extra
    }

    public func record(at: Timestamp, clientID: Identifier) -> TelemetryRecord {
        TelemetryRecord(
            at: at, clientID: clientID, category: Self.category, name: Identifier(name), extra: extra, experiment: slug,
            branch: branch)
    }
}
