public import BellwetherJSON

/// The goals of an experiment, its guards, and the receiver of notices about them (docs/reference/goals.md#goals).
public struct RecipeGoals: Sendable, Hashable {
    /// There is at least one. Exactly one is primary.
    public let goals: [Goal]
    public let guards: [GoalGuard]
    public let notify: GoalNotification?

    /// The members of a recipe that clients do not get.
    public static let members: [String] = ["goals", "guards", "notify"]

    static let maximumGoals = 8
    static let maximumGuards = 8

    /// Reads the goals of an experiment's document; nil if it has none, or if there is a fault.
    ///
    /// A fault refuses a document that is published now. A stored document is served without goals.
    init?(_ document: JSONValue, manifest: Manifest, findings: Findings) {
        let own = Findings()
        defer { findings.take(mistakes: own) }
        let reader = JSONReader(document, findings: own)
        let notify = reader.optional("notify").flatMap { GoalNotification($0) }
        let items = reader.optional("goals").map { $0.elements() } ?? []
        let bounds = reader.optional("guards")?.elements() ?? []
        let branches = Branches(document)
        if let items {
            Self.check(items, branches, manifest, at: reader)
            Self.check(bounds, of: items, branches, at: reader)
        }
        var goals = (items ?? []).compactMap { Goal($0) }
        let guards = bounds.compactMap { GoalGuard($0) }
        guard !goals.isEmpty, own.faults.isEmpty else { return nil }
        for index in goals.indices { goals[index].takeSum(of: manifest) }
        if !goals.contains(where: \.isPrimary) { goals[0].isPrimary = true }
        (self.goals, self.guards, self.notify) = (goals, guards, notify)
    }

    /// The properties that goals add, by the goal's name.
    public var properties: [Identifier: Identifier] {
        goals.reduce(into: [:]) { properties, goal in properties[goal.name] = goal.property }
    }

    /// Whether both count the same, whatever they make of it (docs/reference/goals.md#periods).
    package func counts(like other: RecipeGoals?) -> Bool {
        other.map { goals.elementsEqual($0.goals) { $0.counts(like: $1) } } ?? false
    }

    /// Refuses the goals of a recipe that is no experiment.
    static func refuse(in document: JSONValue, findings: Findings) {
        let own = Findings()
        if let goals = JSONReader(document, findings: own).optional("goals"), goals.value.array?.isEmpty != true {
            goals.finding("goals_branches", "only an experiment with two or more branches has goals")
        }
        findings.take(mistakes: own)
    }

    private static func check(
        _ items: [JSONReader], _ branches: Branches, _ manifest: Manifest, at reader: JSONReader
    ) {
        if items.count > maximumGoals {
            reader.optional("goals")?.finding("range", "a recipe has at most \(maximumGoals) goals")
        }
        if !items.isEmpty, let slugs = branches.slugs, Set(slugs).count < 2 {
            reader.optional("goals")?.finding("goals_branches", "expected two or more branches of different names")
        }
        var names: Set<Identifier> = []
        var hasPrimary = false
        for item in items {
            if let name = item.optional("name"), let text = name.value.identifier, !names.insert(text).inserted {
                name.finding("duplicate", "a goal before it has the same name")
            }
            if let primary = item.optional("primary"), primary.value.bool == true {
                if hasPrimary { primary.finding("duplicate", "a goal before it is primary") }
                hasPrimary = true
            }
            guard let property = item.optional("property"), let name = property.value.identifier,
                let event = item.optional("event")?.value.identifier,
                item.optional("counts")?.value.string == Goal.Measure.sum.rawValue
            else { continue }
            if manifest.events[event]?.derivation?.sum != nil {
                property.finding("exclusive", "the event is a sum itself")
            } else if manifest.propertyTypes(of: event)[name] != .number {
                property.finding(
                    "reference", "the manifest declares no number \(reader.quoted(name.text)) of this event")
            }
        }
    }

    private static func check(
        _ bounds: [JSONReader], of items: [JSONReader], _ branches: Branches, at reader: JSONReader
    ) {
        guard !bounds.isEmpty else { return }
        if bounds.count > maximumGuards {
            reader.optional("guards")?.finding("range", "a recipe has at most \(maximumGuards) guards")
        }
        guard !items.isEmpty else {
            return reader.findings.fault("required", at: reader.pointer.appending("goals"), "guards need goals")
        }
        let names = Set(items.compactMap { $0.value.object?["name"]?.identifier })
        for bound in bounds {
            if let goal = bound.optional("goal"), let name = goal.value.identifier, !names.contains(name) {
                goal.finding("reference", "no goal has this name")
            }
            if let branch = bound.optional("branch"), let name = branch.value.identifier, let slugs = branches.slugs,
                !slugs.contains(name) || name == branches.control
            {
                branch.finding("reference", "no branch but the control has this name")
            }
        }
    }

    /// The branches of a document, which may have faults.
    private struct Branches {
        /// Nil if a slug cannot be read.
        let slugs: [Identifier]?
        private let reference: Identifier?

        init(_ document: JSONValue) {
            let items = document.object?["branches"]?.array
            let slugs = items?.compactMap { $0.object?["slug"]?.identifier }
            self.slugs = slugs?.count == items?.count ? slugs : nil
            reference = document.object?["referenceBranch"]?.identifier
        }

        var control: Identifier? { reference.flatMap { slugs?.contains($0) == true ? $0 : nil } ?? slugs?.first }
    }
}

/// The webhook that is called when a guard fires (docs/reference/goals.md#guards).
public struct GoalNotification: Sendable, Hashable {
    public let url: String
    /// The name of the secret in the settings that signs the call.
    public let secretName: String?

    init?(_ reader: JSONReader) {
        guard reader.object() != nil else { return nil }
        reader.refuseUnknown(keys: ["url", "secret_name"])
        secretName = reader.optional("secret_name")?.string(length: 1...128)
        guard let url = reader.required("url")?.webAddress() else { return nil }
        self.url = url
    }
}
