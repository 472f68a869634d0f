public import BellwetherJSON

/// The type that a manifest declares for an attribute. It decides how a query's text is parsed, and which values a
/// context may have.
public enum AttributeType: String, Sendable, Hashable, CaseIterable {
    case string, number, boolean, object, array

    /// Parses the text of a query parameter; nil if it is not of this type (docs/reference/http-api.md#the-poll).
    public func decode(_ text: String) -> JSONValue? {
        guard self != .string else { return .string(text) }
        // JSON allows white space around a document, but an attribute may have none.
        guard let first = text.utf8.first, let last = text.utf8.last, first > 0x20, last > 0x20 else { return nil }
        guard let value = try? JSONValue(parsing: text, limits: .attribute), admits(value), value != .null else {
            return nil
        }
        return value
    }

    /// Whether a value has this type. Null has every type: it says that the client has no such attribute.
    public func admits(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (_, .null), (.string, .string), (.number, .integer), (.number, .number), (.boolean, .bool),
            (.object, .object), (.array, .array):
            true
        default: false
        }
    }
}

extension JSONLimits {
    /// The limits for an attribute in a query, which the limit of the request target already keeps short.
    static let attribute = {
        var limits = JSONLimits.standard
        limits.depth = 16
        limits.bytes = 8192
        limits.values = 1000
        return limits
    }()
}
