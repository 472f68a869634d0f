internal import JEXL

/// The facts that a recipe's targeting reads.
enum TargetingBasis {
    case context
    /// The context, and whether the client is in that recipe (sticky targeting).
    case contextAndEnrollment
    /// Facts about the client, or the time.
    case client

    init(of targeting: CompiledExpression?) {
        guard let targeting, !targeting.isDecidedByContext else {
            self = .context
            return
        }
        self = targeting.isDecidedByContextAndEnrollment ? .contextAndEnrollment : .client
    }
}
