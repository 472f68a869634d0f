public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Surveys

/// A text of a recipe that is no id of the string tables, so that clients of all languages get it as it is.
public struct PlainText: Sendable, Hashable {
    public let pointer: JSONPointer
    public let text: String

    /// The plain texts of a document, in its order; none if the app has tables in one language only. Names of
    /// questionnaires are for owners, and texts of flows have their own languages.
    public static func all(in document: JSONValue, _ strings: StringTables) -> [PlainText] {
        guard !locales(of: strings).isEmpty else { return [] }
        return readers(of: JSONReader(document, findings: Findings())).compactMap { reader in
            guard let text = reader.value.string, text.contains(where: \.isLetter),
                strings.coverage(of: text) == .literal
            else { return nil }
            return PlainText(pointer: reader.pointer, text: text)
        }
    }

    /// One note for all plain texts of a document; nil if it has none. They work, so they are no warning.
    public static func note(in document: JSONValue, _ strings: StringTables) -> Finding? {
        let texts = all(in: document, strings)
        guard let first = texts.first else { return nil }
        let locales = locales(of: strings).listed(atMost: 8)
        let rest = texts.count == 1 ? "" : ", and \(texts.count - 1) more like it"
        return Finding(
            pointer: first.pointer, code: "plain_text",
            message: "the text is no id, so it has no translation for \(locales)\(rest)")
    }

    /// The locales whose clients read a plain text in another language: those of other languages than the default.
    public static func locales(of strings: StringTables) -> [String] {
        let own = LanguageTag(strings.defaultLocale).map { LanguageIdentity($0) }
        return strings.localeNames.filter { name in
            guard let own, let locale = LanguageTag(name).map({ LanguageIdentity($0) }) else { return false }
            return !locale.isRead(with: own)
        }
    }

    private static func readers(of document: JSONReader) -> [JSONReader] {
        let offer = document.optional("offer")
        let texts = ["title", "text", "button-label"].compactMap { offer?.optional($0) }
        guard let kind = document.value.object?["kind"]?.string.flatMap(ContentKind.init(rawValue:)) else {
            return messages(of: document).flatMap(Self.texts)
        }
        if kind == .flow { return texts }
        let questions = (document.optional("schema") ?? document).optional("questions")
        let keys = DefinitionTexts(kind)
        return [document.optional("description")].compactMap(\.self)
            + [questions, document.optional("submit")].compactMap(\.self).flatMap { keys.texts(in: $0) }
            + (document.optional("strings")?.members() ?? []).map(\.value) + texts
    }

    /// The messages that are shown, of all branches.
    private static func messages(of document: JSONReader) -> [JSONReader] {
        let features = RecipeFeatures.all(in: document.value).filter { RecipeFeatures.isMessaging($0) }
        let values =
            document.value.object?["branches"] == nil ? [document] : features.compactMap { $0.optional("value") }
        return values.flatMap { ($0.optional("messages")?.members() ?? []).map(\.value) }
            .filter { $0.value.object?["is-control"] != true }
    }

    private static func texts(of message: JSONReader) -> [JSONReader] {
        let options = message.optional("microsurveyConfig")?.optional("options")
        return ["title", "text", "button-label"].compactMap { message.optional($0) }
            + (options?.value.array == nil ? [] : options?.elements() ?? [])
    }
}
