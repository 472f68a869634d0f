internal import BellwetherJSON
internal import JEXL

/// The values that targeting can read where Cirrus evaluates it: the request's context over the app's own attributes,
/// and no transform.
///
/// `language` and `region` are the parts of the context's `locale`, null without one, unless the context says them
/// itself. Any other name that was not sent is undefined, the SDK's too: a server knows nothing of a device.
struct FeatureTargeting: EvolvingEnvironment {
    let app: JSONObject
    let context: JSONObject

    var registersTransforms: Bool { false }

    func value(of identifier: String) -> JSONValue? {
        if let value = context[identifier] { return value }
        if let value = app[identifier] { return value }
        return switch identifier {
        case "language": languageAndRegion.language
        case "region": languageAndRegion.region
        default: .none
        }
    }

    /// The first two parts between hyphens, an empty one null; without a hyphen the whole is the language
    /// (docs/reference/expressions.md#targeting-context).
    private var languageAndRegion: (language: JSONValue, region: JSONValue) {
        guard let locale = context["locale"]?.string else { return (.null, .null) }
        let parts = locale.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count > 1 else { return (.string(locale), .null) }
        func part(_ index: Int) -> JSONValue { parts[index].isEmpty ? .null : .string(String(Substring(parts[index]))) }
        return (part(0), part(1))
    }

    /// Cirrus evaluates each recipe by itself.
    func with(_ branches: ClientBranches) -> FeatureTargeting { self }

    /// Never asked: without transforms there are no event queries,
    func result(of query: EventQuery) -> Double { 0 }

    /// nor samples.
    func hash48(ofJSON text: [UInt8]) -> UInt64 { 0 }
}
