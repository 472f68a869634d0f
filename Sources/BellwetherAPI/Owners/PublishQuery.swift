internal import BellwetherBase
internal import BellwetherCore
import BellwetherJSON
internal import HTTPWire

/// The query of an owner's write, or of its trial. An unknown parameter is refused: a misspelled `strict` would publish
/// a document that `strict` rejects.
struct PublishQuery {
    /// Whether every warning is a fault (docs/reference/http-api.md#faults-and-warnings).
    private(set) var isStrict = false
    private(set) var isDraft = false
    /// Whether nothing is stored, and only the findings are returned.
    private(set) var isTrial = false
    /// The slug for the trial of a recipe.
    private(set) var slug: Identifier?

    enum Parameter: String {
        case strict, state, slug
        case dryRun = "dry_run"
    }

    init(_ call: some RoutedRequest, _ allowed: Set<Parameter>) throws(APIError) {
        let reader = try QueryReader(call)
        for item in reader.items {
            let (name, value) = (item.name, item.value)
            guard let parameter = Parameter(rawValue: name), allowed.contains(parameter) else {
                reader.refuse(name)
                continue
            }
            switch (parameter, value) {
            case (.strict, "true"): isStrict = true
            case (.strict, "false"): isStrict = false
            case (.strict, _): reader.fault("choice", at: name, "strict is true or false")
            case (.dryRun, "true"): isTrial = true
            case (.dryRun, "false"): isTrial = false
            case (.dryRun, _): reader.fault("choice", at: name, "dry_run is true or false")
            case (.state, "draft"): isDraft = true
            case (.state, "live"): isDraft = false
            case (.slug, _) where value.isIdentifier: slug = Identifier(value)
            case (.slug, _): reader.fault("identifier", at: name, "slug is not 1 to 128 printable characters")
            case (.state, _): reader.fault("choice", at: name, "state is draft or live")
            }
        }
        try reader.finish()
    }
}
