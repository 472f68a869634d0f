internal import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Foundation

/// Enrollment without a daemon: the hash that buckets a client, and the evolution of 100 experiments.
enum EnrollmentSpeed {
    private static let recipes = 100

    static func rows(_ bench: Workbench) -> [any Benchmark] {
        [
            InProcess("bucket hash", unit: "ns", limit: .atMost(300)) {
                let id = "5a1f0a3e-7c7e-4d59-9f3e-0d3d0d0f9a51"
                return InProcess.Work(
                    run: { Int(Bucketing.enrollmentHash(id: id, namespace: "ios-microsurvey-homepage") & 1) },
                    quantity: { $0 })
            },
            row("enrollment, a recipe at the first poll", isKnown: false, bench),
            row("enrollment, a recipe found as it was", isKnown: true, bench),
        ]
    }

    private static func row(_ name: String, isKnown: Bool, _ bench: Workbench) -> any Benchmark {
        InProcess(name, unit: "ns") {
            let (compiledApp, query) = try (compiledApp(bench), query)
            var journal = ClientJournal(state: ClientState(), clientID: "client-1", at: query.now)
            let evolved = compiledApp.evolved(query, state: ClientState())
            guard let evolved, evolved.changes.count > recipes / 4 else {
                throw Failure("\(name): nobody is enrolled")
            }
            if isKnown { journal.evolved(evolved) }
            let state = journal.state
            guard (compiledApp.evolved(query, state: state) == nil) == isKnown else {
                throw Failure("\(name): is it?")
            }
            return InProcess.Work(
                run: { compiledApp.evolved(query, state: state)?.changes.count ?? 0 },
                quantity: { $0 / Double(recipes) })
        }
    }

    /// A client of ``Population``.
    private static var query: PollQuery {
        let context = TargetingContext(
            requestedLocale: LanguageTag("de"), defaultLocale: "en-US",
            attributes: [
                "os": "iOS", "os_version": "17.4", "app_version": "125.1", "days_since_install": 120,
                "days_since_update": 3,
            ])
        return PollQuery(
            clientID: "client-1", surfaces: [SampleApp.surface], context: context,
            now: Timestamp(rfc3339: "2026-03-10T12:00:00Z") ?? .distantFuture)
    }

    private static func compiledApp(_ bench: Workbench) throws -> CompiledApp {
        let findings = Findings()
        let text = try Data(contentsOf: URL(fileURLWithPath: "\(bench.app)/manifest.json"))
        let manifest = Manifest.read(try JSONValue(parsing: [UInt8](text)), findings: findings)
        guard let manifest else { throw Failure("the manifest does not read: \(findings.faults)") }
        let live = try (1...recipes).map { index in
            let recipe = SampleRecipe(index: index, kind: .experiments)
            let read = Recipe.read(
                try JSONValue(parsing: Array(recipe.text.utf8)), slug: recipe.slug, revision: 1,
                manifest: manifest,
                findings: findings)
            guard let read else { throw Failure("\(recipe.slug) does not read: \(findings.faults)") }
            return read
        }
        return CompiledApp(
            manifest: manifest, manifestRevision: 1,
            strings: StringTables(defaultLocale: manifest.defaultLocale, locales: [:]),
            recipes: RecipesInForce(live: live), revision: 1)
    }
}
