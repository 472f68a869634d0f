internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// What one kind of client asks: its context read, its language chosen, and all that was worked out for it so far.
/// Belongs to one thread and one snapshot.
final class PollContext {
    let app: AppSnapshot
    let targeting: TargetingContext
    let surfaces: [String]
    let verdicts: ContextVerdicts
    let localizer: Localizer
    /// Of the snapshot and everything that targeting can see of the context: what a `Settlement` is bound to.
    let digest: UInt64
    let countdown: PollSampling.Countdown
    /// How many attributes each such poll brings that the manifest does not declare.
    let ignoredAttributes: Int

    init(
        app: AppSnapshot, targeting: TargetingContext, surfaces: [String], countdown: PollSampling.Countdown,
        outcomes: TriggerOutcomes, ignoredAttributes: Int = 0
    ) {
        self.app = app
        self.countdown = countdown
        self.ignoredAttributes = ignoredAttributes
        self.targeting = targeting
        self.surfaces = surfaces
        verdicts = ContextVerdicts(catalog: app.catalog, context: targeting, outcomes: outcomes)
        localizer = app.strings.localizer(for: targeting.requestedLocale)
        digest = Self.digest(app, targeting)
    }
}

extension PollContext {
    /// Seeded by the process, as settlements are kept in its memory alone. Never 0, which is no settlement's.
    private static func digest(_ app: AppSnapshot, _ context: TargetingContext) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(app.name)
        hasher.combine(ObjectIdentifier(app.edition))
        hasher.combine(app.catalog.revision)
        hasher.combine(context.locale)
        for (name, value) in context.attributes.sorted(by: { $0.key.precedes($1.key) }) {
            hasher.combine(name)
            hasher.combine(value.encoded)
        }
        return UInt64(bitPattern: Int64(hasher.finalize())) | 1
    }
}

/// The contexts that poll a worker, by what they asked. Bounded: when it is full it starts anew, which costs each
/// context one evaluation.
final class PollContexts {
    private let capacity: Int
    private var contexts: [PollQuestion.Key: PollContext] = [:]
    private var outcomes: [String: TriggerOutcomes] = [:]

    init(capacity: Int) { self.capacity = capacity }

    func removeAll() {
        contexts.removeAll()
        outcomes.removeAll()
    }

    /// What triggers come to on this thread.
    func outcomes(of app: AppSnapshot) -> TriggerOutcomes {
        if let known = outcomes[app.name], known.catalog === app.catalog { return known }
        let outcomes = TriggerOutcomes(of: app.catalog)
        self.outcomes[app.name] = outcomes
        return outcomes
    }

    func context(for question: PollQuestion, app: AppSnapshot, call: Call) throws(APIError) -> PollContext {
        if let known = contexts[question.key] { return known }
        let reading = try ContextReading(app: app, call: call).readQuery()
        let context = PollContext(
            app: app, targeting: reading.context, surfaces: reading.surfaces,
            countdown: call.worker.sampling.countdown(of: app), outcomes: outcomes(of: app),
            ignoredAttributes: reading.ignored)
        if contexts.count >= capacity {
            contexts.removeAll(keepingCapacity: true)
            // What is remembered of polls holds the contexts that they came with.
            call.worker.remembered.removeAll()
        }
        contexts[question.key] = context
        return context
    }
}
