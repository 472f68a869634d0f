internal import BellwetherCore

/// An answer that a phone recorded by its text alone (api.md 2.7).
struct PhoneAnswer {
    let message: String
    /// The option as the phone showed it.
    let text: String
    let clientID: String
    /// The phone's language, if it told it.
    let locale: LanguageTag?
    let at: Timestamp

    /// The built-in English alone: a phone shows it whatever tables the app has here.
    private static let english = StringTables(defaultLocale: "en", locales: [:])

    /// The answer as it is stored; nil: the message was never published, is no survey that anybody is shown, or has no
    /// option of that text in any language. It is held against the latest revision.
    func response(in app: AppSnapshot, id: String) -> SurveyResponse? {
        guard let known = app.known.latest(message), known.facts.isMicrosurvey, !known.facts.isControl else {
            return nil
        }
        for (name, localizer) in localizers(of: app) {
            let texts = Texts(localizer: localizer, shortName: app.manifest.shortName)
            guard let index = known.options.firstIndex(where: { texts.resolve($0).utf8.elementsEqual(text.utf8) })
            else { continue }
            return SurveyResponse(
                id: id, clientID: clientID, message: message, requestID: nil, optionIndex: index,
                optionStringID: known.options[index], text: text, locale: name, revision: known.revision,
                submittedAt: at)
        }
        return nil
    }

    /// The phone's own language first, then the app's default, then all others in their order.
    private func localizers(of app: AppSnapshot) -> [(name: String, localizer: Localizer)] {
        let defaultLocale = app.manifest.defaultLocale
        let tags = [locale, LanguageTag(defaultLocale)] + app.strings.localeNames.map(LanguageTag.init)
        return tags.compactMap { $0 }.map { ($0.text, app.strings.localizer(for: $0)) }
            + [("en", Self.english.localizer(for: nil))]
    }
}
