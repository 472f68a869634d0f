public import BellwetherJSON

/// The attributes of respondents that a recipe stores with its responses (docs/reference/surveys.md#kept-attributes).
public struct KeptAttributes: Sendable, Hashable {
    /// The maximum number of kept attributes of a recipe.
    static let maximum = 10
    /// The maximum number of characters of a text; a longer one is not kept.
    static let maximumLength = 256

    public let names: [Identifier]

    /// Reads the names. The list is empty without the member.
    init(_ reader: JSONReader?) {
        var names: [Identifier] = []
        for element in reader?.own.elements() ?? [] {
            guard let name = element.identifier(length: 1...100) else { continue }
            if names.contains(name) {
                element.finding("duplicate", "the attribute \(element.value.text) is named twice")
            } else if names.count == Self.maximum {
                element.finding("length", "a recipe keeps at most \(Self.maximum) attributes: this one is not kept")
            } else {
                names.append(name)
            }
        }
        self.names = names
    }

    /// Returns the attributes of a respondent that are kept. They are texts, numbers and Booleans.
    public func values(of attributes: JSONObject) -> JSONObject {
        JSONObject(names.compactMap { name in attributes[name].flatMap { Self.isKept($0) ? (name.text, $0) : nil } })
    }

    private static func isKept(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): text.unicodeScalars.count <= maximumLength
        case .null, .array, .object: false
        default: true
        }
    }
}
