public import BellwetherAuthoring
public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Dispatch
internal import Synchronization

/// Keeps the forecasts of recipes that went live, and holds them against what comes
/// (docs/reference/http-api.md#what-came).
///
/// Each process does this with its own sample of clients. The first one stores the forecast, and of the counts of a day
/// the one of the most clients stays.
public final class ForecastWatch: Sendable {
    private static let seconds = 15
    /// A recipe that has been live for longer gets no forecast any more.
    private static let secondsOfForecast: Int64 = 3600
    /// The clients that a sample needs for a forecast.
    static let minimumSample = 100

    /// The last attempt of this process to make or count a recipe's forecast.
    private struct Attempt: Sendable {
        let revision: Int
        let since: Timestamp
        var day = 0
    }

    private let publisher: Publisher
    private let store: Persistence
    private let forecasts: ForecastRecipe
    private let minimumCell: @Sendable () -> Int
    private let attempts = Mutex<[RecipeReference: Attempt]>([:])
    private let queue = DispatchQueue(label: "bellwether.forecasts", qos: .background)

    /// - Parameter minimumCell: the smallest count of clients that notices may reveal.
    public init(
        _ publisher: Publisher, _ store: Persistence, _ forecasts: ForecastRecipe,
        minimumCell: @escaping @Sendable () -> Int
    ) {
        (self.publisher, self.store, self.forecasts, self.minimumCell) = (publisher, store, forecasts, minimumCell)
    }

    /// Looks at the recipes every 15 seconds from now on.
    public func start() {
        queue.asyncAfter(deadline: .now() + .seconds(Self.seconds)) { [weak self] in
            guard let self else { return }
            run { [weak self] in self?.start() }
        }
    }

    /// Makes the forecasts of recipes that went live, and counts the days that ended. The completion is called after
    /// the writes.
    func run(_ completion: @escaping @Sendable () -> Void) {
        let now = publisher.clock.now()
        let group = DispatchGroup()
        for app in publisher.apps {
            let due = app.recipes.values.filter { isDue($0, in: app.name, at: now) }
            guard !due.isEmpty else { continue }
            let sample = forecasts.samples.sample(of: app.name, at: now)
            guard sample.clients.count >= Self.minimumSample else { continue }
            group.enter()
            store.readForecasts(in: app.name) { [queue] result in
                queue.async { [weak self] in
                    if let self, case .success(let held) = result {
                        for recipe in due {
                            note(recipe, in: app.name, at: now)
                            follow(recipe, held[recipe.stored.slug], in: app, sample, at: now, group)
                        }
                    }
                    group.leave()
                }
            }
        }
        group.notify(queue: queue, execute: completion)
    }

    /// Whether the recipe may get a forecast, or a day has ended, and this process has not tried it yet.
    private func isDue(_ recipe: LoadedRecipe, in app: Identifier, at now: Timestamp) -> Bool {
        guard recipe.recipe.experiment != nil || !recipe.facts.keys.isEmpty,
            let since = recipe.servedSince(at: now)
        else { return false }
        let tried = attempts.withLock { $0[RecipeReference(app: app, slug: recipe.stored.slug)] }
        let isSame = tried.map { $0.revision == recipe.stored.served.revision && $0.since == since } ?? false
        if let day = HeldForecast.endedDay(at: now, since: since) { return !isSame || (tried?.day ?? 0) < day }
        return !isSame && since.adding(seconds: Self.secondsOfForecast) >= now
    }

    private func note(_ recipe: LoadedRecipe, in app: Identifier, at now: Timestamp) {
        guard let since = recipe.servedSince(at: now) else { return }
        let attempt = Attempt(
            revision: recipe.stored.served.revision, since: since,
            day: HeldForecast.endedDay(at: now, since: since) ?? 0)
        attempts.withLock { $0[RecipeReference(app: app, slug: recipe.stored.slug)] = attempt }
    }

    private func follow(
        _ recipe: LoadedRecipe, _ held: HeldForecast?, in app: AppSnapshot, _ sample: ClientSample, at now: Timestamp,
        _ group: DispatchGroup
    ) {
        if let held, held.isOpen(for: recipe, at: now) {
            if let day = held.endedDay(at: now) { return count(recipe, day, in: app, sample, at: now, group) }
            // The sample of another node may be younger, and its forecast for fewer days.
            guard held.day == 0, held.windowCount < sample.days else { return }
        }
        make(recipe, in: app, sample, at: now, group)
    }

    /// Stores the forecast of a recipe. It replaces the one of an earlier revision.
    private func make(
        _ recipe: LoadedRecipe, in app: AppSnapshot, _ sample: ClientSample, at now: Timestamp, _ group: DispatchGroup
    ) {
        guard let since = recipe.servedSince(at: now), since.adding(seconds: Self.secondsOfForecast) >= now,
            !sample.knows(recipe, before: since)
        else { return }
        let request = ForecastRecipe.Request(app: app, recipe: recipe.recipe, now: now, minimumCell: minimumCell())
        let windows = (1..<(1 + sample.days)).map { sample.clients(days: $0) }
        guard case .success(let made) = forecasts.forecasts(request, for: [sample.clients] + windows) else { return }
        let revision = recipe.stored.served.revision
        let forecast = HeldForecast(
            made[0], Array(made.dropFirst()), revision: revision, since: since,
            enrolls: recipe.recipe.experiment != nil)
        guard !forecast.isEmpty else { return }
        let reference = RecipeReference(app: app.name, slug: recipe.stored.slug)
        submit(forecast.storing(of: reference, at: now), of: reference, group) { _ in }
    }

    private func count(
        _ recipe: LoadedRecipe, _ day: Int, in app: AppSnapshot, _ sample: ClientSample, at now: Timestamp,
        _ group: DispatchGroup
    ) {
        let window = min(day, sample.days)
        guard window > 0 else { return }
        let clients = sample.clients(days: window)
        let count = HeldForecast.Count(
            day: day, window: window, clients: clients.count, weight: sample.weight,
            came: Arrivals(at: recipe).counts(clients))
        let reference = RecipeReference(app: app.name, slug: recipe.stored.slug)
        let counting = HeldForecast.counting(
            count, of: reference, revision: recipe.stored.served.revision, notify: recipe.recipe.goals?.notify, at: now,
            minimum: minimumCell())
        submit(counting, of: reference, group) { [store] off in
            for measure in off {
                let detail = "\(measure.rawValue) clients are not as forecast"
                store.feed.activity.note(
                    Activity.Problem(.offPlan, of: .recipe(reference.slug), detail), in: reference.app)
            }
        }
    }

    /// A failed write is tried again at the next look.
    private func submit<Value: Sendable>(
        _ transaction: Transaction<Value>, of recipe: RecipeReference, _ group: DispatchGroup,
        _ then: @escaping @Sendable (Value) -> Void
    ) {
        group.enter()
        store.submit(transaction) { [weak self] result in
            switch result {
            case .success(let value): then(value)
            case .failure: self?.attempts.withLock { $0[recipe] = nil }
            }
            group.leave()
        }
    }
}

extension LoadedRecipe {
    /// The time since which the revision in force is served; nil if it is not.
    fileprivate func servedSince(at now: Timestamp) -> Timestamp? {
        guard isLive, recipe.hasStarted(at: now), !recipe.hasEnded(at: now), let since = stored.stateSince else {
            return nil
        }
        return [since, stored.served.publishedAt, recipe.start ?? since].max()
    }
}

extension HeldForecast {
    /// Whether the recipe is still served as it was forecast, and is compared: it was neither paused nor published
    /// again, and the days are not over.
    public func isOpen(for recipe: LoadedRecipe, at now: Timestamp) -> Bool {
        let end = since.adding(seconds: Int64(Self.days) * Timestamp.secondsPerDay + Self.secondsOfCount)
        return revision == recipe.stored.served.revision && since == recipe.servedSince(at: now) && now < end
    }

    /// Stores the forecast, unless the stored one is to stay.
    func storing(of recipe: RecipeReference, at now: Timestamp) -> Transaction<Void> {
        let name = RowName.forecast(app: recipe.app, slug: recipe.slug)
        return Transaction(names: [name], now: now) { rows in
            var outcome = TransactionOutcome(result: ())
            if case .forecast(let other)? = rows[name], !replaces(other) { return .done(outcome) }
            outcome.rows = [(name, .forecast(self))]
            return .done(outcome)
        }
    }

    /// Takes over a count, and writes the notices of what is off plan for the first time: the result.
    ///
    /// - Parameter minimum: the smallest count of clients that notices may reveal.
    static func counting(
        _ count: Count, of recipe: RecipeReference, revision: Int, notify: GoalNotification?, at now: Timestamp,
        minimum: Int
    ) -> Transaction<[Measure]> {
        let webhookIDs = Measure.allCases.map { _ in WebhookID.make() }
        let name = RowName.forecast(app: recipe.app, slug: recipe.slug)
        return Transaction(names: [name], now: now) { rows in
            guard case .forecast(var forecast)? = rows[name], forecast.revision == revision,
                let off = forecast.take(count)
            else { return .done(TransactionOutcome(result: [])) }
            var outcome = TransactionOutcome(result: off)
            outcome.rows = [(name, .forecast(forecast))]
            guard let notify else { return .done(outcome) }
            outcome.outbox = zip(off, webhookIDs).map { measure, id in
                let notice = forecast.notice(measure, of: recipe.slug, in: recipe.app, at: now, minimum: minimum)
                return OutboxRow(
                    id: id, app: recipe.app, url: notify.url, secretName: notify.secretName, body: notice.encoded,
                    createdAt: now)
            }
            return .done(outcome)
        }
    }

    /// The body of the webhook.
    private func notice(
        _ measure: Measure, of slug: Identifier, in app: Identifier, at now: Timestamp, minimum: Int
    ) -> JSONValue {
        var notice: JSONObject = [
            "type": "off_plan", "app": .string(app), "recipe": .string(slug), "revision": .integer(Int64(revision)),
            "measure": .string(measure.rawValue), "at": .string(now.rfc3339), "day": .integer(Int64(day)),
        ]
        for (name, value) in comparison(measure, minimum: minimum) ?? [:] { notice[name] = value }
        return .object(notice)
    }
}

extension ClientSample {
    /// The part of the clients that may know a recipe before it goes live, such as those of a revision that was
    /// corrected at once.
    private static let mostKnown = 0.01

    /// Whether the recipe was live before this time: then clients that are in it already do not enter it now.
    fileprivate func knows(_ recipe: LoadedRecipe, before since: Timestamp) -> Bool {
        let earlier = clients.filter { $0.at < since }
        let came = Arrivals(at: recipe).counts(earlier)
        return Double(came.values.max() ?? 0) > Self.mostKnown * Double(earlier.count)
    }
}

/// The clients that came to a recipe.
private struct Arrivals {
    private let slug: Identifier
    /// The messages that are shown, by branch; those of a recipe without branches under nil.
    private let shown: [Identifier?: [Identifier]]

    init(at recipe: LoadedRecipe) {
        slug = recipe.stored.slug
        shown = RecipeMessages.shownKeys(in: recipe.recipe.document, slug: slug)
    }

    func counts(_ clients: [SampledClient]) -> [HeldForecast.Measure: Int] {
        var counts: [HeldForecast.Measure: Int] = [:]
        for client in clients {
            let state = client.state
            let branch = state.enrollments.unpacked.enrollments.first { $0.slug == slug }?.status.branch
            if branch != nil { counts[.enrolled, default: 0] += 1 }
            let hasSeen = (shown[branch] ?? []).contains { (state.ledger.entry(of: $0)?.displayCount ?? 0) > 0 }
            if hasSeen { counts[.shown, default: 0] += 1 }
        }
        return counts
    }
}

extension Persistence {
    /// The forecasts of an app's recipes that are held against what comes. Queued with reads of telemetry.
    public func readForecasts(
        in app: Identifier, _ completion: @escaping @Sendable (Result<[Identifier: HeldForecast], StoreError>) -> Void
    ) {
        read(completion) { [store] () throws(StoreError) in
            var forecasts: [Identifier: HeldForecast] = [:]
            for row in try store.find(.small(.forecast, app: app), limit: .max) {
                guard case .forecast(_, let slug) = row.name, case .success(.forecast(let forecast)) = row.value
                else { continue }
                forecasts[slug] = forecast
            }
            return forecasts
        }
    }
}
