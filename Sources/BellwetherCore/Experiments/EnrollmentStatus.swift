public import BellwetherBase
public import BellwetherJSON

/// A client's status in a recipe (docs/reference/experiments.md#enrollment-statuses).
public enum EnrollmentStatus: Sendable, Hashable {
    case enrolled(EnrolledReason, branch: Identifier)
    case notEnrolled(NotEnrolledReason)
    /// The client was enrolled and left; the recipe still exists.
    case disqualified(DisqualifiedReason, branch: Identifier)
    /// The client was enrolled when the recipe ended.
    case wasEnrolled(branch: Identifier, endedAt: Timestamp)
    /// An error. The recipe is evaluated again at the next evolution.
    case error(String)

    public var isEnrolled: Bool { if case .enrolled = self { true } else { false } }

    /// The client's current or former branch.
    public var branch: Identifier? {
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
    /// A person chose the branch. The client leaves it only by an opt-out, or if the branch ends.
    case optIn = "OptIn"
    case firefoxLabsOptIn = "FirefoxLabsOptIn"
}

/// The gate that a client did not pass.
public enum NotEnrolledReason: Sendable, Hashable {
    case differentAppName
    case differentChannel
    case enrollmentsPaused
    /// Another recipe of the same kind holds one of its features.
    case featureConflict(slug: Identifier)
    case notSelected
    case notTargeted
    case experimentsOptOut
    case rolloutsOptOut
    case firefoxLabs
    /// The client opted out of this recipe.
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
    /// The daemon never uses this reason, because it has no preferences.
    case prefUnenrollReason = "PrefUnenrollReason"
    case firefoxLabsOptOut = "FirefoxLabsOptOut"

    /// The reason as change events spell it. The public event does not contain it.
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

    /// Whether a rollout enrolls such a client again once it qualifies. An experiment never does.
    var isReversible: Bool {
        switch self {
        case .notSelected, .notTargeted, .rolloutsOptOut: true
        case .error, .optOut, .experimentsOptOut, .prefUnenrollReason, .firefoxLabsOptOut: false
        }
    }
}
