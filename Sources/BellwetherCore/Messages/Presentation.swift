public import BellwetherBase
internal import BellwetherJSON

/// A message as a client of one language displays it, with every string resolved and formatted.
public struct Presentation: Sendable, Hashable {
    public let title: String?
    public let text: String
    /// The locale whose table had the text, or the language of a built-in text. For a literal text it is the locale in
    /// which the rest is served, so that the page has that language's direction.
    public let locale: String
    public let isRightToLeft: Bool
    public let buttonLabel: String?
    public let microsurvey: MicrosurveyPresentation?

    public init(_ message: Message, manifest: Manifest, localizer: Localizer, requestedLocale: LanguageTag?) {
        let definition = message.definition
        let language = Self.builtInLanguage(of: definition, manifest, localizer, requestedLocale)
        let texts = Texts(localizer: localizer, shortName: manifest.shortName, language: LanguageTag(language))
        let found = localizer.resolve(definition.text).locale
        let isBuiltIn = found == nil && InterfaceText.isID(definition.text)
        let locale = found ?? (isBuiltIn ? language : localizer.servedLocale ?? manifest.defaultLocale)
        text = texts.resolve(definition.text)
        self.locale = locale
        isRightToLeft = localizer.isRightToLeft(locale)
        let kind = message.facts.kind
        title = (definition.title ?? kind.defaultTitle).map(texts.resolve)
        buttonLabel = (definition.buttonLabel ?? kind.defaultButtonLabel).map(texts.resolve)
        microsurvey = kind.sheet(of: definition, question: self.text, texts: texts) {
            manifest.privacy?.url(
                requestedLocale: requestedLocale?.text, utmContent: definition.microsurvey.utmContent)
        }
    }

    /// The language of the message's built-in words: that of its author's words, else the reader's. Literal words are
    /// in the app's language (docs/reference/surveys.md#words-of-an-offer).
    private static func builtInLanguage(
        of definition: MessageDefinition, _ manifest: Manifest, _ localizer: Localizer, _ requested: LanguageTag?
    ) -> String {
        let words = [definition.text, definition.title, definition.buttonLabel].compactMap(\.self)
        let found = words.lazy.compactMap { localizer.resolve($0).locale }.first
        if let found { return found }
        guard words.allSatisfy(InterfaceText.isID) else { return manifest.defaultLocale }
        return requested.flatMap(InterfaceText.language) ?? localizer.servedLocale ?? manifest.defaultLocale
    }
}

/// The survey's sheet (docs/reference/messaging.md#microsurveys).
public struct MicrosurveyPresentation: Sendable, Hashable {
    public let question: String
    public let icon: String
    /// The options. An option's id is its index here.
    public let options: [String]
    public let header: String
    public let submitLabel: String
    public let privacyLabel: String
    public let privacyURL: String?
    public let confirmationHeader: String
    public let confirmationText: String

    init(_ definition: MicrosurveyDefinition, question: String, texts: Texts, privacyURL: String?) {
        self.question = question
        icon = definition.icon
        options = definition.options.map { texts.resolve($0.text) }
        header = texts.resolve(MicrosurveyStrings.Key.header.id)
        submitLabel = texts.resolve(MicrosurveyStrings.Key.submitButton.id)
        privacyLabel = texts.resolve(MicrosurveyStrings.Key.privacyLink.id)
        self.privacyURL = privacyURL
        confirmationHeader = texts.resolve(MicrosurveyStrings.Key.confirmationHeader.id)
        confirmationText = texts.resolve(MicrosurveyStrings.Key.confirmationText.id)
    }
}

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
