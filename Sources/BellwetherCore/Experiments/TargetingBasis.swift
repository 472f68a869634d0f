internal import JEXL

/// What must be known to tell whether a client is targeted.
enum TargetingBasis {
    case context
    /// And whether the client is in that very recipe, for targeting that is sticky.
    case contextAndEnrollment
    /// What else differs between clients, or with time.
    case client

    init(of targeting: CompiledExpression?) {
        guard let targeting, !targeting.isDecidedByContext else {
            self = .context
            return
        }
        self = targeting.isDecidedByContextAndEnrollment ? .contextAndEnrollment : .client
    }
}
