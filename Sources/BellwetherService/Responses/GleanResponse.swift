internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// An answer that a phone recorded only by its text (docs/reference/events.md#submitted-pings).
struct GleanResponse {
    let message: Identifier
    /// The text of the option as the phone showed it.
    let text: String
    let clientID: Identifier
    /// The phone's language, if it was sent.
    let locale: LanguageTag?
    let at: Timestamp

    /// The built-in English texts only. A phone shows them whatever tables the app has here.
    private static let english = StringTables(defaultLocale: "en", locales: [:])

    /// The answer to store, for each variant of the message that has an option with this text in some language. The
    /// variants are those that are served now, and the latest revision. Empty if the message was never published, or if
    /// it is no survey that clients are shown.
    func responses(in app: AppSnapshot, id: Identifier) -> [SurveyResponse] {
        var variants = app.catalog.revisions(of: message).compactMap { app.known.message(message, revision: $0) }
        if let latest = app.known.latest(message), !variants.contains(where: { $0.revision == latest.revision }) {
            variants.append(latest)
        }
        let localizers = localizers(of: app)
        return variants.compactMap { response(to: $0, localizers, shortName: app.manifest.shortName, id: id) }
    }

    private func response(
        to known: KnownMessage, _ localizers: [(name: String, localizer: Localizer)], shortName: String, id: Identifier
    ) -> SurveyResponse? {
        guard known.facts.kind.isAnswered, !known.facts.isControl else { return nil }
        for (name, localizer) in localizers {
            let texts = Texts(localizer: localizer, shortName: shortName)
            guard let index = known.options.firstIndex(where: { texts.resolve($0.text).utf8.elementsEqual(text.utf8) })
            else { continue }
            return SurveyResponse(
                id: id, clientID: clientID, message: message, requestID: nil, optionIndex: index,
                optionStringID: known.options[index], text: text, locale: name, revision: known.revision,
                submittedAt: at)
        }
        return nil
    }

    /// The languages, in this order: the phone's own, the app's default, and all others in their order.
    private func localizers(of app: AppSnapshot) -> [(name: String, localizer: Localizer)] {
        let defaultLocale = app.manifest.defaultLocale
        let tags = [locale, LanguageTag(defaultLocale)] + app.strings.localeNames.map { LanguageTag($0) }
        return tags.compactMap { $0 }.map { ($0.text, app.strings.localizer(for: $0)) }
            + [("en", Self.english.localizer(for: nil))]
    }
}
