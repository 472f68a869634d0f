public import BellwetherJSON

/// Random Nimbus recipes and messaging values that interact: they use few namespaces, patch the same message, share a
/// style, have controls, and target on every kind of value.
public struct RecipeGenerator {
    public var random: SeededGenerator

    public init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// A manifest for these recipes.
    public static let manifest: JSONValue = [
        "app_name": "sample", "channel": "release", "default_locale": "en-US", "surfaces": ["card", "microsurvey"],
        "attributes": ["age": "number", "user_id": "string"],
        "messaging": [
            "styles": [
                "ONCE": ["priority": 60, "max-display-count": 1], "MANY": ["priority": 40, "max-display-count": 1000],
            ],
            "triggers": [
                "GROWN": "age > 30", "VISITED": "'visit'|eventSum('Minutes', 30, 0) >= 1",
                "LATER": "'visit'|eventAgo(250, 3000)",
                "RECENTLY": "'visit'|eventLastSeen('Days', 0) < 3", "EVEN_DAY": "current_date % 172800 < 86400",
                "IN_E0": "'e0' in enrollments", "IN_CONTROL": "enrollments_map.e1 == 'control'",
            ],
            "messages": ["common": ["surface": "card", "style": "MANY", "text": "Common"]],
        ],
    ]

    private static let targetings: [String?] = [
        nil, "age > 30", "'visit'|eventAgo(100)", "'visit'|eventAfter('search')", "is_already_enrolled || age > 30",
        "'visit'|eventSum('Minutes', 30, 0) >= 1",
        "'visit'|eventSum('Minutes', 30, 0) == 0", "'visit'|eventLastSeen('Minutes', 0) > 20",
        "'visit'|eventLastSeen('Days', 0) < 3", "'visit'|eventCountNonZero('Days', 7, 0) == 0", "language == 'de'",
        "current_date % 172800 < 86400", "'e0' in active_experiments", "enrollments_map.e1 == 'control'",
        "nimbus_id in ['c0', 'c2']", "user_id == 'u'", "missing == 1",
    ]
    private static let triggers = [
        "ALWAYS", "ALWAYS", "ALWAYS", "NEVER", "GROWN", "VISITED", "LATER", "RECENTLY", "EVEN_DAY", "IN_E0",
        "IN_CONTROL",
    ]

    public mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    public mutating func one<Item>(of items: [Item]) -> Item { items[Int.random(in: items.indices, using: &random)] }

    /// A recipe of any kind.
    public mutating func recipe(_ slug: String) -> JSONValue {
        chance(15) ? .object(messaging(slug, branch: "rollout")) : experiment(slug)
    }

    public mutating func experiment(_ slug: String) -> JSONValue {
        let slugs = ["control", "treatment", "third"].shuffled(using: &random).prefix(one(of: [1, 2, 2, 3]))
        var branches: [JSONValue] = []
        for branch in slugs {
            let feature = chance(85) ? "messaging" : one(of: ["f", "g"])
            let value = feature == "messaging" ? messaging(slug, branch: branch) : [:]
            branches.append([
                "slug": .string(branch), "ratio": .integer(.random(in: 1...3, using: &random)),
                "features": [["featureId": .string(feature), "value": .object(value)]],
            ])
        }
        var fields: JSONObject = [
            "schemaVersion": "1.12.0", "slug": .string(slug), "userFacingName": "A name",
            "userFacingDescription": "A description", "proposedEnrollment": 7, "appName": "sample",
            "channel": .string(chance(90) ? "release" : "beta"), "isRollout": .bool(chance(50)),
            "isEnrollmentPaused": .bool(chance(10)), "branches": .array(branches),
            "bucketConfig": [
                "randomizationUnit": .string(chance(80) ? "nimbus_id" : "user_id"),
                "namespace": .string(chance(40) ? "shared" : slug),
                "start": .integer(.random(in: 0...9999, using: &random)),
                "count": .integer(.random(in: 4000...10_000, using: &random)),
            ],
        ]
        if let targeting = one(of: Self.targetings) { fields["targeting"] = .string(targeting) }
        if chance(60) {
            fields["publishedDate"] = .string("2025-0\(Int.random(in: 1...9, using: &random))-01T00:00:00Z")
        }
        return .object(fields)
    }

    /// A new message of the recipe, and its changes to other messages.
    private mutating func messaging(_ slug: String, branch: String) -> JSONObject {
        var own: JSONObject = [
            "surface": .string(one(of: ["card", "card", "microsurvey"])),
            "style": .string(one(of: ["ONCE", "MANY", "MANY", "DEFAULT"])),
            "text": .string("\(slug) \(branch) \(Int.random(in: 0..<1000, using: &random))"),
            "trigger-if-all": [.string(one(of: Self.triggers))],
        ]
        if chance(80) { own["experiment"] = "{experiment}" }
        if chance(25) { own["is-control"] = true }
        if chance(15) { own["except-if-any"] = [.string(one(of: Self.triggers))] }
        if chance(10) { own["style"] = "NO_SUCH_STYLE" }
        var messages: JSONObject = ["m-\(slug)": .object(own)]
        if chance(30) { messages["common"] = ["text": .string("Common of \(slug) \(branch)")] }
        if chance(10) { messages["m-e\(Int.random(in: 0..<4, using: &random))"] = .null }
        var value: JSONObject = ["messages": .object(messages)]
        if chance(20) { value["styles"] = ["MANY": ["priority": .integer(.random(in: 30...70, using: &random))]] }
        if chance(15) { value["on-control"] = .string(one(of: ["show-none", "show-next-message"])) }
        return value
    }
}
