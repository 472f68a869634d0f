public import BellwetherBase

/// A message as a client of one language displays it, with every string resolved and formatted.
public struct Presentation: Sendable, Hashable {
    public let title: String?
    public let text: String
    /// The locale whose table had the text. For a literal text it is the locale in which the rest is served, so that
    /// the page has that language's direction.
    public let locale: String
    public let isRightToLeft: Bool
    public let buttonLabel: String?
    public let microsurvey: MicrosurveyPresentation?

    public init(_ message: Message, manifest: Manifest, localizer: Localizer, requestedLocale: LanguageTag?) {
        let texts = Texts(localizer: localizer, shortName: manifest.shortName)
        let definition = message.definition
        let text = localizer.resolve(definition.text)
        let locale = text.locale ?? localizer.servedLocale ?? manifest.defaultLocale
        self.text = texts.format(text.text)
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
        options = definition.options.map(texts.resolve)
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

    public init(localizer: Localizer, shortName: String) {
        self.localizer = localizer
        self.shortName = shortName
    }

    public func resolve(_ text: String) -> String { format(localizer.resolve(text).text) }

    func format(_ text: String) -> String { TextFormat.apply(text, arguments: [shortName]) }
}
