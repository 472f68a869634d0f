internal import JEXL

extension CompiledExpression {
    /// Whether it may ask what the client is enrolled in.
    var readsEnrollments: Bool { identifiers.contains(where: SDKAttributes.ofEnrollments.contains) }

    /// Whether the context alone decides: no event, no clock, nothing that differs between clients of one context.
    var isDecidedByContext: Bool { readsNothingOfClients { _ in false } }

    /// The same, but for whether the client is in the recipe whose targeting this is.
    var isDecidedByContextAndEnrollment: Bool { readsNothingOfClients { $0 == SDKAttributes.isAlreadyEnrolled } }

    private func readsNothingOfClients(except isExcepted: (String) -> Bool) -> Bool {
        !usesEventQueries
            && identifiers.allSatisfy { isExcepted($0) || !SDKAttributes.derivedPerClient.contains($0) }
    }
}
