internal import BellwetherJSON

/// A text of the respondent's interface, with its default (docs/reference/surveys.md#texts-of-the-interface).
public struct InterfaceText: Sendable {
    public let key: String
    /// The English text.
    public let text: String

    /// The table of an app's own texts.
    public static let table = "Questionnaire"

    /// The 20 texts of a questionnaire.
    public static let all = [
        InterfaceText("title", "Questionnaire"), InterfaceText("submitButton", "Submit"),
        InterfaceText("skipButton", "Skip"), InterfaceText("nextButton", "Next"), InterfaceText("backButton", "Back"),
        InterfaceText("doneButton", "Done"), InterfaceText("cancelButton", "Cancel"),
        InterfaceText("consentTitle", "Quick favor?"),
        InterfaceText("consentBody", "Have a minute to answer a few questions?"),
        InterfaceText("consentAccept", "Sure, happy to help"), InterfaceText("consentLater", "Maybe later"),
        InterfaceText("consentNever", "Don't ask again"), InterfaceText("doNotShowAgain", "Don't show this again"),
        InterfaceText("successTitle", "Thanks!"), InterfaceText("successBody", "Your answers were sent."),
        InterfaceText("errorTitle", "Something went wrong"),
        InterfaceText("errorRequiredMissing", "Please answer this question."),
        InterfaceText("errorGeneric", "Please try again."), InterfaceText("npsLowLabel", "Not likely"),
        InterfaceText("npsHighLabel", "Very likely"),
    ]

    private init(_ key: String, _ text: String) { (self.key, self.text) = (key, text) }

    /// The key of the title of a survey without a name. It replaces `title`.
    public static let surveyTitle = "surveyTitle"

    /// The string id under which an app may have its own text.
    public static func id(of key: String) -> String { table + "/" + key }

    /// All texts in the language of a locale if it is built in, else in English.
    public static func all(in locale: LanguageTag?) -> [InterfaceText] {
        guard let texts = locale.flatMap(language).flatMap({ InterfaceTranslations.all[$0] }) else { return all }
        return zip(all, texts).map { InterfaceText($0.key, $1) }
    }

    /// The built-in language of a locale, such as `de` for `de-AT`; nil if there are no texts in it.
    public static func language(of locale: LanguageTag) -> String? {
        matcher.first(locale).map { languages[$0] }
    }

    /// The languages that are built in.
    static let languages = (["en"] + InterfaceTranslations.all.keys).sorted { $0.precedes($1) }
    private static let matcher = LanguageMatcher(languages)

    /// Whether a text is the string id of one of the texts.
    public static func isID(_ text: String) -> Bool { self.text(of: text, in: nil) != nil }

    /// The built-in text of a string id; nil for any other text.
    public static func text(of id: String, in locale: LanguageTag?) -> String? {
        guard let (table, key) = TextIndex.split(id), table == Self.table else { return nil }
        if key == surveyTitle { return InterfaceTranslations.surveyTitles[locale.flatMap(language) ?? "en"] }
        return all(in: locale).first { $0.key == key }?.text
    }
}
