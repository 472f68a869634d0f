public import BellwetherBase
public import BellwetherJSON

/// The description of a client in one request: the requested language and the declared attributes.
///
/// One object for all who hold it: a worker keeps one for each kind of client that polls.
public final class TargetingContext: Sendable {
    /// The language asked for, by parameter or `Accept-Language`; nil when none was.
    public let requestedLocale: LanguageTag?
    /// The language in force: the one asked for, else the manifest's default.
    public let locale: String
    /// Attributes that were sent and are declared.
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

    /// An attribute as an expression reads it; nil is undefined.
    ///
    /// `locale` always exists, `language` and `region` are its parts, and the SDK's other names are null when they were
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
