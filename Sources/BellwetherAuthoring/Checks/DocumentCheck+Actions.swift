internal import BellwetherCore
internal import BellwetherJSON

/// Placeholders in action URLs that no attribute can fill.
extension DocumentCheck {
    func checkActions(of value: LocatedMessaging) {
        for (_, location) in value.entries(of: "actions") {
            checkTemplate(value.text(at: location), at: location.pointer)
        }
        for message in value.messages {
            if let location = message.field("action"), let action = message.text(at: location), action.contains("://") {
                checkTemplate(action, at: location.pointer)
            }
            guard let parameters = message.field("action-params"), parameters.value.object != nil else { continue }
            for (_, location) in parameters.members() ?? [] {
                checkTemplate(message.text(at: location), at: location.pointer)
            }
        }
    }

    private func checkTemplate(_ template: String?, at location: JSONPointer) {
        for name in template.map(AttributeSubstitution.names) ?? [] where name.isAttributeName {
            switch manifest.attributes[name] {
            case .string, .number, .boolean: break
            case .array, .object:
                findings.warn(
                    "unknown_attribute", at: location,
                    "\"{\(name)}\" stays as it is: \"\(name)\" is declared as an array or an object")
            case nil:
                findings.warn(
                    "unknown_attribute", at: location,
                    "\"{\(name)}\" stays as it is: the manifest declares no attribute \"\(name)\"")
            }
        }
    }
}

extension AttributeSubstitution {
    /// The names in a template, except `uuid`.
    static func names(in template: String) -> [String] {
        var names: [String] = []
        _ = apply(template, uuid: nil) { name in
            names.append(name)
            return nil
        }
        return names
    }
}

extension String {
    /// Whether the text could be an identifier. Braces around any other text are probably literal braces.
    fileprivate var isAttributeName: Bool {
        !isEmpty && utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
            && !(utf8.first?.isASCIIDigit ?? false)
    }
}
