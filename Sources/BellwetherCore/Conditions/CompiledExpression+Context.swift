internal import JEXL

extension CompiledExpression {
    /// Whether the context alone decides: no event, no clock, nothing that differs between clients of one context.
    var isDecidedByContext: Bool {
        !usesEventQueries && identifiers.allSatisfy { !SDKAttributes.derivedPerClient.contains($0) }
    }
}
