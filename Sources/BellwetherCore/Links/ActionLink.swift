internal import BellwetherBase
public import BellwetherJSON

/// The link that a press on a message opens: a template and query parameters. Both can contain placeholders for
/// attributes (docs/reference/messaging.md#action-urls).
public struct ActionLink: Sendable {
    public typealias Parameter = (name: String, value: String)

    public let template: String
    /// The parameters, by name in byte order. Upstream uses the arbitrary order of a hash map.
    public let parameters: [Parameter]
    /// The scheme that is put before a template that begins with `://`; nil if the app has none.
    public let scheme: String?
    public let dialect: Dialect

    public init(template: String, parameters: [Parameter], scheme: String?, dialect: Dialect) {
        self.template = template
        self.parameters = parameters.sorted { $0.name.precedes($1.name) }
        self.scheme = scheme
        self.dialect = dialect
    }

    /// Whether a press needs a uuid. All `{uuid}` placeholders share one.
    public var wantsUUID: Bool { Self.wantsUUID(template: template, parameters: parameters) }

    public static func wantsUUID(template: String, parameters: [Parameter]) -> Bool {
        template.contains("{uuid}") || parameters.contains { $0.value.contains("{uuid}") }
    }

    /// The link with all placeholders replaced; nil if the result is not a valid link, which is reported as malformed.
    ///
    /// Query items of the template stay first and unchanged, and the parameters follow them. A fragment stays at the
    /// end. Without parameters nothing is added, not even a `?`.
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

/// The uuid of a press. It is derived, not random, so a poll's response stays the same until the next display
/// (docs/reference/messaging.md#action-uuid).
public enum ActionUUID {
    /// HMAC-SHA256 over the parts that identify the press, formatted as a version 4 UUID in lowercase. Each part has
    /// its length as a prefix, so different presses never have the same input.
    public static func derive(secret: [UInt8], parts: [String]) -> String {
        var text: [UInt8] = []
        for part in parts {
            text += "\(part.utf8.count):".utf8
            text += part.utf8
        }
        let code = HMAC.authenticationCode(for: text, key: secret)
        var bytes = Array(code.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUIDText.format(bytes)
    }
}
