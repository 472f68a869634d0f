public import BellwetherJSON

/// Replaces placeholders such as `{app_version}` by attributes of the client
/// (docs/reference/messaging.md#attribute-substitution).
public enum AttributeSubstitution {
    /// Replaces each `{name}` by the attribute of that name if it is a boolean, a string or a number. Otherwise
    /// `{name}` stays. `{uuid}` is replaced by the uuid, and stays if there is none.
    ///
    /// The template is read by grapheme clusters, so a brace with a combining mark is not a brace. A name extends to
    /// the next `}`: the name in `{a{b}` is `a{b`. An unclosed `{` is an ordinary character. Inserted text is not
    /// scanned again.
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
