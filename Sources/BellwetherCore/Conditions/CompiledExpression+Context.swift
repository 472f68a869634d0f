internal import JEXL

extension CompiledExpression {
    /// Whether it may ask what the client is enrolled in.
    var readsEnrollments: Bool { identifiers.contains(where: SDKAttributes.ofEnrollments.contains) }

    /// Whether the context alone decides: no event, no clock, nothing that differs between clients of one context.
    var isDecidedByContext: Bool {
        !usesEventQueries && identifiers.allSatisfy { !SDKAttributes.derivedPerClient.contains($0) }
    }
}
