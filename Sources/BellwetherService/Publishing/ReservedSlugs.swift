public import BellwetherJSON

/// Names that no recipe can have: paths of the API have them where others have a slug, `…/recipes/validate`.
///
/// Only what arrives is refused. A recipe that an earlier version took goes on, and can be read and deleted.
public enum ReservedSlugs {
    public static let all: Set<String> = ["forecast", "validate"]

    /// Finding `reserved`, at the document's own slug where it has one.
    public static func check(_ slug: String, of document: JSONValue, findings: Findings) {
        guard all.contains(slug) else { return }
        let place = JSONPointer.root
        findings.fault(
            "reserved", at: document.object?["slug"] == nil ? place : place.appending("slug"),
            "a recipe cannot be named \(slug): that is a path of the API")
    }
}
