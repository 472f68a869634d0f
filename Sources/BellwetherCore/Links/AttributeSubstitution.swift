public import BellwetherJSON

/// Puts attributes of the client into a template: `{app_version}` (docs/reference/messaging.md#attribute-substitution).
public enum AttributeSubstitution {
    /// Each `{name}` becomes the attribute of that name where it is a boolean, a string or a number; where it is
    /// anything else or missing, `{name}` stays. `{uuid}` becomes the uuid, or stays without one.
    ///
    /// The template is read by grapheme clusters, so a brace that carries a combining mark is no brace. A name runs to
    /// the next `}` (`{a{b}` asks for `a{b`), an unclosed `{` is a character like others, and what was put in is not
    /// read again.
    public static func apply(_ template: String, uuid: String?, value: (String) -> JSONValue?) -> String {
        guard template.utf8.contains(UInt8(ascii: "{")) else { return template }
        var output = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            let afterClose = rest.index(after: close)
            if let text = name == "uuid" ? uuid : value(name).flatMap(text(of:)) {
                output += rest[..<open]
                output += text
            } else {
                output += rest[..<afterClose]
            }
            rest = rest[afterClose...]
        }
        output += rest
        return output
    }

    private static func text(of value: JSONValue) -> String? {
        switch value {
        case .bool, .integer, .unsigned, .number: value.text
        case .string(let text): text
        case .null, .array, .object: nil
        }
    }
}
