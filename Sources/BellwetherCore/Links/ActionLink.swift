public import BellwetherJSON

/// The link that pressing a message opens: a template and query parameters, all with attributes to fill in
/// (docs/reference/messaging.md#action-urls).
public struct ActionLink: Sendable {
    public typealias Parameter = (name: String, value: String)

    public let template: String
    /// By name, in byte order: upstream's order is that of a hash map.
    public let parameters: [Parameter]
    /// The scheme that completes a template which begins with `://`; nil where the app has none.
    public let scheme: String?
    public let dialect: Dialect

    public init(template: String, parameters: [Parameter], scheme: String?, dialect: Dialect) {
        self.template = template
        self.parameters = parameters.sorted { $0.name.precedes($1.name) }
        self.scheme = scheme
        self.dialect = dialect
    }

    /// Whether a press needs a uuid: one is shared by all placeholders that ask for it.
    public var wantsUUID: Bool { Self.wantsUUID(template: template, parameters: parameters) }

    public static func wantsUUID(template: String, parameters: [Parameter]) -> Bool {
        template.contains("{uuid}") || parameters.contains { $0.value.contains("{uuid}") }
    }

    /// The link with everything filled in; nil where no link can be built of it, which is reported as malformed.
    ///
    /// Query items that the template has stay first and as they are, then the parameters follow; a fragment stays at
    /// the end. Without parameters nothing is added, not even a `?`.
    public func url(uuid: String?, value: (String) -> JSONValue?) -> String? {
        func fill(_ text: String) -> String { AttributeSubstitution.apply(text, uuid: uuid, value: value) }
        var text = fill(template)
        if text.utf8.starts(with: "://".utf8) {
            guard let scheme else { return nil }
            text = scheme + text
        }
        guard var link = LinkText(text) else { return nil }
        link.append(
            items: parameters.map { name, value in
                switch dialect {
                case .ios: PercentEncoding.iosQueryItem(name) + "=" + PercentEncoding.iosQueryItem(fill(value))
                case .android: name + "=" + PercentEncoding.androidQueryValue(fill(value))
                }
            })
        return link.text
    }
}
