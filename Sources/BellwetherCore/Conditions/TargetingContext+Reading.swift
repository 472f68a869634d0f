public import BellwetherBase
public import BellwetherJSON

extension TargetingContext {
    /// Reads the client's description of itself, `{locale, attribute: value, …}` (docs/reference/http-api.md#the-poll).
    /// An attribute whose type differs from the manifest's declaration is a finding. Attributes that the manifest does
    /// not declare are left out and counted.
    ///
    /// `accepted` is the language that is used if the object names none.
    public static func read(
        _ reader: JSONReader?, manifest: Manifest, accepted: LanguageTag? = nil
    ) -> (context: TargetingContext, undeclared: Int) {
        var attributes: [String: JSONValue] = [:]
        var locale: LanguageTag?
        var counters: ReportedCounters?
        var undeclared = 0
        for (name, value) in reader?.members() ?? [] {
            if name == "locale" {
                if value.value != .null { locale = value.languageTag() }
                continue
            }
            guard let type = manifest.attributes[name] else {
                if name == "counters" {
                    counters = ReportedCounters(value)
                    continue
                }
                undeclared += 1
                continue
            }
            if type.admits(value.value) {
                attributes[name] = value.value
            } else {
                value.finding("type", "\(name) is declared as \(type.rawValue), this is a \(value.value.typeName)")
            }
        }
        let context = TargetingContext(
            requestedLocale: locale ?? accepted, defaultLocale: manifest.defaultLocale, attributes: attributes,
            counters: counters)
        return (context, undeclared)
    }
}
