internal import BellwetherCore
internal import BellwetherJSON
internal import Dispatch
internal import Logging

/// Recipes begin and end by the daemon's clock, even if nothing is published.
extension Publisher {
    /// The lifetime of the lease. It is longer than a publish waits for its turn.
    private static let dateSeconds: Int64 = 60

    /// Checks the clock every second from now on, because the clock may be set, and a publish may contain a near date.
    /// Each check also releases replaced snapshots. Of several processes, one begins and ends recipes, under a lease of
    /// the store.
    public func followDates(in store: Persistence) {
        followDates(in: store, as: LeasedJob("catalog.dates", seconds: Self.dateSeconds))
    }

    private func followDates(in store: Persistence, as job: LeasedJob) {
        tidy()
        if isDue {
            job.run(in: store, now: clock.now()) { [weak self] done in
                guard let self else { return done() }
                follow(done)
            }
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { [weak self, weak store] in
            if let self, let store { followDates(in: store, as: job) }
        }
    }

    /// Begins and ends the recipes that are due; `completion` is called when every worker serves the result.
    public func follow(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            do {
                guard let snapshot = try dueSnapshot() else { return completion() }
                deliver(snapshot, completion)
            } catch {
                logger.error("a recipe's date could not be followed", metadata: ["error": "\(error)"])
                completion()
            }
        }
    }

    /// Publishes the next stage of a recipe whose guards hold, if it is still live in that revision. The completion is
    /// called when every worker serves it, or if there is nothing to serve.
    func advance(
        _ recipe: RecipeReference, revision: Int, to stage: RolloutStages.Stage,
        _ completion: @escaping @Sendable () -> Void = {}
    ) {
        queue.async { [self] in
            do {
                guard let snapshot = try advancedSnapshot(recipe, revision: revision, to: stage) else {
                    return completion()
                }
                deliver(snapshot, completion)
            } catch {
                logger.error(
                    "a stage could not be published",
                    metadata: ["app": "\(recipe.app)", "recipe": "\(recipe.slug)", "error": "\(error)"])
                completion()
            }
        }
    }
}
