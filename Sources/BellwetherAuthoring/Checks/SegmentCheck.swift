internal import BellwetherCore
internal import BellwetherJSON
internal import JEXL
internal import Surveys

/// Warnings about segments that are not live, where conditions and predicates read them. `ExpressionCheck` has those of
/// triggers, targeting and segments (docs/findings.md#expressions).
struct SegmentCheck {
    let scope: AudienceScope
    let findings: Findings

    func check(_ recipe: Recipe) {
        guard !scope.attributes.contains(.segment) else { return }
        for (name, place) in AudienceReferences.segments(inConditionsOf: recipe.document) {
            warn(of: name, at: place, "the condition reads false")
        }
        for predicate in recipe.document.object?["predicates"]?.object ?? [:] {
            guard let source = predicate.value.string, let expression = try? CompiledExpression(source, in: scope)
            else { continue }
            let place = JSONPointer(tokens: ["predicates", predicate.key])
            for name in expression.names(after: .segment) {
                warn(of: name, at: place, "the predicate fails where it reads it")
            }
        }
    }

    private func warn(of name: String, at place: JSONPointer, _ consequence: String) {
        guard scope.segments[name] == nil else { return }
        findings.warn("unknown_segment", at: place, "no segment \"\(name)\" is live: \(consequence)")
    }
}
