public import BellwetherJSON
internal import JEXL

/// Reads a `messaging` value: a manifest's defaults or a recipe's patch.
///
/// A fault that the SDK tolerates is a warning, because the value is served as the SDK would read it
/// (docs/reference/messaging.md#wrong-types). An expression that does not parse is a fault.
public struct MessagingReading {
    public static var variables: Set<String> { MessagingSchema.variables }

    /// Whether an object has the shape of a messaging value. A list as `messages` or `triggers`, or of other objects,
    /// is one of another system, such as the questions of a survey.
    public static func isMessaging(_ object: JSONObject) -> Bool {
        if let messages = object["messages"], messages.object != nil || messages == .null { return true }
        let isList = ["messages", "triggers"].contains { object[$0]?.array != nil }
        return variables.contains { object[$0] != nil } && !isList && !hasForeignList(object)
    }

    /// Whether a member that no recipe has is a list of objects, such as questions.
    static func hasForeignList(_ object: JSONObject) -> Bool {
        object.contains { key, value in
            !variables.contains(key) && !Recipe.membersForOwners.contains(key)
                && value.array?.contains { $0.object != nil } == true
        }
    }

    let vocabulary: MessagingVocabulary
    /// The lower layers, whose triggers, styles and actions the value may use.
    let base: JSONObject
    /// The recipe's slug, which replaces `{experiment}`; nil in a manifest.
    let slug: Identifier?

    public init(vocabulary: MessagingVocabulary, extending base: JSONObject, slug: Identifier? = nil) {
        self.vocabulary = vocabulary
        self.base = base
        self.slug = slug
    }

    /// The value with its aliases normalised and `{experiment}` replaced; nil when it is not an object.
    ///
    /// Values of the wrong type are still in it, because a later recipe can replace them; see `CatalogVariants`.
    ///
    /// - Parameter isOwn: whether the value uses Bellwether's own vocabulary. Each mistake is then a finding of its
    ///   own.
    public func read(_ reader: JSONReader, isOwn: Bool = false) -> JSONObject? {
        guard reader.object() != nil else { return nil }
        let written = isOwn ? reader.own : reader.tolerant
        guard let normal = vocabulary.shape.normalised(written).object else { return nil }
        vocabulary.shape.check(written)
        readTriggers(written.optional("triggers"))
        let value = slug.map { ExperimentSubstitution.apply(slug: $0, to: normal) } ?? normal
        let check = MessageCheck(
            vocabulary: vocabulary, names: MessagingNames(patch: vocabulary.reading(value), base: base), slug: slug)
        for (key, message) in entries("messages", of: written) { check.check(message, key: key) }
        for (_, style) in entries("styles", of: written) { style.optional("pacing").map { Pacing.check($0.own) } }
        return value
    }

    private func entries(_ key: String, of reader: JSONReader) -> [(key: String, value: JSONReader)] {
        guard let location = reader.optional(key), location.value.object != nil else { return [] }
        return location.members() ?? []
    }

    private func readTriggers(_ reader: JSONReader?) {
        guard let reader, reader.value.object != nil else { return }
        for (_, trigger) in reader.members() ?? [] {
            guard let source = trigger.value.string else { continue }
            readExpression(ExperimentSubstitution.replace(in: source, slug: slug), at: trigger)
        }
    }

    /// Reports the faults of an expression: a fault if it does not parse, otherwise warnings at the location.
    func readExpression(_ source: String, at location: JSONReader) {
        do {
            let expression = try CompiledExpression(source, in: vocabulary.audienceScope)
            for name in expression.identifiers
            where !vocabulary.attributes.contains(name) && AudienceScope.parts(of: name) == nil {
                location.finding("undeclared_identifier", "\"\(name)\" is no attribute that the manifest declares")
            }
            for name in expression.transforms where !CompiledExpression.ownTransforms.contains(name) {
                location.finding("unknown_transform", "there is no transform \"\(name)\"")
            }
            readConstant(expression.constant, at: location)
        } catch {
            let offset = error.offset.map { " (at byte \($0))" } ?? ""
            location.findings.fault("jexl_\(error.kind.rawValue)", at: location.pointer, "\(error.message)\(offset)")
        }
    }

    private func readConstant(_ constant: Result<JSONValue, JEXLError>?, at location: JSONReader) {
        switch constant {
        case nil, .success(.bool): break
        case .success(let value):
            location.finding(
                "not_boolean", "the expression is always \(value.text), which is no boolean: never eligible")
        case .failure(let error):
            location.finding("always_fails", "the expression always fails: \(error.message)")
        }
    }
}
