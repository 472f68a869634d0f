internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Reads the facts that a client reports about itself: from a query, or from the `context` of a body.
struct ContextReading {
    let app: AppSnapshot
    let call: Call

    /// The values of a query.
    struct Reading {
        let context: TargetingContext
        let surfaces: [Identifier]
        /// How many attributes are not declared in the manifest.
        let ignored: Int
    }

    /// Reads the query. An attribute gets the type that the manifest declares. An undeclared attribute is ignored, and
    /// may be repeated.
    func readQuery() throws(APIError) -> Reading {
        var attributes: [String: JSONValue] = [:]
        var ignored = 0
        var surfaces: [Identifier] = []
        var locale: LanguageTag?
        let reader = try QueryReader(call, repeatable: isRepeatable)
        for item in reader.items {
            let (name, text) = (item.name, item.value)
            switch name {
            case "client_id", "session_id": break
            case "surface": surfaces.append(Identifier(text))
            case "locale": locale = reader.languageTag(item)
            default:
                guard let type = app.manifest.attributes[name] else {
                    ignored += 1
                    continue
                }
                if let value = type.decode(text) {
                    attributes[name] = value
                } else {
                    reader.fault("type", at: name, "\(name) is not a JSON \(type.rawValue)")
                }
            }
        }
        for surface in surfaces where !app.manifest.surfaces.contains(surface) {
            reader.fault("unknown_surface", at: "surface", Self.noSurface(surface))
        }
        try reader.finish()
        return Reading(context: context(locale, attributes), surfaces: asked(surfaces), ignored: ignored)
    }

    private func isRepeatable(_ name: String) -> Bool {
        switch name {
        case "surface": true
        case "client_id", "user_id", "locale": false
        default: app.manifest.attributes[name] == nil
        }
    }

    /// Reads `{locale, attribute: value, …}`. Attributes that the manifest does not declare are ignored and counted.
    func read(_ reader: JSONReader?) -> TargetingContext {
        let (context, undeclared) = TargetingContext.read(
            reader, manifest: app.manifest, accepted: Self.acceptedLanguage(call, in: app))
        call.worker.meter.count(.ignoredAttributes, undeclared)
        return context
    }

    /// Reads a list of surfaces in a body. The manifest must have each of them.
    func readSurfaces(_ reader: JSONReader?) -> [Identifier] {
        let surfaces = (reader?.elements() ?? []).compactMap { reader -> Identifier? in
            guard let surface = reader.string().map({ Identifier($0) }) else { return nil }
            if !app.manifest.surfaces.contains(surface) { reader.finding("unknown_surface", Self.noSurface(surface)) }
            return surface
        }
        return asked(surfaces)
    }

    /// Each surface once, in the requested order. An empty list requests all surfaces.
    private func asked(_ surfaces: [Identifier]) -> [Identifier] {
        guard !surfaces.isEmpty else { return app.manifest.surfaces }
        var seen: Set<Identifier> = []
        return surfaces.filter { seen.insert($0).inserted }
    }

    /// The language of the app that the request's `Accept-Language` prefers.
    static func acceptedLanguage(_ call: some RoutedRequest, in app: AppSnapshot) -> LanguageTag? {
        call.request.header(.acceptLanguage).flatMap {
            app.strings.language(for: AcceptLanguage(String(decoding: $0, as: UTF8.self)))
        }
    }

    /// The language is `locale`, else `Accept-Language`, else the manifest's default.
    private func context(_ locale: LanguageTag?, _ attributes: [String: JSONValue]) -> TargetingContext {
        TargetingContext(
            requestedLocale: locale ?? Self.acceptedLanguage(call, in: app), defaultLocale: app.manifest.defaultLocale,
            attributes: attributes)
    }

    private static func noSurface(_ name: Identifier) -> String { "the app has no surface \"\(name)\"" }
}
