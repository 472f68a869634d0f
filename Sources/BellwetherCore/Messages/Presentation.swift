public import BellwetherBase
public import BellwetherJSON

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

    /// Reads the sheet of a message as a poll serves it; nil if it is none (docs/reference/http-api.md#the-poll).
    public init?(_ json: JSONValue) {
        guard let question = json["question"].string, let options = json["options"].array else { return nil }
        self.question = question
        self.options = options.map { $0["text"].string ?? "" }
        icon = json["icon"].string ?? ""
        header = json["header"].string ?? ""
        submitLabel = json["submit_label"].string ?? ""
        privacyLabel = json["privacy_label"].string ?? ""
        privacyURL = json["privacy_url"].string
        confirmationHeader = json["confirmation"]["header"].string ?? ""
        confirmationText = json["confirmation"]["text"].string ?? ""
    }
}
