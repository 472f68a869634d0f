internal import BellwetherBase
internal import BellwetherJSON
internal import JEXL

/// The values that targeting can read if Cirrus evaluates it: the request's context over the app's own attributes.
/// There are no transforms.
///
/// `language` and `region` are the parts of the context's `locale`, and null without a locale, unless the context sets
/// them itself. Any other name that was not sent is undefined, also the SDK's names, because a server has no facts
/// about a device.
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

    /// The first two parts of the locale, separated by hyphens. An empty part is null. Without a hyphen, the whole
    /// locale is the language (docs/reference/expressions.md#targeting-context).
    private var languageAndRegion: (language: JSONValue, region: JSONValue) {
        guard let named = context["locale"]?.string else { return (.null, .null) }
        let locale = LanguageTag(named)?.text ?? named
        let parts = locale.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count > 1 else { return (.string(locale), .null) }
        func part(_ index: Int) -> JSONValue { parts[index].isEmpty ? .null : .string(String(Substring(parts[index]))) }
        return (part(0), part(1))
    }

    /// Returns itself, because Cirrus evaluates each recipe separately.
    func with(_ branches: ClientBranches) -> FeatureTargeting { self }

    /// Never called: without transforms there are no event queries.
    func result(of query: EventQuery) -> Double { 0 }

    /// Never called: without transforms there are no samples.
    func hash48(ofJSON text: [UInt8]) -> UInt64 { 0 }
}
