internal import BellwetherBase
public import BellwetherJSON

extension Manifest {
    static let keys: Set<Identifier> = [
        "app_name", "channel", "short_name", "deep_link_scheme", "default_locale", "dialect", "attributes", "surfaces",
        "privacy", "messaging", "features", "pacing", "app_id", "application_ids", "collections",
        "theme", "web", "personas", "events", "notices",
    ]
    private static let maximumPersonas = 50

    /// Reads a manifest and reports every fault; nil if there was one.
    ///
    /// A wrong type in one of Bellwether's own fields is a fault. Inside `messaging` the SDK's tolerance applies: see
    /// `MessagingReading`.
    public static func read(_ value: JSONValue, findings: Findings) -> Manifest? {
        let reader = JSONReader(value, findings: findings)
        guard reader.object() != nil else { return nil }
        let faultsBefore = findings.faults.count
        reader.tolerant.refuseUnknown(keys: keys)
        let appName = reader.required("app_name")?.string(length: 1...200)
        let locale = reader.required("default_locale").flatMap(readLocale)
        let surfaces = reader.required("surfaces").flatMap(readSurfaces)
        let dialect = reader.optional("dialect").map { $0.choice(Dialect.self) } ?? .ios
        let attributes = readAttributes(reader.optional("attributes"))
        let events =
            reader.optional("events").map {
                EventDeclaration.readAll($0.value, at: $0.pointer, findings: findings)
            } ?? [:]
        let identity = readIdentity(reader)
        let privacy = reader.optional("privacy").flatMap(readPrivacy)
        let channel = reader.optional("channel")?.string(length: 1...100)
        let shortName = reader.optional("short_name")?.string(length: 1...200)
        let scheme = reader.optional("deep_link_scheme").flatMap(readScheme)
        let vocabulary = MessagingVocabulary(
            dialect: dialect ?? .ios, surfaces: surfaces ?? [], attributes: Set(attributes.keys))
        let messaging = readMessaging(reader.optional("messaging"), vocabulary: vocabulary)
        let pacing = reader.optional("pacing").map { AppPacing($0) }
        let notices = reader.optional("notices").map { AppNotice.readAll($0) } ?? []
        let web = readWeb(reader.optional("web"))
        let theme = reader.optional("theme").flatMap { Theme($0) }
        reader.optional("personas").map(checkPersonas)
        let features = reader.optional("features").map { FeatureDeclaration.readAll($0) } ?? []
        guard findings.faults.count == faultsBefore, let appName, let locale, let surfaces, let dialect else {
            return nil
        }
        return Manifest(
            appName: appName, channel: channel, shortName: shortName ?? appName, deepLinkScheme: scheme,
            defaultLocale: locale, dialect: dialect, attributes: attributes, events: events, surfaces: surfaces,
            privacy: privacy,
            messaging: messaging, features: features, pacing: pacing, notices: notices,
            identity: identity, web: web, theme: theme,
            document: value, vocabulary: vocabulary,
            baseMessaging: JSONPatch.merge(
                vocabulary.reading(messaging), over: BuiltInMessaging.value(dialect: dialect)))
    }

    /// Checks stored requests of explain that have a name. They affect no decision
    /// (docs/reference/http-api.md#personas).
    private static func checkPersonas(_ reader: JSONReader) {
        let personas = reader.members() ?? []
        if personas.count > maximumPersonas {
            reader.finding("length", "an app has at most \(maximumPersonas) personas")
        }
        for (name, question) in personas {
            _ = question.object()
            if !(1...100).contains(name.unicodeScalars.count) {
                question.finding("length", "a persona's name has 1 to 100 characters")
            }
        }
    }

    private static func readLocale(_ reader: JSONReader) -> String? {
        guard let text = reader.string() else { return nil }
        guard LanguageTag(tableName: text) != nil else {
            reader.finding("locale", LanguageTag.refusal(of: text))
            return nil
        }
        return text
    }

    private static func readSurfaces(_ reader: JSONReader) -> [Identifier]? {
        guard let items = reader.elements() else { return nil }
        let names = items.compactMap { $0.string(length: 1...100) }
        if Set(names).count < names.count { reader.finding("duplicate", "a surface is named twice") }
        return names.map { Identifier($0) }
    }

    private static func readScheme(_ reader: JSONReader) -> String? {
        guard let text = reader.string() else { return nil }
        // RFC 3986 3.1: a letter, then letters, digits, "+", "-", ".".
        let isScheme =
            text.utf8.first.map { $0.isASCIILetter } == true
            && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || [0x2B, 0x2D, 0x2E].contains($0) }
        if !isScheme { reader.finding("scheme", "\"\(text)\" is not a URL scheme; write it without \"://\"") }
        return isScheme ? text : nil
    }

    private static func readAttributes(_ reader: JSONReader?) -> [String: AttributeType] {
        var types = SDKAttributes.types
        for (name, type) in reader?.members() ?? [] {
            guard let declared = type.choice(AttributeType.self) else { continue }
            types[name] = declared
            guard let own = SDKAttributes.types[name], own != declared else { continue }
            type.findings.warn(
                "type_mismatch", at: type.pointer,
                "\(name) of the SDK has the type \(own.rawValue): a client that sends it so is refused")
        }
        return types
    }

    private static func readIdentity(_ reader: JSONReader) -> AppIdentity {
        func names(_ key: String) -> [Identifier]? {
            guard let list = reader.optional(key), let items = list.elements() else { return nil }
            if items.count > maximumNames { list.finding("too_many", "at most \(maximumNames) names") }
            return items.prefix(maximumNames).compactMap { $0.identifier(length: 1...200) }
        }
        return AppIdentity(
            appID: reader.optional("app_id")?.identifier(length: 1...200),
            applicationIDs: names("application_ids") ?? [],
            collections: names("collections") ?? ["nimbus-mobile-experiments"])
    }

    private static func readWeb(_ reader: JSONReader?) -> WebPolicy {
        var policy = WebPolicy()
        guard let reader, reader.object() != nil else { return policy }
        reader.refuseUnknown(keys: ["origins", "media_origins"])
        policy.origins = readOrigins(reader.optional("origins"))
        policy.mediaOrigins = readOrigins(reader.optional("media_origins"))
        return policy
    }

    private static func readOrigins(_ reader: JSONReader?) -> [BrowserOrigin] {
        guard let items = reader?.elements() else { return [] }
        if items.count > maximumOrigins { reader?.finding("too_many", "at most \(maximumOrigins) origins") }
        return items.prefix(maximumOrigins).compactMap { item -> BrowserOrigin? in
            guard let text = item.string(length: 1...300) else { return nil }
            do throws(BrowserOrigin.Fault) {
                return try BrowserOrigin(text)
            } catch {
                item.finding("origin", "\"\(text)\" matches no browser: \(error.reason)")
                return nil
            }
        }
    }

    private static let maximumOrigins = 100
    /// The maximum number of applications and of collections. Each collection has a copy of the app's experiments.
    private static let maximumNames = 100

    private static func readPrivacy(_ reader: JSONReader) -> PrivacyLink? {
        reader.own.refuseUnknown(keys: ["base", "path", "fallback", "utm_medium", "utm_source", "utm_campaign"])
        let base = reader.required("base")?.string(length: 1...2000)
        let path = reader.required("path")?.string(length: 0...2000)
        let fallback = reader.required("fallback")?.string(length: 1...2000)
        func parameter(_ key: String) -> String? { reader.optional(key)?.string(length: 0...500) }
        let utm = (parameter("utm_medium"), parameter("utm_source"), parameter("utm_campaign"))
        guard let base, let path, let fallback else { return nil }
        return PrivacyLink(
            base: base, path: path, fallback: fallback, utmMedium: utm.0, utmSource: utm.1, utmCampaign: utm.2)
    }

    private static func readMessaging(_ reader: JSONReader?, vocabulary: MessagingVocabulary) -> JSONObject {
        guard let reader else { return [:] }
        return MessagingReading(vocabulary: vocabulary, extending: BuiltInMessaging.value(dialect: vocabulary.dialect))
            .read(reader) ?? [:]
    }
}

extension UInt8 {
    package var isASCIILetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    package var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
}
