internal import BellwetherJSON
internal import JEXL

/// The values that a recipe's targeting can read: the values that triggers read, and whether the client is enrolled in
/// this recipe. The latter makes targeting sticky: `(is_already_enrolled) || (…)`
/// (docs/reference/experiments.md#transitions).
struct TargetingEnvironment<Base: JEXLEnvironment>: JEXLEnvironment {
    let base: Base
    let isAlreadyEnrolled: Bool

    func value(of identifier: String) -> JSONValue? {
        identifier == SDKAttributes.isAlreadyEnrolled ? .bool(isAlreadyEnrolled) : base.value(of: identifier)
    }

    var registersTransforms: Bool { base.registersTransforms }

    func result(of query: EventQuery) -> Double { base.result(of: query) }

    func hash48(ofJSON text: [UInt8]) -> UInt64 { base.hash48(ofJSON: text) }

    func transform(
        _ name: String, subject: JSONValue, arguments: [JSONValue]
    ) throws(TransformFailure) -> JSONValue? {
        try base.transform(name, subject: subject, arguments: arguments)
    }
}

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
