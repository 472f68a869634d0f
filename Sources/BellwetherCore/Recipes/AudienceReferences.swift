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
            names.formUnion(Self.segments(inConditionsOf: recipe.document).map { "segment.\($0)" })
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

    /// The names of the segments that conditions in a document read as facts.
    public static func segments(inConditionsOf document: JSONValue) -> Set<String> {
        var names: Set<String> = []
        for item in document.array ?? [] { names.formUnion(segments(inConditionsOf: item)) }
        for member in document.object ?? [:] {
            if references.contains(member.key), let text = member.value.string {
                if let (word, name) = AudienceScope.parts(of: text), word == .segment { names.insert(name) }
            } else {
                names.formUnion(segments(inConditionsOf: member.value))
            }
        }
        return names
    }

    /// The keys of conditions that name a fact.
    private static let references: Set<String> = ["ref", "value_ref", "trait", "field"]
}
