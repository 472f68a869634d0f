internal import JEXL

extension CompiledExpression {
    /// Whether the expression reads the client's enrollments.
    var readsEnrollments: Bool { identifiers.contains(where: SDKAttributes.ofEnrollments.contains) }

    /// Whether the context alone decides the outcome: the expression reads no event, no clock, and nothing else that
    /// differs between clients of one context.
    var isDecidedByContext: Bool { readsNothingOfClients { _ in false } }

    /// The same, except that the expression may read whether the client is in the recipe that it targets.
    var isDecidedByContextAndEnrollment: Bool { readsNothingOfClients { $0 == SDKAttributes.isAlreadyEnrolled } }

    private func readsNothingOfClients(except isExcepted: (String) -> Bool) -> Bool {
        !usesEventQueries
            && identifiers.allSatisfy { isExcepted($0) || !SDKAttributes.derivedPerClient.contains($0) }
    }
}
