public import BellwetherBase
public import BellwetherJSON
internal import JEXL

/// The description of a client in one request: the requested language and the declared attributes.
///
/// The object is shared: a worker keeps one for each distinct context of the clients that poll.
public final class TargetingContext: Sendable {
    /// The language that the request names by parameter or `Accept-Language`; nil if it names none.
    public let requestedLocale: LanguageTag?
    /// The language that is used: the requested one, or the manifest's default.
    public let locale: String
    /// The attributes that the client sent and the manifest declares.
    public let attributes: [String: JSONValue]
    /// The counts of launches that the client reports.
    public let counters: ReportedCounters?

    public init(
        requestedLocale: LanguageTag?, defaultLocale: String, attributes: [String: JSONValue],
        counters: ReportedCounters? = nil
    ) {
        self.counters = counters
        self.requestedLocale = requestedLocale
        locale = requestedLocale?.text ?? defaultLocale
        self.attributes = attributes
    }

    /// The value of an attribute for an expression; nil is undefined.
    ///
    /// `locale` always exists, and `language` and `region` are its parts. The SDK's other names are null if they were
    /// not sent (docs/reference/expressions.md#targeting-context).
    public func value(of name: String) -> JSONValue? {
        if let value = attributes[name] { return value }
        switch name {
        case "locale": return .string(locale)
        case "language": return LanguageTag(locale)?.language.map(JSONValue.string) ?? .null
        case "region": return LanguageTag(locale)?.region.map(JSONValue.string) ?? .null
        default: return SDKAttributes.types[name] == nil ? .none : .some(.null)
        }
    }
}

extension CompiledExpression {
    /// Whether the expression reads the client's enrollments.
    var readsEnrollments: Bool { identifiers.contains(where: SDKAttributes.ofEnrollments.contains) }

    /// Whether the context alone decides the outcome: the expression reads no event, no clock, and nothing else that
    /// differs between clients of one context.
    var isDecidedByContext: Bool { readsNothingOfClients { _ in false } }

    /// The same, except that the expression may read whether the client is in the recipe that it targets.
    var isDecidedByContextAndEnrollment: Bool { readsNothingOfClients { $0 == SDKAttributes.isAlreadyEnrolled } }

    private func readsNothingOfClients(except isExcepted: (String) -> Bool) -> Bool {
        !usesEventQueries
            && identifiers.allSatisfy { name in
                isExcepted(name)
                    || !SDKAttributes.derivedPerClient.contains(name) && AudienceScope.parts(of: name) == nil
            }
    }
}

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
