internal import BellwetherAuthoring
internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// What results are made with beside what was counted.
struct ResultsFrame: Sendable {
    let app: AppSnapshot
    let slug: String
    let minimum: Int

    /// Nil: there never was such a recipe. Messages that were never served (of drafts) are left out.
    func report(_ reading: ResultsReading) -> ResultsReport? {
        guard let messages = reading.messages else { return nil }
        let texts = Texts(
            localizer: app.strings.localizer(for: LanguageTag(app.manifest.defaultLocale)),
            shortName: app.manifest.shortName)
        let recipe = app.recipes[slug]
        let surveys = recipe.map { RecipeSurveys($0.recipe, under: app.manifest) }
        let reports = messages.compactMap { reading -> MessageReport? in
            guard let known = app.known.latest(reading.key) else { return nil }
            let options = surveys?.options(of: reading.key)
            let making = ResultsMaking(
                options: options ?? SurveyOptions(known.options), minimum: minimum, text: texts.resolve)
            let results = making.results(
                of: reading.key, reading.answers, funnel: reading.funnel, all: reading.wholeFunnel)
            return MessageReport(
                isMicrosurvey: options != nil || known.facts.kind.isAnswered,
                isControl: options == nil && known.facts.isControl, results: results,
                countsEveryAnswer: reading.countsEveryAnswer,
                coverage: reading.coverage)
        }
        return ResultsReport(
            slug: slug, recipe: recipe?.stored, minimum: minimum,
            messages: reports.sorted { $0.results.message.precedes($1.results.message) })
    }
}

/// A recipe's results, ready to be written.
struct ResultsReport: Sendable {
    let slug: String
    /// Nil for one that was deleted.
    let recipe: StoredRecipe?
    let minimum: Int
    /// In byte order.
    let messages: [MessageReport]
}

struct MessageReport: Sendable {
    let isMicrosurvey: Bool
    /// In every branch.
    let isControl: Bool
    let results: MessageResults
    let countsEveryAnswer: Bool
    let coverage: LogCoverage
}
