internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Surveys

/// The words of answers, in the default language of the app, by the revision that judged each response.
struct AnswerTexts {
    private let texts: Texts?
    private let definitions: (Identifier) -> RunDefinitions
    private var bySlug: [Identifier: RunDefinitions] = [:]

    /// - Parameters:
    ///   - app: nil if the app is not published; the ids of texts are then shown as they are.
    ///   - definitions: reads the revisions of a recipe.
    init(_ app: AppSnapshot?, definitions: @escaping (Identifier) -> RunDefinitions) {
        texts = app.map { app in
            let language = LanguageTag(app.manifest.defaultLocale)
            return Texts(
                localizer: app.strings.localizer(for: language), shortName: app.manifest.shortName, language: language)
        }
        self.definitions = definitions
    }

    mutating func text(of part: AnswerPart, in run: Run) -> String? {
        let known = bySlug[run.slug] ?? definitions(run.slug)
        bySlug[run.slug] = known
        var answer = run.answers[(part.step ?? part.question).text]
        if part.step != nil { answer = answer?.object?[part.question.text] }
        guard let answer else { return nil }
        return known.content(of: run.revision)?.words(for: part, of: answer) { [texts] in texts?.resolve($0) ?? $0 }
    }
}
