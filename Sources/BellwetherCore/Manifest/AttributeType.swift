public import BellwetherJSON

/// The type that a manifest declares for an attribute: how a query's text is read, and what a context may hold.
public enum AttributeType: String, Sendable, Hashable, CaseIterable {
    case string, number, boolean, object, array

    /// Reads the text of a query parameter; nil when it is not of this type (docs/reference/http-api.md#the-poll).
    public func decode(_ text: String) -> JSONValue? {
        guard self != .string else { return .string(text) }
        // JSON allows blanks around a document; an attribute is the value and nothing else.
        guard let first = text.utf8.first, let last = text.utf8.last, first > 0x20, last > 0x20 else { return nil }
        guard let value = try? JSONValue(parsing: text, limits: .attribute), admits(value), value != .null else {
            return nil
        }
        return value
    }

    /// Null is a value of every type: the attribute is known to have none.
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
    /// An attribute in a query: small by the limit on the target already.
    static let attribute = {
        var limits = JSONLimits.standard
        limits.depth = 16
        limits.bytes = 8192
        limits.values = 1000
        return limits
    }()
}
