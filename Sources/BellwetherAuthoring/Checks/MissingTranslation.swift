public import BellwetherBase
public import BellwetherJSON

/// A text of a document that clients of some locales would get in another language.
public struct MissingTranslation: Sendable, Hashable {
    public let pointer: JSONPointer
    /// The id of the text in the string tables.
    public let id: String
    public let locales: [String]

    /// All missing translations of a document, in the document's order.
    public static func all(in document: JSONValue, _ strings: StringTables) -> [MissingTranslation] {
        var search = Search(strings: strings)
        search.look(at: document, .root)
        return search.found
    }

    /// The number of texts that each locale lacks, plain texts included. Each text counts once. In byte order, without
    /// zeros.
    public static func counts(in document: JSONValue, _ strings: StringTables) -> [(locale: String, texts: Int)] {
        var ids: [String: Set<Identifier>] = [:]
        for text in all(in: document, strings) {
            for locale in text.locales { ids[locale, default: []].insert(Identifier(text.id)) }
        }
        let plain = PlainText.all(in: document, strings)
        for locale in PlainText.locales(of: strings) where !plain.isEmpty {
            ids[locale, default: []].formUnion(plain.map { Identifier($0.text) })
        }
        return ids.map { ($0.key, $0.value.count) }.sorted { $0.0.precedes($1.0) }
    }

    private struct Search {
        let strings: StringTables
        var found: [MissingTranslation] = []

        mutating func look(at value: JSONValue, _ pointer: JSONPointer) {
            switch value {
            case .array(let values):
                for (index, value) in values.enumerated() { look(at: value, pointer.appending(index)) }
            case .object(let members):
                for (key, value) in members { look(at: value, pointer.appending(key)) }
            // An id consists of a table and a key.
            case .string(let text) where text.utf8.contains(UInt8(ascii: "/")):
                guard case .missing(let locales) = strings.coverage(of: text) else { return }
                found.append(MissingTranslation(pointer: pointer, id: text, locales: locales))
            default: break
            }
        }
    }
}
