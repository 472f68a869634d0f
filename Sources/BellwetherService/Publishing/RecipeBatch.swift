internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// A batch of recipes, in the form of Remote Settings' own tools: `{"data": [recipe, …]}`
/// (docs/reference/http-api.md#batches).
///
/// A fault of the envelope refuses the whole batch; a fault of an entry refuses only that entry.
struct RecipeBatch {
    /// The maximum number of recipes in one request.
    static let maximum = 1000

    struct Entry {
        let slug: Identifier?
        /// The recipe as its author wrote it.
        let text: [UInt8]
        /// The reason why the entry names no valid recipe; nil if it names one.
        let refusal: PublishRefusal?
        var isDraft = false
        /// Whether it is a stored recipe, with no changes except the daemon's own.
        var isStored = false
        /// The author of a stored draft; nil for the author of the request.
        var author: String?
    }

    let entries: [Entry]
    /// The flow that becomes the app's active one; nil if the active flow stays the same.
    let activeFlow: Identifier?

    /// The limits apply to one recipe; the envelope adds two levels.
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
        guard reader.object() != nil, let location = reader.required("slug"), let slug = location.identifier() else {
            return Entry(slug: nil, text: text, refusal: .envelope(findings.faults))
        }
        if !slug.text.isIdentifier { location.finding("identifier", "a slug is 1 to 128 printable characters") }
        return Entry(slug: slug, text: text, refusal: findings.faults.isEmpty ? nil : .envelope(findings.faults))
    }
}

/// The outcome of one recipe of a batch.
public struct RecipeResult: Sendable {
    /// Nil if the entry names none.
    public let slug: Identifier?
    public let outcome: Result<PublishReceipt, PublishRefusal>

    public var isRefused: Bool { (try? outcome.get()) == nil }
}
