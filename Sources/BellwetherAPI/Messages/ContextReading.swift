internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Reads what a client says of itself: from a query, or from the `context` of a body.
struct ContextReading {
    let app: AppSnapshot
    let call: Call

    /// Attributes take the type that the manifest declares; one that is not declared is ignored and counted
    /// (api.md 2.1).
    func readQuery() throws(APIError) -> (TargetingContext, surfaces: [String]) {
        var attributes: [String: JSONValue] = [:]
        var surfaces: [String] = []
        var locale: LanguageTag?
        let findings = Findings()
        for (name, text) in try call.query() {
            switch name {
            case "client_id": break
            case "surface": surfaces.append(text)
            case "locale": locale = tag(text, findings)
            default:
                guard let type = app.manifest.attributes[name] else {
                    call.services.metrics.countIgnoredAttribute()
                    continue
                }
                if let value = type.decode(text) {
                    attributes[name] = value
                } else {
                    findings.fault("type", at: .parameter(name), "\(name) is not a JSON \(type.rawValue)")
                }
            }
        }
        let known = check(surfaces, findings)
        guard findings.faults.isEmpty else { throw .badRequest(findings.faults) }
        return (context(locale, attributes), known)
    }

    /// `{locale, attribute: value, …}`; nil where there is a fault.
    func read(_ reader: JSONReader?) -> TargetingContext {
        var attributes: [String: JSONValue] = [:]
        var locale: LanguageTag?
        for (name, value) in reader?.members() ?? [] {
            if name == "locale" {
                if value.value != .null, let text = value.string() { locale = tag(text, value) }
                continue
            }
            guard let type = app.manifest.attributes[name] else {
                call.services.metrics.countIgnoredAttribute()
                continue
            }
            if type.admits(value.value) {
                attributes[name] = value.value
            } else {
                value.finding("type", "\(name) is declared as \(type.rawValue), this is a \(value.value.typeName)")
            }
        }
        return context(locale, attributes)
    }

    /// The surfaces asked for, each once; none asks for all.
    func check(_ surfaces: [String], _ findings: Findings) -> [String] {
        var known: [String] = []
        for surface in surfaces {
            if !app.manifest.surfaces.contains(surface) {
                findings.fault(
                    "unknown_surface", at: .parameter("surface"), "the app has no surface \"\(surface)\"")
            } else if !known.contains(surface) {
                known.append(surface)
            }
        }
        return surfaces.isEmpty ? app.manifest.surfaces : known
    }

    /// `locale`, else `Accept-Language`, else the manifest's default.
    private func context(_ locale: LanguageTag?, _ attributes: [String: JSONValue]) -> TargetingContext {
        let accepted = call.request.header(.acceptLanguage).flatMap {
            LanguageTag.preferred(acceptLanguage: String(decoding: $0, as: UTF8.self))
        }
        return TargetingContext(
            requestedLocale: locale ?? accepted, defaultLocale: app.manifest.defaultLocale, attributes: attributes)
    }

    private func tag(_ text: String, _ findings: Findings) -> LanguageTag? {
        let tag = LanguageTag(text)
        if tag == nil { findings.fault("locale", at: .parameter("locale"), Self.notTag(text)) }
        return tag
    }

    private func tag(_ text: String, _ reader: JSONReader) -> LanguageTag? {
        let tag = LanguageTag(text)
        if tag == nil { reader.finding("locale", Self.notTag(text)) }
        return tag
    }

    private static func notTag(_ text: String) -> String { "\"\(text)\" is not a language tag such as en-US" }
}
