internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import JEXL

/// Messages for different languages that both match one locale.
extension DocumentCheck {
    /// A message whose triggers are divided into conditions on the language and all other conditions.
    private struct Candidate {
        let message: LocatedMessage
        let languages: [CompiledExpression]
        let others: Set<String>

        func isFor(_ locale: String) -> Bool {
            languages.allSatisfy { (try? $0.isTrue(in: LocaleAlone(locale: locale))) ?? false }
        }
    }

    private static let languageNames: Set<String> = ["locale", "language", "region"]
    /// The maximum number of candidates, because the number of pairs grows with the square.
    private static let maximumCandidates = 50

    /// Two messages of one value and surface that differ only in their language: no real locale should match both.
    func checkLanguages(in value: LocatedMessaging) {
        let candidates = value.messages.compactMap { candidate($0, in: value) }.prefix(Self.maximumCandidates)
        let locales = Self.locales + context.strings.localeNames
        for (index, one) in candidates.enumerated() {
            for other in candidates.dropFirst(index + 1)
            where one.message.definition.surface == other.message.definition.surface && one.others == other.others
                && Set(one.languages.map(\.source)) != Set(other.languages.map(\.source))
            {
                guard let locale = locales.first(where: { one.isFor($0) && other.isFor($0) }) else { continue }
                findings.warn(
                    "language_overlap", at: (other.message.field("trigger-if-all") ?? other.message.location).pointer,
                    "with locale \"\(locale)\" message \"\(one.message.key)\" can be eligible, too: "
                        + "only one of them is shown")
            }
        }
    }

    private func candidate(_ message: LocatedMessage, in value: LocatedMessaging) -> Candidate? {
        guard message.field("trigger-if-all") != nil, !message.definition.isControl else { return nil }
        var languages: [CompiledExpression] = []
        var others: Set<String> = []
        for name in message.triggers {
            guard let source = value.names.trigger(name.name)?.string, let expression = expressions.compiled(source)
            else { return nil }
            let isAboutLanguage =
                !expression.identifiers.isEmpty && !expression.usesEventQueries
                && Self.languageNames.isSuperset(of: expression.identifiers)
            if isAboutLanguage { languages.append(expression) } else { others.insert(source) }
        }
        for name in message.exclusions { others.insert("not " + (value.names.trigger(name.name)?.string ?? name.name)) }
        return languages.isEmpty ? nil : Candidate(message: message, languages: languages, others: others)
    }

    /// The locales of real devices. A locale that no device has is no reason for a warning.
    private static let locales =
        [
            "en-US", "en-GB", "en-CA", "en-AU", "en-IN", "en-DE", "en-FR", "de-DE", "de-AT", "de-CH", "fr-FR", "fr-CA",
            "fr-BE", "fr-CH", "es-ES", "es-MX", "es-US", "es-AR", "it-IT", "it-CH", "pt-BR", "pt-PT", "nl-NL", "nl-BE",
            "pl-PL", "ru-RU", "uk-UA", "cs-CZ", "sk-SK", "hu-HU", "ro-RO", "sv-SE", "nb-NO", "da-DK", "fi-FI", "el-GR",
            "tr-TR", "ar-EG", "ar-SA", "he-IL", "fa-IR", "hi-IN", "bn-BD", "id-ID", "vi-VN", "th-TH", "ko-KR", "ja-JP",
            "zh-CN", "zh-TW", "zh-Hans-CN", "zh-Hant-TW", "ca-ES", "eu-ES", "gl-ES", "cy-GB", "en", "de", "fr", "es",
            "it", "pt", "nl", "pl", "ru", "ja", "ko", "zh", "ar",
        ]
}

/// An environment in which an expression can only read the language.
private struct LocaleAlone: JEXLEnvironment {
    let context: TargetingContext

    init(locale: String) {
        context = TargetingContext(requestedLocale: LanguageTag(locale), defaultLocale: locale, attributes: [:])
    }

    func value(of identifier: String) -> JSONValue? { context.value(of: identifier) }
    /// This result is not used: an expression with an event query is never a condition on the language.
    func result(of query: EventQuery) -> Double { 0 }
    func hash48(ofJSON text: [UInt8]) -> UInt64 { 0 }
}
