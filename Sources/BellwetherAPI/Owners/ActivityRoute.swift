internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// The events of an app's recipes in the last 24 hours, and the app's problems (docs/reference/http-api.md#activity).
enum ActivityRoute {
    static let all = [Endpoint(.get, "/v1/apps/{app}/activity", .needs(.read), handle: get)]

    @Sendable private static func get(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let reader = try QueryReader(call)
        for item in reader.items { reader.refuse(item.name) }
        try reader.finish()
        let feed = call.services.persistence.feed
        let report = feed.activity.report(of: app.name)
        let minimum = call.worker.settings.minimumCell
        let slugs = app.recipes.keys.sorted()
        var json: JSONObject = ["since": .string(feed.activity.since.rfc3339)]
        if feed.isShared { json["node"] = .string(feed.journal.process) }
        json["recipes"] = .array(
            slugs.compactMap { slug in
                app.recipes[slug].flatMap { RecipeActivity($0, report) }.map { .object($0.json(minimum)) }
            })
        json["problems"] = .array(
            report.problems.sorted { ($1.last, $0.problem.detail) < ($0.last, $1.problem.detail) }
                .map { shown($0, $1, $2, in: app) })
        var response = Response.json(200, .object(json))
        response.add("Cache-Control", "no-store")
        return .now(response)
    }

    private static func shown(
        _ problem: Activity.Problem, _ count: Int, _ last: Timestamp, in app: AppSnapshot
    ) -> JSONValue {
        let slug =
            switch problem.subject {
            case .recipe(let slug): slug
            case .message(let key):
                app.recipes.values.first { $0.facts.keys.contains(key) }?.stored.slug
            case nil: Identifier?.none
            }
        return [
            "code": .string(problem.code.rawValue), "slug": slug.map { .string($0) } ?? .null,
            "count": .integer(Int64(count)), "last_at": .string(last.rfc3339), "detail": .string(problem.detail),
        ]
    }
}

/// The counts for a recipe and its messages.
private struct RecipeActivity {
    let slug: Identifier
    private var shown = [Int](repeating: 0, count: Activity.hours)
    private var sums: [Activity.Event: Int] = [:]

    /// Nil if nothing was counted.
    init?(_ recipe: LoadedRecipe, _ report: Activity.Report) {
        slug = recipe.stored.slug
        for subject in recipe.facts.keys.map(Activity.Subject.message) + [.recipe(slug)] {
            for (event, hours) in report.events[subject] ?? [:] {
                sums[event, default: 0] += hours.reduce(0, +)
                if event == .shown { for (hour, count) in hours.enumerated() { shown[hour] += count } }
            }
        }
        if sums.isEmpty { return nil }
    }

    /// The counts as JSON. Counts from 1 up to, but not including, the minimum are null.
    func json(_ minimum: Int) -> JSONObject {
        func count(_ value: Int) -> JSONValue { (1..<max(minimum, 1)).contains(value) ? .null : .integer(Int64(value)) }
        var json: JSONObject = ["slug": .string(slug), "shown": .array(shown.map(count))]
        for (name, event) in [("started", Activity.Event.started), ("answered", .answered), ("submitted", .submitted)] {
            json[name] = count(sums[event] ?? 0)
        }
        return json
    }
}

extension Call {
    /// Counts the results of an app's events.
    func count(_ tally: EventTally, of app: Identifier) {
        worker.meter.count(tally)
        guard !tally.rejected.isEmpty else { return }
        let activity = services.persistence.feed.activity
        for (code, count) in Dictionary(tally.rejected.map { ($0.code, 1) }, uniquingKeysWith: +) {
            activity.note(Activity.Problem(.eventsRefused, code), times: count, in: app)
        }
    }
}
