public import BellwetherBase
public import BellwetherCore
internal import BellwetherJSON
internal import JEXL

/// Evaluates a recipe on a sample of contexts. Deterministic: the same compiled app, recipe and sample give the same
/// forecast.
public struct ForecastMaking {
    private let compiledApp: CompiledApp
    private let recipe: Recipe
    private let now: Timestamp
    /// The numbers of fewer contexts, or of all contexts but fewer, are withheld. Locales with fewer contexts are
    /// combined.
    private let minimumCell: Int
    /// Whether the recipe with this slug has ended for good.
    private let hasEnded: Bool

    static let maximumLocales = 50

    /// `compiledApp` is the app with the recipe among its live recipes.
    public init(_ recipe: Recipe, in compiledApp: CompiledApp, now: Timestamp, minimumCell: Int, hasEnded: Bool = false)
    {
        self.hasEnded = hasEnded
        self.recipe = recipe
        self.compiledApp = compiledApp
        self.now = now
        self.minimumCell = minimumCell
    }

    /// Whether an expression that decides reads event counters.
    public var readsEvents: Bool {
        let triggers = compiledApp.catalog.triggers.compactMap { try? $0.expression.get() }
        return (triggers + [recipe.experiment?.targeting].compactMap(\.self)).contains { $0.usesEventQueries }
    }

    /// The forecast. A sample may contain equal contexts; without counters each distinct object is evaluated once.
    public func forecast(over sample: [ForecastSubject]) -> Forecast {
        let gate = gate
        let plan = ForecastPlan(recipe, in: compiledApp.catalog)
        var counting = ForecastCounting(plan)
        // The targeting of the recipe with its segments.
        let experiment = compiledApp.live.first { $0.slug == recipe.slug }?.experiment ?? recipe.experiment
        for (subject, count) in Self.distinct(sample) where !CheckTime.isOver() {
            let client = ForecastClient(subject, in: compiledApp, now: now)
            let targeting = gate == nil ? client.isTargeted(by: experiment) : .doesNotHold
            counting.add(client, targeting: targeting, count: count)
        }
        return counting.forecast(
            ForecastCounting.Frame(
                contexts: sample.count, gate: gate, bucketShare: bucketShare, minimumCell: minimumCell,
                anybody: anybody))
    }

    private static func distinct(_ sample: [ForecastSubject]) -> [(ForecastSubject, Int)] {
        var indices: [ObjectIdentifier: Int] = [:]
        var distinct: [(ForecastSubject, Int)] = []
        for subject in sample {
            if subject.behavior == nil, let index = indices[ObjectIdentifier(subject.context)] {
                distinct[index].1 += 1
            } else {
                indices[ObjectIdentifier(subject.context)] = distinct.count
                distinct.append((subject, 1))
            }
        }
        return distinct
    }

    private var gate: ForecastGate? {
        if hasEnded { return .ended }
        guard let experiment = recipe.experiment else { return nil }
        if recipe.hasEnded(at: now) { return .ended }
        if !recipe.hasStarted(at: now) { return .scheduled }
        if experiment.isFirefoxLabsOptIn { return .firefoxLabs }
        if experiment.isEnrollmentPaused { return .enrollmentsPaused }
        let question = EnrollmentCandidate(experiment, isAlreadyEnrolled: false)
        switch anybody.judgement(of: question, by: [.appName, .channel]) {
        case .stops(.differentAppName): return .differentAppName
        case .stops(.differentChannel): return .differentChannel
        default: return experiment.bucketConfig.count == 0 ? .bucketing : nil
        }
    }

    /// A client about which no facts are known.
    private var anybody: ForecastClient {
        let context = TargetingContext(
            requestedLocale: nil, defaultLocale: compiledApp.manifest.defaultLocale, attributes: [:])
        return ForecastClient(ForecastSubject(context, at: now), in: compiledApp, now: now)
    }

    /// The fraction of all hashes in the recipe's buckets (`BucketSample.contains`).
    private var bucketShare: Double {
        guard let buckets = recipe.experiment?.bucketConfig else { return 1 }
        let total = UInt64(buckets.total)
        let first = UInt64(buckets.start) % total
        let end = first + UInt64(buckets.count)
        guard end > total else { return Double(buckets.count) / Double(total) }
        let wrapped = end % total
        return wrapped >= first ? 1 : Double(wrapped + total - first) / Double(total)
    }
}

/// A client of a sample that has seen no message. Each expression and each message is
/// evaluated once.
final class ForecastClient: GateFacts, EnrollmentFacts {
    let context: TargetingContext
    let catalog: Catalog
    let askedSurface: Identifier? = nil
    let subject: EnrollmentSubject
    let channel: String?
    let clock: DecisionClock
    private let environment: ForecastEnvironment
    private var triggers: [(truth: PartialTruth, readsContext: Bool)?]
    private var messages: [Gate.Judgement?]

    init(_ sampled: ForecastSubject, in compiledApp: CompiledApp, now: Timestamp) {
        context = sampled.context
        catalog = compiledApp.catalog
        subject = EnrollmentSubject(
            appName: compiledApp.manifest.appName, channel: compiledApp.manifest.channel,
            ids: RandomizationIDs(nimbusID: nil, userID: nil), participation: .full)
        channel = subject.channel?.lowercased()
        environment = ForecastEnvironment(sampled, compiledApp.catalog.derivedEvents, now: now)
        clock = DecisionClock(at: now)
        triggers = Array(repeating: nil, count: catalog.triggers.count)
        messages = Array(repeating: nil, count: catalog.messages.count)
    }

    /// Whether the experiment targets the client. Nil means a recipe for every client.
    func isTargeted(by experiment: Experiment?) -> ForecastTruth {
        guard let experiment else { return .holds }
        let question = EnrollmentCandidate(experiment, isAlreadyEnrolled: false)
        switch EnrollmentGate.targeting.judge(question, self) {
        case .holds: return .holds
        case .stops, .error: return .doesNotHold
        case .unknown: return .unknown
        }
    }

    /// Sampling is not a gate here: samples depend on ids, so a forecast multiplies by their share.
    private static let gates = Gate.inOrder.filter { $0 != .sampling }

    /// The first gate that closes a message for the client. Rank is ignored, and the client is in the message's sample.
    func judgement(of position: Int) -> Gate.Judgement {
        if let known = messages[position] { return known }
        let judgement = judgement(of: catalog.candidates.all[position], by: Self.gates)
        messages[position] = judgement
        return judgement
    }

    func isEligible(_ position: Int) -> ForecastTruth {
        switch judgement(of: position) {
        case .holds: .holds
        case .doesNotHold: .doesNotHold
        case .unknown: .unknown
        }
    }

    func isEligible(_ rival: ForecastPlan.Rival) -> ForecastTruth {
        let all = rival.positions.map { position in
            // The client may or may not be in the rival's sample.
            catalog.messages[position].facts.sampleShare < 1 ? isEligible(position) && .unknown : isEligible(position)
        }
        if rival.isWhole { return all.reduce(.holds) { $0 && $1 } }
        return all.contains { $0 != .doesNotHold } ? .unknown : .doesNotHold
    }

    func truth(of trigger: Int) -> PartialTruth {
        let known = triggers[trigger] ?? newTruth(of: trigger)
        triggers[trigger] = known
        hasReadContext = hasReadContext || known.readsContext
        return known.truth
    }

    private func newTruth(of trigger: Int) -> (truth: PartialTruth, readsContext: Bool) {
        guard case .success(let expression) = catalog.triggers[trigger].expression else { return (.failed, false) }
        environment.hasReadContext = false
        return (expression.truth(in: environment), environment.hasReadContext)
    }

    func ledgerEntry(of message: Message) -> LedgerEntry? { nil }
    func askingEnds(of message: Message) -> Timestamp? { nil }
    var respondent: ClientState? { nil }
    var respondentID: Identifier? { nil }
    var offered: [Message] { [] }
    var quotaSteps = ReachedLimits.maximumSteps
    private var hasReadContext = false

    func attribute(_ name: String) -> JSONValue? {
        hasReadContext = true
        return context.value(of: name)
    }

    /// The obstacles that close a message for all clients: the obstacles of gates that read no fact about the client.
    func obstacles(to position: Int) -> [PacingObstacle] {
        Gate.inOrder.flatMap { gate in
            hasReadContext = false
            let obstacles = gate.obstacles(of: catalog.candidates.all[position], self)
            return hasReadContext ? [] : obstacles
        }
    }

    /// The first gate that closes a message for all clients, and that reads no fact about the client.
    func closedToAll(_ position: Int) -> Verdict? {
        for gate in Gate.inOrder {
            hasReadContext = false
            let judgement = judgement(of: catalog.candidates.all[position], by: [gate])
            if case .doesNotHold(let verdict) = judgement, !hasReadContext { return verdict }
        }
        return nil
    }

    func judge(_ targeting: CompiledExpression, isAlreadyEnrolled: Bool) -> EnrollmentJudgement {
        switch targeting.truth(in: environment) {
        case .holds: .holds
        case .doesNotHold, .failed, .neverHolds: .stops(.notTargeted)
        case .unknown: .unknown
        }
    }

    /// The result is unknown: buckets depend on ids, so a forecast multiplies by their share.
    func judge(_ buckets: Experiment.BucketConfig, namespace: Int?) -> EnrollmentJudgement { .unknown }
}
