public import BellwetherBase
public import BellwetherJSON

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
