/// Why a message is, or is not, what its surface shows: the first reason in the order of selection (api.md 3).
public enum Verdict: String, Sendable, Hashable, CaseIterable {
    case malformed
    case wrongSurface = "wrong_surface"
    case expired
    case interacted
    case triggerFalse = "trigger_false"
    case triggerError = "trigger_error"
    case excluded
    case excludeError = "exclude_error"
    /// Eligible, and the one that is shown.
    case selected
    /// A control that was reached: counted as shown, never displayed.
    case control
    /// Eligible, but another message of its surface stands before it.
    case outranked
    /// Eligible, but a control before it shows none (`on-control`).
    case blockedByControl = "blocked_by_control"
    /// Eligible, its rank not yet looked at.
    case eligible
}

/// Whether one message could be shown to one client, before its rank is looked at.
public enum Eligibility: Sendable, Hashable {
    case eligible
    case expired
    case interacted
    case triggerFalse
    case triggerError
    case excluded
    case excludeError

    public var verdict: Verdict {
        switch self {
        case .eligible: .eligible
        case .expired: .expired
        case .interacted: .interacted
        case .triggerFalse: .triggerFalse
        case .triggerError: .triggerError
        case .excluded: .excluded
        case .excludeError: .excludeError
        }
    }
}
