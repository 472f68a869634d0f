internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// A person for a preview: one of the manifest's explain requests (docs/reference/http-api.md#personas).
struct Persona {
    /// The attributes that the manifest declares.
    let attributes: JSONObject
    let locale: LanguageTag?
    let now: Timestamp?

    /// Nil if the manifest has no persona of this name. Unreadable members of its request count as missing.
    init?(_ name: String, in app: AppSnapshot) {
        guard let question = Self.all(in: app)[name]?.object else { return nil }
        let context = question["context"].map { JSONReader($0, findings: Findings()) }
        let (read, _) = TargetingContext.read(context, manifest: app.manifest)
        attributes = JSONObject(
            read.attributes.sorted { $0.key.precedes($1.key) }.map { (key: $0.key, value: $0.value) })
        locale = question["context"]?.object?["locale"]?.string.flatMap { LanguageTag($0) }
        now = question["now"]?.string.flatMap { Timestamp(rfc3339: $0) }
    }

    static func names(in app: AppSnapshot) -> [String] { Array(all(in: app).keys) }

    private static func all(in app: AppSnapshot) -> JSONObject {
        app.manifest.document.object?["personas"]?.object ?? [:]
    }
}
