public import BellwetherBase

/// A client's status in a recipe (docs/reference/experiments.md#enrollment-statuses).
public enum EnrollmentStatus: Sendable, Hashable {
    case enrolled(EnrolledReason, branch: String)
    case notEnrolled(NotEnrolledReason)
    /// It was enrolled and left; the recipe still exists.
    case disqualified(DisqualifiedReason, branch: String)
    /// It was enrolled when the recipe ended.
    case wasEnrolled(branch: String, endedAt: Timestamp)
    /// An error; it is evaluated again at the next evolution.
    case error(String)

    public var isEnrolled: Bool { if case .enrolled = self { true } else { false } }

    /// The branch in which the client is or was.
    public var branch: String? {
        switch self {
        case .enrolled(_, let branch), .disqualified(_, let branch), .wasEnrolled(let branch, _): branch
        case .notEnrolled, .error: nil
        }
    }

    /// The name in Nimbus (docs/reference/experiments.md#enrollment-statuses).
    public var name: String {
        switch self {
        case .enrolled: "Enrolled"
        case .notEnrolled: "NotEnrolled"
        case .disqualified: "Disqualified"
        case .wasEnrolled: "WasEnrolled"
        case .error: "Error"
        }
    }

    /// The reason's name, or an error's text; nil where the status is its own reason.
    public var reason: String? {
        switch self {
        case .enrolled(let reason, _): reason.rawValue
        case .notEnrolled(let reason): reason.name
        case .disqualified(let reason, _): reason.rawValue
        case .wasEnrolled: nil
        case .error(let text): text
        }
    }
}

public enum EnrolledReason: String, Sendable, Hashable, CaseIterable {
    case qualified = "Qualified"
    /// The branch was chosen by a person; nothing but an opt-out, or the branch's end, takes it away.
    case optIn = "OptIn"
    case firefoxLabsOptIn = "FirefoxLabsOptIn"
}

/// The gate that a client did not pass.
public enum NotEnrolledReason: Sendable, Hashable {
    case differentAppName
    case differentChannel
    case enrollmentsPaused
    /// Another recipe of the same kind holds one of its features.
    case featureConflict(slug: String)
    case notSelected
    case notTargeted
    case experimentsOptOut
    case rolloutsOptOut
    case firefoxLabs
    /// This very recipe was opted out of.
    case optOut

    public var name: String {
        switch self {
        case .differentAppName: "DifferentAppName"
        case .differentChannel: "DifferentChannel"
        case .enrollmentsPaused: "EnrollmentsPaused"
        case .featureConflict: "FeatureConflict"
        case .notSelected: "NotSelected"
        case .notTargeted: "NotTargeted"
        case .experimentsOptOut: "ExperimentsOptOut"
        case .rolloutsOptOut: "RolloutsOptOut"
        case .firefoxLabs: "FirefoxLabs"
        case .optOut: "OptOut"
        }
    }
}

public enum DisqualifiedReason: String, Sendable, Hashable, CaseIterable {
    case error = "Error"
    case optOut = "OptOut"
    case experimentsOptOut = "ExperimentsOptOut"
    case rolloutsOptOut = "RolloutsOptOut"
    case notTargeted = "NotTargeted"
    case notSelected = "NotSelected"
    /// Never given by the daemon, which has no preferences.
    case prefUnenrollReason = "PrefUnenrollReason"
    case firefoxLabsOptOut = "FirefoxLabsOptOut"

    /// The reason in the words of change events, which do not carry it outside.
    public var changeReason: String {
        switch self {
        case .error: "error"
        case .optOut: "optout"
        case .experimentsOptOut: "experiments-opt-out"
        case .rolloutsOptOut: "rollouts-opt-out"
        case .notTargeted: "targeting"
        case .notSelected: "bucketing"
        case .prefUnenrollReason: "pref_changed"
        case .firefoxLabsOptOut: "FirefoxLabsOptOut"
        }
    }

    /// Whether a rollout takes such a client back once it qualifies again; an experiment never does.
    var isReversible: Bool {
        switch self {
        case .notSelected, .notTargeted, .rolloutsOptOut: true
        case .error, .optOut, .experimentsOptOut, .prefUnenrollReason, .firefoxLabsOptOut: false
        }
    }
}
