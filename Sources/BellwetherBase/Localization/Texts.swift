/// Resolves string ids, and replaces `%@` by the app's short name.
public struct Texts: Sendable {
    let localizer: Localizer
    let shortName: String
    /// The language of built-in texts of the interface.
    let language: LanguageTag?

    /// - Parameter language: By default the language in which the localizer serves.
    public init(localizer: Localizer, shortName: String, language: LanguageTag? = nil) {
        (self.localizer, self.shortName) = (localizer, shortName)
        self.language = language ?? localizer.servedLocale.flatMap { LanguageTag($0) }
    }

    public func resolve(_ text: String) -> String {
        let found = localizer.resolve(text)
        let builtIn = found.locale == nil ? InterfaceText.text(of: text, in: language) : nil
        return format(builtIn ?? found.text)
    }

    func format(_ text: String) -> String { TextFormat.apply(text, arguments: [shortName]) }
}
