public import BellwetherJSON

/// What pressing a message opens: a template and query parameters, all with attributes to fill in
/// (nimbus-messaging.md B "Action URL").
public struct ActionLink: Sendable {
    public typealias Parameter = (name: String, value: String)

    public let template: String
    /// By name, in byte order: upstream's order is that of a hash map.
    public let parameters: [Parameter]
    /// What a template that begins with `://` begins with; nil where the app has none.
    public let scheme: String?
    public let dialect: Dialect

    /// The link where there is nothing to fill in, built once; nil inside where none can be built.
    private var constant: String??

    public init(template: String, parameters: [Parameter], scheme: String?, dialect: Dialect) {
        self.template = template
        self.parameters = parameters.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        self.scheme = scheme
        self.dialect = dialect
        let texts = [template] + parameters.map(\.value)
        let isConstant = !texts.contains { $0.utf8.contains(UInt8(ascii: "{")) }
        if isConstant { constant = .some(build { $0 }) }
    }

    /// Whether a press needs a uuid: one is shared by all places that ask for it.
    public var wantsUUID: Bool { Self.wantsUUID(template: template, parameters: parameters) }

    public static func wantsUUID(template: String, parameters: [Parameter]) -> Bool {
        template.contains("{uuid}") || parameters.contains { $0.value.contains("{uuid}") }
    }

    /// The link with everything filled in; nil where no link can be built of it, which is reported as malformed.
    ///
    /// Query items that the template has stay first and as they are, then the parameters follow; a fragment stays at
    /// the end. Without parameters nothing is added, not even a `?`.
    public func url(uuid: String?, value: (String) -> JSONValue?) -> String? {
        if let constant { return constant }
        return build { AttributeSubstitution.apply($0, uuid: uuid, value: value) }
    }

    private func build(fill: (String) -> String) -> String? {
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
