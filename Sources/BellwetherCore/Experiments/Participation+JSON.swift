public import BellwetherJSON

extension Participation {
    /// The maximum number of recipes that one client can opt out of, or opt into.
    public static let maximumChoices = 1000

    /// Reads the body of a `PUT` (docs/reference/http-api.md#participation). A missing member has the value of a client
    /// that never set it. Returns nil with findings if a field has the wrong type or is unknown, because a misspelled
    /// opt-out must not be ignored.
    public init?(reading reader: JSONReader) {
        let faultsBefore = reader.findings.faults.count
        guard reader.object() != nil else { return nil }
        reader.refuseUnknown(keys: ["experiments", "rollouts", "opted_out", "opted_in"])
        let experiments = reader.optional("experiments").map { $0.bool() } ?? true
        let rollouts = reader.optional("rollouts").map { $0.bool() } ?? true
        let out = Self.limited(reader.optional("opted_out")) { $0.elements() }
        let chosen = Self.limited(reader.optional("opted_in")) { $0.members() }
        let optedOut = out.compactMap { $0.identifier() }
        let optedIn = chosen.compactMap { slug, branch in
            branch.identifier().map { EnrolledBranch(slug: Identifier(slug), branch: $0) }
        }
        guard reader.findings.faults.count == faultsBefore, let experiments, let rollouts else { return nil }
        self.init(experiments: experiments, rollouts: rollouts, optedOut: optedOut, optedIn: optedIn)
    }

    private static func limited<Item>(_ location: JSONReader?, _ items: (JSONReader) -> [Item]?) -> [Item] {
        guard let location, let items = items(location) else { return [] }
        guard items.count <= maximumChoices else {
            location.finding("length", "at most \(maximumChoices) recipes can be named")
            return []
        }
        return items
    }

    public var json: JSONValue {
        [
            "experiments": .bool(experiments), "rollouts": .bool(rollouts),
            "opted_out": .array(optedOut.map(JSONValue.string)),
            "opted_in": .object(JSONObject(optedIn.map { (key: $0.slug.text, value: .string($0.branch)) })),
        ]
    }
}
