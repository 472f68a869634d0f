internal import BellwetherAuthoring
internal import BellwetherCore
internal import BellwetherJSON
internal import Dispatch
internal import Synchronization

/// Judges the guards of recipes whose cells this process has changed. It pauses a recipe whose guard fires
/// (docs/reference/goals.md#guards), and publishes the next stage of one whose guards hold
/// (docs/reference/experiments.md#stages).
///
/// Commits within a fifth of a second are judged together. If the process dies before it has judged, the next commit of
/// any process does, or the next start.
public final class GuardWatch: Sendable {
    static let delayMilliseconds = 200
    /// A stage may be due when no event comes, so recipes whose stages wait for guards are also judged by the clock.
    private static let stageSeconds = 10

    private let publisher: Publisher
    private let store: Persistence
    private let minimumCell: @Sendable () -> Int
    private let waiting = Mutex<Set<RecipeReference>>([])
    private let queue = DispatchQueue(label: "bellwether.guards")

    /// - Parameter minimumCell: the smallest count of clients that records and notices may reveal.
    public init(_ publisher: Publisher, _ store: Persistence, minimumCell: @escaping @Sendable () -> Int) {
        (self.publisher, self.store, self.minimumCell) = (publisher, store, minimumCell)
        store.feed.followCells { [weak self] in self?.note($0) }
    }

    /// Judges all recipes with guards.
    public func start(_ apps: [AppSnapshot]) {
        note(Set(apps.flatMap { app in app.recipes.keys.map { RecipeReference(app: app.name, slug: $0) } }))
        followStages()
    }

    private func followStages() {
        let due = publisher.apps.flatMap { app in
            app.recipes.values.filter { $0.awaitsGuards(at: publisher.clock.now()) }.map {
                RecipeReference(app: app.name, slug: $0.stored.slug)
            }
        }
        if !due.isEmpty { note(Set(due)) }
        queue.asyncAfter(deadline: .now() + .seconds(Self.stageSeconds)) { [weak self] in self?.followStages() }
    }

    /// Called on the thread that writes, which must not wait for the publisher.
    private func note(_ recipes: Set<RecipeReference>) {
        let isFirst = waiting.withLock { waiting in
            defer { waiting.formUnion(recipes) }
            return waiting.isEmpty
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.delayMilliseconds)) { [weak self] in self?.judge() }
    }

    private func judge() {
        let recipes = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for recipe in recipes { judge(recipe) }
    }

    private func query(_ recipe: RecipeReference) -> GoalQuery? {
        publisher.app(recipe.app).map { app in
            GoalQuery(
                recipe.slug, in: app, period: app.periodCount(of: recipe.slug), minimum: minimumCell())
        }
    }

    private func judge(_ recipe: RecipeReference) {
        guard let query = query(recipe), !query.armed.isEmpty else { return }
        store.readGoals(query) { [publisher, store] result in
            guard case .success(let results?) = result else { return }
            guard let judged = query.app.recipes[recipe.slug] else { return }
            let (fired, now) = (results.firing(query.armed, at: publisher.clock.now()), publisher.clock.now())
            let revision = judged.stored.served.revision
            if judged.awaitsGuards(at: now), query.armed.count == judged.recipe.goals?.guards.count,
                results.holds(query.armed), let stage = judged.recipe.nextStage
            {
                publisher.advance(recipe, revision: revision, to: stage)
            }
            guard !fired.isEmpty else { return }
            publisher.pause(recipe, revision: revision, fired) { isPaused in
                guard isPaused, let first = fired.first else { return }
                let detail = "goal \(first.bound.goal), branch \(first.firing.branch)"
                store.feed.activity.note(
                    Activity.Problem(.guardFired, of: .recipe(recipe.slug), detail), in: recipe.app)
                store.notePublishedWebhooks()
            }
        }
    }
}
