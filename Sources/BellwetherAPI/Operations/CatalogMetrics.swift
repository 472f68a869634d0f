internal import BellwetherService

extension Snapshot {
    /// The samples about the published catalog, for `/metrics`.
    var samples: [MetricSample] {
        let states = apps.values.flatMap { $0.recipes.values.map(\.stored.state) }
        return [
            MetricSample("bellwether_apps", .gauge, "Apps that are published.", value: Double(apps.count)),
            MetricSample(
                "bellwether_load_failures", .gauge, "Files and stored documents that could not be loaded.",
                value: Double(loadFailures.count)),
        ]
            + RecipeState.allCases.map { state in
                MetricSample(
                    "bellwether_recipes", .gauge, "Recipes of all apps, by state.", labels: ["state": state.rawValue],
                    value: Double(states.count { $0 == state }))
            }
    }
}

extension StoreHealth {
    var samples: [MetricSample] {
        [
            MetricSample(
                "bellwether_store_healthy", .gauge, "1 while the store takes writes.", value: self == .healthy ? 1 : 0)
        ]
    }
}
