public import BellwetherAuthoring
internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Dispatch

/// Holds the forecasts of recipes that went live against what comes (docs/reference/http-api.md#what-came).
///
/// Each process does this with its own sample of clients, and the count of more clients stays. So processes need not
/// agree on one of them.
public final class ForecastWatch: Sendable {
    private static let seconds = 15
    /// A recipe that has been live for longer gets no forecast any more.
    private static let makingSeconds: Int64 = 3600
    private static let countingSeconds: Int64 = 300
    /// The clients that a sample needs for a forecast.
    static let minimumSample = 100

    private let publisher: Publisher
    private let store: Persistence
    private let forecasts: ForecastRecipe
    private let minimumCell: @Sendable () -> Int
    private let queue = DispatchQueue(label: "bellwether.forecasts", qos: .background)

    /// - Parameter minimumCell: the smallest count of clients that notices may reveal.
    public init(
        _ publisher: Publisher, _ store: Persistence, _ forecasts: ForecastRecipe,
        minimumCell: @escaping @Sendable () -> Int
    ) {
        (self.publisher, self.store, self.forecasts, self.minimumCell) = (publisher, store, forecasts, minimumCell)
    }

    /// Makes and counts forecasts every 15 seconds from now on.
    public func start() {
        queue.asyncAfter(deadline: .now() + .seconds(Self.seconds)) { [weak self] in
            guard let self else { return }
            run { [weak self] in self?.start() }
        }
    }

    /// Makes the forecasts of recipes that went live, and counts what came. The completion is called after the writes.
    func run(_ completion: @escaping @Sendable () -> Void) {
        let now = publisher.clock.now()
        let group = DispatchGroup()
        for app in publisher.apps where app.recipes.values.contains(where: { $0.isForecast(at: now) }) {
            group.enter()
            store.readForecasts(in: app.name) { [queue] result in
                queue.async { [weak self] in
                    if let self, case .success(let forecasts) = result { follow(app, forecasts, at: now, group) }
                    group.leave()
                }
            }
        }
        group.notify(queue: queue, execute: completion)
    }

    private func follow(
        _ app: AppSnapshot, _ held: [Identifier: HeldForecast], at now: Timestamp, _ group: DispatchGroup
    ) {
        let sample = forecasts.samples.sample(of: app.name, at: now)
        var open: [(recipe: LoadedRecipe, forecast: HeldForecast)] = []
        for recipe in app.recipes.values where recipe.isForecast(at: now) {
            guard let forecast = held[recipe.stored.slug] else {
                make(recipe, in: app, sample, at: now, group)
                continue
            }
            let isDue = forecast.countedAt.map { $0.adding(seconds: Self.countingSeconds) <= now } ?? true
            if isDue, forecast.isAbout(recipe, at: now) { open.append((recipe, forecast)) }
        }
        for (recipe, counts) in zip(open.map(\.recipe), sample.counts(of: open)) where counts.clients > 0 {
            count(recipe, counts, in: app, weight: sample.weight, at: now, group)
        }
        for slug in held.keys where app.recipes[slug] == nil {
            submit(.forgetting(slug, in: app.name, at: now), group) { _ in }
        }
    }

    private func make(
        _ recipe: LoadedRecipe, in app: AppSnapshot, _ sample: ClientSample, at now: Timestamp, _ group: DispatchGroup
    ) {
        guard let since = recipe.servedSince(at: now), since.adding(seconds: Self.makingSeconds) >= now,
            sample.clients.count >= Self.minimumSample, !sample.knows(recipe, before: since),
            case .success(let response) = forecasts.forecast(
                ForecastRecipe.Request(app: app, recipe: recipe.recipe, now: now, minimumCell: minimumCell()))
        else { return }
        let forecast = HeldForecast(
            response.forecast, revision: recipe.stored.served.revision, since: since,
            enrolls: recipe.recipe.experiment != nil)
        guard !forecast.isEmpty else { return }
        submit(.holding(forecast, of: recipe.stored.slug, in: app.name, at: now), group) { _ in }
    }

    private func count(
        _ recipe: LoadedRecipe, _ counts: ClientSample.Counts, in app: AppSnapshot, weight: Double, at now: Timestamp,
        _ group: DispatchGroup
    ) {
        let (app, slug, notify) = (app.name, recipe.stored.slug, recipe.recipe.goals?.notify)
        let minimum = minimumCell()
        let webhookIDs = HeldForecast.Measure.allCases.map { _ in WebhookID.make() }
        let name = RowName.forecast(app: app, slug: slug)
        let counting = Transaction<[HeldForecast.Measure]>(names: [name], now: now) { rows in
            guard case .forecast(var forecast)? = rows[name],
                Double(counts.clients) * weight >= Double(forecast.clients) * forecast.weight
            else { return .done(TransactionOutcome(result: [])) }
            let off = forecast.count(counts.came, of: counts.clients, weight: weight, at: now)
            var outcome = TransactionOutcome(result: off)
            outcome.rows = [(name, .forecast(forecast))]
            if let notify {
                outcome.outbox = zip(off, webhookIDs).map { measure, id in
                    OutboxRow(
                        id: id, app: app, url: notify.url, secretName: notify.secretName,
                        body: forecast.notice(measure, of: slug, in: app, minimum: minimum).encoded, createdAt: now)
                }
            }
            return .done(outcome)
        }
        submit(counting, group) { [store] off in
            for measure in off {
                store.feed.activity.note(
                    Activity.Problem(.offPlan, of: .recipe(slug), "\(measure.rawValue) clients are not as forecast"),
                    in: app)
            }
        }
    }

    private func submit<Value: Sendable>(
        _ transaction: Transaction<Value>, _ group: DispatchGroup, _ then: @escaping @Sendable (Value) -> Void
    ) {
        group.enter()
        store.submit(transaction) { result in
            if case .success(let value) = result { then(value) }
            group.leave()
        }
    }
}

extension Transaction<Void> {
    /// Stores a forecast, unless another process has.
    fileprivate static func holding(
        _ forecast: HeldForecast, of slug: Identifier, in app: Identifier, at now: Timestamp
    ) -> Transaction {
        let name = RowName.forecast(app: app, slug: slug)
        return Transaction(names: [name], now: now) { rows in
            var outcome = TransactionOutcome(result: ())
            if rows[name] == nil { outcome.rows = [(name, .forecast(forecast))] }
            return .done(outcome)
        }
    }

    /// Deletes the forecast of a deleted recipe.
    fileprivate static func forgetting(_ slug: Identifier, in app: Identifier, at now: Timestamp) -> Transaction {
        Transaction(names: [.forecast(app: app, slug: slug)], now: now) { _ in
            var outcome = TransactionOutcome(result: ())
            outcome.rows = [(.forecast(app: app, slug: slug), .nothing)]
            return .done(outcome)
        }
    }
}

extension LoadedRecipe {
    /// The time since which the recipe is served; nil if it is not.
    fileprivate func servedSince(at now: Timestamp) -> Timestamp? {
        guard isLive, recipe.hasStarted(at: now), !recipe.hasEnded(at: now), let since = stored.stateSince else {
            return nil
        }
        return max(since, recipe.start ?? since)
    }

    /// Whether the recipe is young enough for a forecast that is held against what comes.
    fileprivate func isForecast(at now: Timestamp) -> Bool {
        servedSince(at: now).map { $0.adding(seconds: HeldForecast.days * Timestamp.secondsPerDay) >= now } ?? false
    }
}

extension HeldForecast {
    /// Whether the recipe is still served as it was forecast: it was neither paused nor published again.
    fileprivate func isAbout(_ recipe: LoadedRecipe, at now: Timestamp) -> Bool {
        revision == recipe.stored.served.revision && since == recipe.servedSince(at: now)
    }

    /// The body of the webhook.
    fileprivate func notice(
        _ measure: Measure, of slug: Identifier, in app: Identifier, minimum: Int
    ) -> JSONValue {
        var notice: JSONObject = [
            "type": "off_plan", "app": .string(app), "recipe": .string(slug), "revision": .integer(Int64(revision)),
            "measure": .string(measure.rawValue), "at": .string((countedAt ?? since).rfc3339),
        ]
        for (name, value) in comparison(measure, minimum: minimum) ?? [:] { notice[name] = value }
        return .object(notice)
    }
}

extension ClientSample {
    /// The clients that polled since a recipe is live, and how many of them came.
    struct Counts {
        var clients = 0
        var came: [HeldForecast.Measure: Int] = [:]
    }

    /// The counts of several recipes.
    fileprivate func counts(of open: [(recipe: LoadedRecipe, forecast: HeldForecast)]) -> [Counts] {
        var counts = open.map { _ in Counts() }
        let oldest = open.map(\.forecast.since).min() ?? .distantFuture
        for client in clients where client.at >= oldest {
            let state = client.state
            for (index, (recipe, forecast)) in open.enumerated() where client.at >= forecast.since {
                counts[index].clients += 1
                for measure in state.came(to: recipe) { counts[index].came[measure, default: 0] += 1 }
            }
        }
        return counts
    }

    /// Whether a client came to the recipe before this time. Then the recipe was live before.
    fileprivate func knows(_ recipe: LoadedRecipe, before since: Timestamp) -> Bool {
        clients.contains { $0.at < since && !$0.state.came(to: recipe).isEmpty }
    }
}

extension ClientState {
    fileprivate func came(to recipe: LoadedRecipe) -> [HeldForecast.Measure] {
        var came: [HeldForecast.Measure] = []
        let enrollment = enrollments.unpacked.enrollments.first { $0.slug == recipe.stored.slug }
        if enrollment?.status.branch != nil { came.append(.enrolled) }
        if recipe.facts.keys.contains(where: { (ledger.entry(of: $0)?.displayCount ?? 0) > 0 }) { came.append(.shown) }
        return came
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
