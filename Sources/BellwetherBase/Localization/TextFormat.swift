/// Inserts arguments into a text, with the two directives that messages use (docs/reference/messaging.md#text-format).
public enum TextFormat {
    /// `%@` is replaced by the next argument, and `%2$@` by the second one. There are no other directives, so "50% off"
    /// stays unchanged. A directive without an argument stays too. Arguments are not searched for directives.
    public static func apply(_ text: String, arguments: [String]) -> String {
        var rest = text[...]
        var output = ""
        var taken = 0
        while let percent = rest.utf8.firstIndex(of: UInt8(ascii: "%")) {
            let afterPercent = rest.utf8.index(after: percent)
            let directive = Directive(rest[afterPercent...].utf8)
            let position = directive.map { $0.position ?? taken }
            if let directive, let position, arguments.indices ~= position {
                output += rest[..<percent]
                output += arguments[position]
                if directive.position == nil { taken += 1 }
                rest = rest[directive.end...]
            } else {
                output += rest[..<afterPercent]
                rest = rest[afterPercent...]
            }
        }
        output += rest
        return output
    }

    /// The directive after a percent sign: `@`, or a number from 1 with `$@`.
    private struct Directive {
        /// The index of the argument, from 0; nil for the next argument.
        let position: Int?
        let end: Substring.UTF8View.Index

        init?(_ text: Substring.UTF8View) {
            let digits = text.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            var rest = text[digits.endIndex...]
            if digits.isEmpty {
                position = nil
            } else {
                guard let number = Int(Substring(digits)), number > 0, rest.popFirst() == UInt8(ascii: "$") else {
                    return nil
                }
                position = number - 1
            }
            guard rest.popFirst() == UInt8(ascii: "@") else { return nil }
            end = rest.startIndex
        }
    }
}
