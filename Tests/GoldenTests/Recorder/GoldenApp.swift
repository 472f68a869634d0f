import BellwetherJSON
import Foundation
import TestSupport

/// An app of the recorder: its documents, and the context and events of its clients.
protocol GoldenApp {
    var name: String { get }
    var surfaces: [String] { get }
    /// The keys of messages that events name, whether the messages are published or not.
    var keys: [String] { get }
    var events: [String] { get }
    var slugs: [String] { get }
    /// The manifest and the strings, by their path below the app's path.
    mutating func documents() throws -> [(path: String, document: JSONValue)]
    mutating func recipe(_ slug: String) throws -> JSONValue
    /// A client's attributes.
    mutating func context() -> JSONObject
}

/// An app with messages that patch one another, in one of the dialects, with texts in several languages.
struct CatalogApp: GoldenApp {
    let name: String
    private var catalog: RandomCatalog

    init(dialect: String, seed: UInt64) {
        name = dialect
        catalog = RandomCatalog(seed: seed, dialect: dialect)
    }

    let surfaces = RandomCatalog.surfaces
    let keys = RandomCatalog.keys
    let events = RandomCatalog.events + RandomCatalog.pastEvents
    let slugs = ["bare0", "bare1", "bare2", "r0", "r1", "e0", "e1", "e2", "e3"]

    mutating func documents() -> [(path: String, document: JSONValue)] {
        [("manifest", catalog.manifest())]
            + RandomCatalog.locales.map { (path: "strings/\($0)", document: catalog.strings($0)) }
    }

    mutating func recipe(_ slug: String) -> JSONValue {
        if slug.hasPrefix("bare") { return catalog.bare() }
        guard var recipe = catalog.experiment(slug, isRollout: slug.hasPrefix("r")).object else { return .null }
        // Some recipes begin or end while the recording runs.
        if catalog.chance(15) { recipe["startDate"] = .string("2026-0\(catalog.pick([3, 4, 5]))-20") }
        if catalog.chance(15) { recipe["endDate"] = .string("2026-0\(catalog.pick([6, 7, 8]))-20") }
        return .object(recipe)
    }

    mutating func context() -> JSONObject {
        var said: JSONObject = [:]
        if catalog.chance(80) {
            said["locale"] = .string(catalog.pick(["en-US", "de-AT", "de", "fr_CA", "ar-EG", "ja"]))
        }
        if catalog.chance(80) { said["plan"] = .string(catalog.pick(["pro", "free", "a&b=c"])) }
        if catalog.chance(80) { said["age"] = .integer(catalog.pick([5, 18, 44])) }
        if catalog.chance(80) { said["beta"] = .bool(catalog.chance(50)) }
        if catalog.chance(50) { said["tags"] = .array(catalog.some(["x", "y"], upTo: 2)) }
        if catalog.chance(50) { said["device"] = ["screen": .string(catalog.pick(["large", "small"]))] }
        if catalog.chance(70) { said["app_version"] = .string(catalog.pick(["9.2", "10.0", "11.5.1"])) }
        if catalog.chance(70) { said["days_since_install"] = .integer(catalog.pick([1, 30])) }
        if catalog.chance(20) { said["user_id"] = .string("user-\(catalog.pick([1, 2, 3]))") }
        return said
    }
}

/// An app with experiments and rollouts whose targeting depends on one another, on counters over minutes and days, and
/// on the date.
struct RecipeApp: GoldenApp {
    let name = "shop"
    private var generator: RecipeGenerator

    init(seed: UInt64) { generator = RecipeGenerator(seed: seed) }

    let surfaces = ["card", "microsurvey"]
    let events = ["visit"]
    let slugs = (0..<5).map { "e\($0)" }
    var keys: [String] { slugs.map { "m-\($0)" } + ["common"] }

    mutating func documents() -> [(path: String, document: JSONValue)] { [("manifest", RecipeGenerator.manifest)] }

    mutating func recipe(_ slug: String) -> JSONValue { generator.recipe(slug) }

    mutating func context() -> JSONObject {
        var context: JSONObject = [:]
        if generator.chance(80) { context["age"] = .integer(generator.one(of: [20, 40])) }
        if generator.chance(30) { context["locale"] = .string(generator.one(of: ["de", "en-US"])) }
        if generator.chance(15) { context["user_id"] = "u" }
        return context
    }
}

/// The sample of `config` and `recipes`, as it is at the time of the recording.
struct SampleApp: GoldenApp {
    let name = "firefox-ios"
    private var random: SeededGenerator
    private let root = URL(fileURLWithPath: #filePath).appending(path: "../../../..").standardized

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    let surfaces = ["new-tab-card", "survey", "microsurvey", "notification"]
    let events = ["homepage_viewed", "app_cycle.foreground", "sync.login_completed_view"]
    let slugs = ["default-browser-sooner", "homepage-microsurvey", "sync-devices"]
    let keys = ["homepage-microsurvey-message", "default-browser", "sync-devices-card", "sync-devices-reminder"]

    private func document(_ path: String) throws -> JSONValue {
        try JSONValue(parsing: Array(Data(contentsOf: root.appending(path: path))))
    }

    func documents() throws -> [(path: String, document: JSONValue)] {
        let folder = "config/apps/firefox-ios"
        return [("manifest", try document("\(folder)/manifest.json"))]
            + (try ["ar", "de", "en-US", "es", "fr", "ja"].map {
                (path: "strings/\($0)", document: try document("\(folder)/strings/\($0).json"))
            })
    }

    func recipe(_ slug: String) throws -> JSONValue { try document("recipes/firefox-ios/\(slug).json") }

    mutating func context() -> JSONObject {
        var context: JSONObject = [:]
        func one(_ items: [JSONValue]) -> JSONValue { items.randomElement(using: &random) ?? .null }
        for (name, values) in [
            ("locale", ["en-US", "de-CH", "ar", "ja-JP", "es-MX"]), ("is_default_browser", [true, false]),
            ("number_of_app_launches", [1, 4, 30]), ("number_of_sync_devices", [0, 1, 3]),
            ("is_fxa_signed_in", [true, false]), ("is_inactive_new_user", [true, false]),
            ("app_version", ["127.0", "130.1"]), ("days_since_install", [0, 3, 50]), ("os_version", ["13.7", "17.0"]),
        ] as [(String, [JSONValue])] where Int.random(in: 0..<10, using: &random) < 7 {
            context[name] = one(values)
        }
        return context
    }
}
