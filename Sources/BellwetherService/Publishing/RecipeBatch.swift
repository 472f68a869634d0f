internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// Recipes that arrive together, as Remote Settings' own tools write them: `{"data": [recipe, …]}`
/// (docs/reference/http-api.md#batches).
///
/// A fault of the envelope refuses it whole; a fault of an entry refuses that entry only.
struct RecipeBatch {
    /// How many recipes one request may bring.
    static let maximum = 1000

    struct Entry {
        let slug: String?
        /// As its author wrote it.
        let text: [UInt8]
        /// Why it cannot even be said which recipe it is.
        let refusal: PublishRefusal?
        var isDraft = false
        /// Whether it is stored already, but for what the daemon itself changes.
        var isStored = false
    }

    let entries: [Entry]
    /// The flow that is the app's active one from now on; nil: that stays as it is.
    let activeFlow: String?

    /// The limits are those of one recipe: the envelope is two levels more.
    init(_ text: [UInt8], limits: JSONLimits) throws(PublishRefusal) {
        var limits = limits
        limits.depth += 2
        if let bundle = try FlowBundle(text, limits: limits) {
            (entries, activeFlow) = (bundle.entries, bundle.activeID)
            return
        }
        let values = try Self.values(text, limits: limits)
        guard values.count <= Self.maximum else {
            let message = "a request brings at most \(Self.maximum) recipes, this one \(values.count)"
            throw .faults([Finding(pointer: Self.pointer, code: "too_many", message: message)], warnings: [])
        }
        entries = zip(values, JSONElements.ranges(of: "data", in: text)).map { value, range in
            Self.entry(value, Array(text[range]))
        }
        activeFlow = nil
    }

    private static let pointer = JSONPointer.root.appending("data")

    private static func values(_ text: [UInt8], limits: JSONLimits) throws(PublishRefusal) -> [JSONValue] {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: text, limits: limits)
        } catch {
            throw .malformed(error)
        }
        let findings = Findings()
        let reader = JSONReader(value, findings: findings)
        guard reader.object() != nil, let data = reader.required("data"), data.elements() != nil else {
            throw .envelope(findings.faults)
        }
        return data.value.array ?? []
    }

    private static func entry(_ value: JSONValue, _ text: [UInt8]) -> Entry {
        let findings = Findings()
        let reader = JSONReader(value, findings: findings)
        guard reader.object() != nil, let location = reader.required("slug"), let slug = location.string() else {
            return Entry(slug: nil, text: text, refusal: .envelope(findings.faults))
        }
        if !slug.isIdentifier { location.finding("identifier", "a slug is 1 to 128 printable characters") }
        return Entry(slug: slug, text: text, refusal: findings.faults.isEmpty ? nil : .envelope(findings.faults))
    }
}

/// The outcome of one recipe of a batch.
public struct RecipeResult: Sendable {
    /// Nil where the entry names none.
    public let slug: String?
    public let outcome: Result<PublishReceipt, PublishRefusal>

    public var isRefused: Bool { (try? outcome.get()) == nil }
}
