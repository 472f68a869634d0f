internal import BellwetherAuthoring
internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// The facts for results, in addition to the counts.
struct ResultsFrame: Sendable {
    let app: AppSnapshot
    let slug: Identifier
    let minimum: Int

    /// The report; nil if there never was such a recipe. It omits messages of drafts, which were never served.
    func report(_ reading: ResultsReading, _ goals: GoalResults?) -> ResultsReport? {
        let enrollment = reading.enrollment.map { EnrollmentReport($0, app.recipes[slug]?.recipe.experiment, minimum) }
        // An experiment that only sets features has clients, but no messages.
        let isAnswered = enrollment.map { !$0.branches.isEmpty } ?? false
        guard let messages = reading.messages ?? (isAnswered ? [] : nil) else { return nil }
        let texts = Texts(
            localizer: app.strings.localizer(for: LanguageTag(app.manifest.defaultLocale)),
            shortName: app.manifest.shortName)
        let recipe = app.recipes[slug]
        let surveys = recipe.map { RecipeSurveys($0.recipe, under: app.manifest) }
        let branches = ControlBranches(recipe?.recipe.document, slug: slug)
        let references = (branches.reference.map { [$0] } ?? []) + branches.branches
        var reports = messages.compactMap { reading -> MessageReport? in
            guard let known = app.known.latest(reading.key) else { return nil }
            let key = reading.key
            let options = surveys?.options(of: key)
            let making = ResultsMaking(
                options: options ?? SurveyOptions(known.options), minimum: minimum, references: references,
                text: texts.resolve)
            let results = making.results(
                of: key, reading.answers, funnel: reading.funnel, all: reading.wholeFunnel)
            let isControl = branches.isOnlyControl(key) || options == nil && known.facts.isControl
            return MessageReport(
                isMicrosurvey: options != nil || known.facts.kind.isAnswered, surface: known.facts.surface,
                isControl: isControl, results: results, countsEveryAnswer: reading.countsEveryAnswer,
                coverage: reading.coverage)
        }
        let lines = Dictionary(
            reports.map { ($0.results.message, $0.results.funnelByBranch) }, uniquingKeysWith: { first, _ in first })
        for index in reports.indices where !reports[index].isControl {
            let report = reports[index]
            reports[index].controls = branches.controls(of: report.results.message, on: report.surface).map {
                ControlLine(branch: $0.branch, message: $0.key, among: lines[$0.key] ?? [])
            }
        }
        return ResultsReport(
            slug: slug, recipe: recipe?.stored, reference: branches.reference, minimum: minimum, enrollment: enrollment,
            messages: reports.sorted { $0.results.message < $1.results.message }, goals: goals)
    }
}

/// The results of a recipe, ready to be written.
struct ResultsReport: Sendable {
    let slug: Identifier
    /// The recipe; nil if it was deleted.
    let recipe: StoredRecipe?
    /// The branch that the recipe names as its reference.
    let reference: Identifier?
    let minimum: Int
    /// The clients by branch; nil if the request did not ask for them.
    let enrollment: EnrollmentReport?
    /// The messages in byte order.
    let messages: [MessageReport]
    /// Nil for a recipe that never had goals.
    let goals: GoalResults?
}

/// The clients by branch, with the planned ratio and the real count. A test for sample ratio mismatch compares the two.
struct EnrollmentReport: Sendable {
    struct Branch: Sendable {
        let slug: Identifier
        /// Nil if the revision in force has no such branch.
        let ratio: Int64?
        /// Nil if the count is withheld.
        let clients: Int?
    }

    /// The branches of the revision in force in its order, then other branches in byte order.
    let branches: [Branch]
    let coverage: LogCoverage

    init(_ reading: EnrollmentReading, _ experiment: Experiment?, _ minimum: Int) {
        func branch(_ slug: Identifier, _ ratio: Int64?) -> Branch {
            let clients = reading.clients[slug] ?? 0
            return Branch(slug: slug, ratio: ratio, clients: (1..<max(1, minimum)).contains(clients) ? nil : clients)
        }
        let planned = experiment?.branches ?? []
        let others = reading.clients.keys.filter { slug in !planned.contains { $0.slug == slug } }
        branches =
            planned.map { branch($0.slug, $0.ratio) }
            + others.sorted().map { branch($0, nil) }
        coverage = reading.coverage
    }
}

struct MessageReport: Sendable {
    let isMicrosurvey: Bool
    let surface: Identifier
    /// Whether the message is a control in every branch.
    let isControl: Bool
    let results: MessageResults
    let countsEveryAnswer: Bool
    let coverage: LogCoverage
    /// The branches that have a control instead of the message.
    var controls: [ControlLine] = []

    /// The funnel by branch, without the lines of controls.
    var funnelByBranch: [FunnelLine] { results.funnelByBranch.filter { !isOfControl($0.group) } }

    /// The answers by branch, without controls, which cannot be answered.
    var answersByBranch: [AnswerLine] { results.branches.filter { !isOfControl($0.group) } }

    private func isOfControl(_ group: ResultGroup) -> Bool {
        controls.contains { $0.message == results.message && group == .named($0.branch) }
    }
}

/// A branch with a control: it shows nothing, and counts who would have seen a message.
struct ControlLine: Sendable {
    let branch: Identifier
    /// The key of the control, which may be that of the message.
    let message: Identifier
    /// Nil if the count is withheld.
    let exposed: FunnelTally.Count?

    /// - Parameter lines: the funnel of the control by branch.
    init(branch: Identifier, message: Identifier, among lines: [FunnelLine]) {
        (self.branch, self.message) = (branch, message)
        let line = lines.first { $0.group == .named(branch) }
        exposed = line == nil ? FunnelTally.Count(events: 0, clients: 0) : line?.count(of: .exposed)
    }
}
