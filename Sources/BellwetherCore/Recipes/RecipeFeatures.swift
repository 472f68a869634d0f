package import BellwetherJSON

/// Iterates over the features that a recipe's branches set, in the order of its document.
///
/// Reading a recipe, locating its author's text, and finding the messages of a stored revision all use this iteration.
package enum RecipeFeatures {
    /// The features of all branches of a document that was read before, at the locations where its author wrote them.
    /// Nothing is reported.
    package static func all(in document: JSONValue) -> [JSONReader] {
        let branches = JSONReader(document, findings: Findings()).optional("branches")?.elements() ?? []
        return branches.flatMap(locations)
    }

    /// The features of one branch: the list `features`, or the single `feature` of older recipes if there is no list.
    package static func locations(in branch: JSONReader) -> [JSONReader] {
        if let list = branch.tolerant.optional("features"), let items = list.elements() { return items.map(\.strict) }
        return branch.optional("feature").map { [$0] } ?? []
    }

    /// Whether a feature is the messaging feature.
    package static func isMessaging(_ feature: JSONReader) -> Bool {
        feature.value.object?["featureId"]?.identifier == Experiment.messagingFeature
    }
}

extension Recipe {
    /// The messaging value of each branch; nil where a branch has none. A bare messaging value belongs to every branch.
    package var messagingByBranch: [(branch: Identifier, value: JSONObject?)] {
        switch kind {
        case .messaging(let value): [(Self.rolloutBranch, value)]
        case .experiment(let experiment):
            experiment.branches.map { ($0.slug, $0.value(of: Experiment.messagingFeature)) }
        case .segment: []
        }
    }
}
