public import BellwetherJSON

/// A random manifest with strings and recipes, whose messages overlap, patch and hide one another in many ways.
///
/// No trigger's value depends on the second of its evaluation: the windows over counters are wide, or cover whole
/// years.
public struct RandomCatalog {
    public var generator: SeededGenerator
    public let dialect: String

    public static let surfaces = ["microsurvey", "card", "notification"]
    public static let keys = (0..<12).map { "m\($0)" }
    public static let locales = ["en-US", "de", "fr", "ar"]
    public static let events = ["visit", "buy"]
    /// Events that are reported with dates in the past only.
    public static let pastEvents = ["login"]

    private static let triggers: JSONObject = [
        "VISITED": "'visit'|eventSum('Years', 4, 0) >= 2", "BOUGHT": "'buy'|eventSum('Years', 4, 0) >= 1",
        "LOGINS": "'login'|eventSum('Days', 26, 0) >= 2", "LOGIN_DAYS": "'login'|eventCountNonZero('Days', 28) > 1",
        "SEEN": "'login'|eventLastSeen('Months', 0) < 3", "IS_PRO": "plan == 'pro'", "IS_ADULT": "age >= 18",
        "IS_BETA": "beta == true", "TAGGED": "'x' in tags", "GERMAN": "'de' in locale",
        "RECENT": "app_version|versionCompare('10.!') >= 0", "SAMPLE": "nimbus_id|bucketSample(0, 50, 100)",
        "ENROLLED": "'e0' in active_experiments", "BRANCH": "enrollments_map['e1'] == 'b0'",
        "DATED": "current_date > 1000000000", "NUMBER": "age + 1", "ERROR": "nothing_of_that_name == 1",
        "SCREEN": "device.screen == 'large'",
    ]

    private static let targetings = [
        "true", "plan == 'pro'", "age > 30", "beta == true || 'x' in tags", "'de' in locale",
        "(is_already_enrolled) || ('visit'|eventSum('Years', 4, 0) >= 1)", "'buy'|eventSum('Years', 4, 0) < 1",
        "nimbus_id|bucketSample(20, 70, 100)", "nothing_of_that_name == 1", "days_since_install < 20",
    ]

    public init(seed: UInt64, dialect: String) {
        generator = SeededGenerator(seed: seed)
        self.dialect = dialect
    }

    public mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    public mutating func pick<Item>(_ items: [Item]) -> Item {
        items[Int.random(in: 0..<items.count, using: &generator)]
    }

    public mutating func some<Item>(_ items: [Item], upTo count: Int) -> [Item] {
        Array(items.shuffled(using: &generator).prefix(Int.random(in: 0...count, using: &generator)))
    }

    // MARK: Documents

    public mutating func manifest() -> JSONValue {
        var styles: JSONObject = [:]
        for (name, priority) in [("LOW", 40), ("MIDDLE", 50), ("HIGH", 60), ("MICROSURVEY", 50)] as [(String, Int64)] {
            let cap = Int64.random(in: 1...5, using: &generator)
            styles[name] = ["priority": .integer(priority), "max-display-count": .integer(cap)]
        }
        var messages: JSONObject = [:]
        for key in some(Self.keys, upTo: 3) { messages[key] = .object(message(whole: true)) }
        return [
            "app_name": "random", "short_name": "Random", "deep_link_scheme": "random", "default_locale": "en-US",
            "dialect": .string(dialect), "surfaces": .array(Self.surfaces.map(JSONValue.string)),
            "attributes": ["plan": "string", "age": "number", "beta": "boolean", "device": "object", "tags": "array"],
            "privacy": [
                "base": "https://example.org/", "path": "privacy/", "fallback": "https://example.org/privacy",
                "utm_medium": "app", "utm_source": "modal", "utm_campaign": "survey",
            ],
            "messaging": [
                "styles": .object(styles), "triggers": .object(Self.triggers),
                "actions": [
                    "OPEN": "://open", "OPEN_URL": "://open-url", "PLAN": "://plan?is={plan}&age={age}",
                    "UUID": "https://example.org/{uuid}",
                ],
                "messages": .object(messages), "on-control": .string(pick(["show-next-message", "show-none"])),
            ],
        ]
    }

    public mutating func strings(_ locale: String) -> JSONValue {
        var texts: JSONObject = [:]
        for key in ["hello", "ask", "yes", "no"] where chance(80) {
            texts[key] = .string("\(locale) \(key) %@ \(Int.random(in: 0..<9, using: &generator))%")
        }
        return ["T": .object(texts)]
    }

    /// A messaging value without an experiment.
    public mutating func bare() -> JSONValue { messaging(whole: true, upTo: 5) }

    /// An experiment, or a rollout, which has one branch.
    public mutating func experiment(_ slug: String, isRollout: Bool) -> JSONValue {
        let count = isRollout ? 1 : Int.random(in: 2...3, using: &generator)
        let others = chance(30)
        let branches = (0..<count).map { index -> JSONValue in
            var features: [JSONValue] = []
            if chance(90) {
                let value = messaging(whole: chance(50), upTo: 3)
                features.append(["featureId": "messaging", "value": value])
            }
            if others { features.append(["featureId": "banner", "value": ["n": .integer(Int64(index))]]) }
            return [
                "slug": .string("b\(index)"), "ratio": .integer(Int64.random(in: 1...3, using: &generator)),
                "features": .array(features),
            ]
        }
        var recipe: JSONObject = [
            "schemaVersion": "1.12.0", "slug": .string(slug), "userFacingName": "n", "userFacingDescription": "d",
            "isEnrollmentPaused": .bool(chance(10)), "isRollout": .bool(isRollout), "proposedEnrollment": 7,
            "branches": .array(branches),
            "bucketConfig": [
                "randomizationUnit": .string(pick(["nimbus_id", "nimbus_id", "user_id"])),
                "namespace": .string(pick(["shared", slug])), "start": .integer(pick([0, 0, 2000])),
                "count": .integer(pick([3000, 8000, 10_000])), "total": 10_000,
            ],
        ]
        if chance(70) { recipe["targeting"] = .string(pick(Self.targetings)) }
        if chance(50) { recipe["publishedDate"] = .string("2026-0\(Int.random(in: 1...9, using: &generator))-01") }
        return .object(recipe)
    }

    // MARK: Parts of documents

    private mutating func messaging(whole: Bool, upTo count: Int) -> JSONValue {
        var messages: JSONObject = [:]
        for key in [pick(Self.keys)] + some(Self.keys, upTo: count - 1) {
            messages[key] = chance(4) ? .null : .object(message(whole: whole))
        }
        var value: JSONObject = ["messages": .object(messages)]
        if chance(10) { value["styles"] = ["LOW": ["priority": .integer(pick([30, 70]))]] }
        if chance(10) { value["triggers"] = ["IS_PRO": .string(pick(["plan == 'free'", "beta == true"]))] }
        if chance(10) { value["actions"] = ["OPEN": "://elsewhere"] }
        if chance(10) { value["on-control"] = .string(pick(["show-next-message", "show-none"])) }
        return .object(value)
    }

    /// All fields that a message needs, or a patch of a few fields.
    private mutating func message(whole: Bool) -> JSONObject {
        var fields: JSONObject = [:]
        let must = whole ? 100 : 25
        let exclusions = dialect == "ios" ? "except-if-any" : "exclude-if-any"
        let names = Self.triggers.keys + (chance(4) ? ["UNKNOWN"] : [])
        if chance(must) { fields["surface"] = .string(pick(Self.surfaces)) }
        if chance(must) { fields["text"] = .string(pick(["T/hello", "T/ask", "T/none", "50% off %@", "", "Plain"])) }
        if chance(must) {
            fields["style"] = .string(chance(4) ? "NOPE" : pick(["LOW", "MIDDLE", "HIGH", "MICROSURVEY"]))
        }
        if chance(must) { fields["trigger-if-all"] = .array(some(names, upTo: 2).map(JSONValue.string)) }
        if chance(must) { fields["action"] = .string(pick(["OPEN", "PLAN", "UUID", "OPEN_URL"])) }
        if chance(20) { fields[exclusions] = .array(some(names, upTo: 2).map(JSONValue.string)) }
        if chance(60) { fields["experiment"] = "{experiment}" }
        if chance(20) {
            fields["action-params"] = ["url": "https://example.org/?p={plan}&u={uuid}", "a": "{locale} {nimbus_id}"]
        }
        if chance(40) { fields["title"] = .string(pick(["T/hello", "Title of %@"])) }
        if chance(40) { fields["button-label"] = .string(pick(["T/yes", "Go"])) }
        if chance(8) { fields["is-control"] = true }
        if chance(40) {
            fields["microsurveyConfig"] = [
                "utm-content": .string(pick(["home", ""])), "icon": "homeLarge",
                "options": .array(some(["T/yes", "T/no", "T/none", "Perhaps"], upTo: 4).map(JSONValue.string)),
            ]
        }
        return fields
    }
}
