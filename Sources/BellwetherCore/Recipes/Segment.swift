internal import BellwetherBase
public import BellwetherJSON
public import JEXL

/// A named expression, which other expressions read as `segment.NAME` (docs/reference/audiences.md#segments).
///
/// It is a recipe of its own kind. Clients never see it.
public struct Segment: Sendable, Hashable {
    /// The maximum number of segments of an app.
    public static let maximumNumber = 200

    public let expression: String
    /// The segments that the expression names.
    public let segments: Set<String>

    /// Whether a document declares itself as a segment.
    public static func isSegment(_ document: JSONValue) -> Bool { document.object?["kind"]?.string == kind }

    public static let kind = "segment"

    /// Reads a document under the slug of its publication; nil if there was a fault.
    static func read(_ reader: JSONReader, slug: Identifier, manifest: Manifest) -> Segment? {
        let findings = reader.findings
        let faultsBefore = findings.faults.count
        let root = JSONPointer.root
        if !AudienceScope.isName(slug.text) {
            findings.fault(
                "slug", at: root.appending("slug"),
                "a segment's slug has 1 to 64 of the characters a-z, 0-9 and _, begins with no digit, and is none of "
                    + "true, false, null and in")
        }
        if manifest.audienceScope.attributes.contains(.segment) {
            findings.fault(
                "reserved", at: root.appending("kind"), "the manifest declares an attribute \"segment\"")
        }
        reader.refuseUnknown(keys: ["kind", "slug", "name", "description", "expression"])
        for key in ["name", "description"] { _ = reader.optional(key)?.string() }
        guard let location = reader.required("expression"), let source = location.string() else { return nil }
        guard source.contains(where: { !$0.isWhitespace }) else {
            findings.fault("blank", at: location.pointer, "the expression is empty")
            return nil
        }
        MessagingReading(vocabulary: manifest.vocabulary, extending: [:]).readExpression(source, at: location)
        guard findings.faults.count == faultsBefore,
            let expression = try? CompiledExpression(source, in: manifest.audienceScope)
        else { return nil }
        return Segment(expression: source, segments: Set(expression.names(after: .segment)))
    }
}

extension Manifest {
    /// The meaning of `segment`, `list` and `answer` under this manifest, without any segment.
    public var audienceScope: AudienceScope { vocabulary.audienceScope }
}

extension AudienceScope {
    /// The segments in force among an app's live recipes.
    ///
    /// - Parameter previous: a former scope of the app. If it has the same segments, they are not compiled again.
    public init(_ manifest: Manifest, live: some Sequence<Recipe>, after previous: AudienceScope? = nil) {
        var segments: [String: String] = [:]
        for recipe in live { recipe.segment.map { segments[recipe.slug.text] = $0.expression } }
        self.init(attributes: manifest.audienceScope.attributes, segments: segments, after: previous)
    }
}
