internal import BellwetherCore
internal import BellwetherJSON

/// Texts that are no text: ids that no table has, and ids that some languages lack.
extension DocumentCheck {
    func checkTexts(of message: LocatedMessage) {
        guard !message.definition.isControl else { return }
        let locations = ["title", "text", "button-label"].compactMap { message.field($0) } + message.options
        for location in locations {
            checkText(message.text(at: location), at: location.pointer)
        }
    }

    func checkText(_ text: String?, at location: JSONPointer) {
        guard let text else { return }
        switch context.strings.coverage(of: text) {
        case .literal, .everywhere: break
        case .unknown:
            findings.warn("unknown_string_id", at: location, "no table has \"\(text)\": people would read just that")
        case .missing(let locales):
            findings.warn(
                "missing_translation", at: location, "\"\(text)\" has no translation for \(locales.listed(atMost: 8))")
        }
    }
}

extension [String] {
    /// `a, b and 3 more`, for people.
    func listed(atMost count: Int) -> String {
        guard self.count > count else { return joined(separator: ", ") }
        return prefix(count).joined(separator: ", ") + " and \(self.count - count) more"
    }
}
