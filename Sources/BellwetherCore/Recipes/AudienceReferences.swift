public import BellwetherJSON
internal import JEXL

/// The segments, lists and facts that a document's expressions and conditions name, as they name them:
/// `segment.NAME`, `list.NAME`, `answer.NAME` (docs/reference/audiences.md#what-is-in-use).
public struct AudienceReferences: Sendable, Hashable {
    public private(set) var names: Set<String> = []

    /// Those of a recipe, in all branches.
    public init(of recipe: Recipe, under manifest: Manifest) {
        let scope = manifest.audienceScope
        if let targeting = recipe.experiment?.targeting { note(targeting) }
        if let segment = recipe.segment { note(segment.expression, scope) }
        for value in recipe.messagingByBranch.compactMap(\.value) { note(triggersOf: value, scope) }
        for predicate in recipe.document.object?["predicates"]?.object ?? [:] {
            predicate.value.string.map { note($0, scope) }
        }
        if !scope.attributes.contains(.segment) {
            names.formUnion(Self.segments(inConditionsOf: recipe.document).map { "segment.\($0.name)" })
        }
    }

    /// Those of a manifest's own messages.
    public init(of manifest: Manifest) { note(triggersOf: manifest.messaging, manifest.audienceScope) }

    private mutating func note(triggersOf messaging: JSONObject, _ scope: AudienceScope) {
        for trigger in messaging["triggers"]?.object ?? [:] { trigger.value.string.map { note($0, scope) } }
    }

    private mutating func note(_ source: String, _ scope: AudienceScope) {
        if let expression = try? CompiledExpression(source, in: scope) { note(expression) }
    }

    private mutating func note(_ expression: CompiledExpression) {
        names.formUnion(expression.identifiers.filter { AudienceScope.parts(of: $0) != nil })
    }

    /// The segments that conditions in a document read as facts, with the places of the references.
    public static func segments(inConditionsOf document: JSONValue) -> [(name: String, place: JSONPointer)] {
        var walk = ConditionWalk()
        walk.visit(document, isCondition: false)
        return walk.segments
    }
}

/// Finds the references to segments in the conditions of a document. The limits of JSON bound its depth.
private struct ConditionWalk {
    /// The keys of conditions and of audiences.
    private static let conditions: Set<String> = ["when", "audience_rules"]
    /// The keys in a condition that name a fact.
    private static let references: Set<String> = ["ref", "value_ref", "trait", "field"]

    private(set) var segments: [(name: String, place: JSONPointer)] = []
    private var path: [String] = []

    mutating func visit(_ value: JSONValue, isCondition: Bool) {
        switch value {
        case .array(let items):
            for (index, item) in items.enumerated() { descend(to: String(index), item, isCondition) }
        case .object(let members):
            for (key, member) in members {
                if isCondition, Self.references.contains(key), let text = member.string {
                    guard let (word, name) = AudienceScope.parts(of: text), word == .segment else { continue }
                    segments.append((name, JSONPointer(tokens: path + [key])))
                } else {
                    descend(to: key, member, isCondition || Self.conditions.contains(key))
                }
            }
        default: break
        }
    }

    private mutating func descend(to token: String, _ value: JSONValue, _ isCondition: Bool) {
        path.append(token)
        visit(value, isCondition: isCondition)
        path.removeLast()
    }
}
