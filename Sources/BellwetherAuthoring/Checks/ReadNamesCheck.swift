internal import BellwetherCore
internal import BellwetherJSON
internal import JEXL
internal import Surveys

/// Warnings about segments, lists and facts that do not exist, where conditions and predicates read them.
/// `ExpressionCheck` has those of triggers, targeting and segments (docs/findings.md#expressions).
struct ReadNamesCheck {
    let manifest: Manifest
    let context: CheckContext
    let findings: Findings

    func check(_ recipe: Recipe) {
        var context = context
        context.facts?.formUnion(DeclaredFacts.names(in: recipe.document))
        for predicate in recipe.document.object?["predicates"]?.object ?? [:] {
            guard let source = predicate.value.string else { continue }
            let place = JSONPointer(tokens: ["predicates", predicate.key])
            context.checkNames(of: source, under: manifest, at: place, findings: findings)
        }
        let scope = context.scope(under: manifest)
        guard !scope.attributes.contains(.segment) else { return }
        for (name, place) in AudienceReferences.segments(inConditionsOf: recipe.document) {
            guard scope.segments[name] == nil else { continue }
            findings.warn(
                "unknown_segment", at: place, "no segment \"\(name)\" is live: the condition reads false")
        }
    }
}
