internal import BellwetherAuthoring
public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// The periods of a recipe, as they are stored (docs/reference/goals.md#periods). The row outlives the recipe, so that
/// a later recipe of the slug continues the numbers.
public struct RecipePeriods: Sendable, Hashable {
    public struct Period: Sendable, Hashable {
        public let since: Timestamp
        /// The last revision of the period. All its revisions count the same.
        public var revision: Int
        /// The properties that goals add, by the goal's name. The manifest may declare others later.
        public fileprivate(set) var properties: [Identifier: Identifier] = [:]
        /// The guards that have fired, each once.
        public fileprivate(set) var fired: [FiredGuard] = []
        /// Whether the recipe was deleted since: nothing is counted any more.
        public fileprivate(set) var isClosed = false
    }

    /// The periods, oldest first. The first one has the number 1.
    public private(set) var periods: [Period] = []

    init() {}

    public var isEmpty: Bool { periods.isEmpty }

    mutating func begin(with recipe: Recipe, at now: Timestamp) {
        periods.append(Period(since: now, revision: recipe.revision, properties: recipe.goals?.properties ?? [:]))
    }

    mutating func continues(with recipe: Recipe) {
        periods[periods.count - 1].revision = recipe.revision
        periods[periods.count - 1].properties = recipe.goals?.properties ?? [:]
    }

    mutating func fire(_ guards: [FiredGuard]) { periods[periods.count - 1].fired += guards }

    /// The recipe is deleted. Returns false if nothing changes.
    mutating func close() -> Bool {
        guard periods.contains(where: { !$0.isClosed }) else { return false }
        for period in periods.indices { periods[period].isClosed = true }
        return true
    }

    /// An owner puts the recipe live again: the guards that have fired are off. Returns false if nothing changes.
    mutating func resume() -> Bool {
        guard pausing != nil else { return false }
        for period in periods.indices {
            for index in periods[period].fired.indices { periods[period].fired[index].isOff = true }
        }
        return true
    }

    public var json: JSONObject {
        [
            "periods": .array(
                periods.map { period in
                    var json: JSONObject = [
                        "since": .integer(period.since.milliseconds), "revision": .integer(Int64(period.revision)),
                    ]
                    if !period.properties.isEmpty {
                        json["properties"] = .object(
                            JSONObject(period.properties.map { (key: $0.key.text, value: .string($0.value)) }))
                    }
                    if period.isClosed { json["closed"] = true }
                    if !period.fired.isEmpty { json["fired"] = .array(period.fired.map(\.json)) }
                    return .object(json)
                })
        ]
    }

    /// Nil for an object of another form.
    public init?(_ json: JSONObject) {
        for value in json["periods"]?.array ?? [] {
            guard let since = value.object?["since"]?.integer, let revision = value.object?["revision"]?.integer else {
                return nil
            }
            var period = Period(since: Timestamp(milliseconds: since), revision: Int(clamping: revision))
            for (name, property) in value.object?["properties"]?.object ?? [:] {
                period.properties[Identifier(name)] = property.identifier
            }
            period.isClosed = value.object?["closed"]?.bool ?? false
            period.fired = (value.object?["fired"]?.array ?? []).compactMap { FiredGuard($0) }
            periods.append(period)
        }
    }
}

/// The periods of a recipe, with the goals of each.
struct LoadedPeriods: Sendable {
    var stored = RecipePeriods()
    /// The periods whose goals can be read, oldest first.
    private(set) var periods: [GoalPeriod] = []
    /// False if the row cannot be read. It is not written then.
    private(set) var isReadable = true

    init() {}

    static let unreadable = {
        var periods = LoadedPeriods()
        periods.isReadable = false
        return periods
    }()

    /// - Parameter text: the text of a revision of the recipe.
    init<Failure>(_ stored: RecipePeriods, text: (_ revision: Int) throws(Failure) -> [UInt8]?) throws(Failure) {
        self.stored = stored
        for (index, period) in stored.periods.enumerated() {
            guard let text = try text(period.revision),
                let document = try? JSONValue(parsing: text, limits: .kept),
                let read = GoalPeriod(
                    index + 1, since: period.since, document: document, properties: period.properties)
            else { continue }
            periods.append(read)
        }
    }

    /// The periods that are counted.
    var counted: [GoalPeriod] { periods.filter { !stored.periods[$0.number - 1].isClosed } }

    /// Begins a period with a recipe that comes into force, or continues the newest one. Returns false if nothing
    /// changes.
    ///
    /// - Parameters:
    ///   - former: the recipe that was in force; nil if there was none.
    ///   - isRetargeted: whether a segment that its targeting reads has changed.
    mutating func follow(
        _ recipe: Recipe, after former: Recipe?, at now: Timestamp, isRetargeted: Bool = false
    ) -> Bool {
        guard recipe.goals != nil, isReadable else { return false }
        if let last = stored.periods.last, let former, !last.isClosed, !isRetargeted,
            !recipe.beginsPeriod(after: former)
        {
            guard last.revision != recipe.revision else { return false }
            stored.continues(with: recipe)
            periods.removeAll { $0.number == stored.periods.count }
        } else {
            stored.begin(with: recipe, at: now)
        }
        let since = stored.periods.last?.since ?? now
        let properties = recipe.goals?.properties ?? [:]
        if let period = GoalPeriod(
            stored.periods.count, since: since, document: recipe.document, properties: properties)
        {
            periods.append(period)
        }
        return true
    }
}

extension RowName {
    /// The row of a cell of an app.
    static func cell(app: Identifier, _ key: GoalCellKey) -> RowName {
        .cell(app: app, key: "\(cells(of: key.slug, key.period))\(key.branch)\u{1F}\(key.day)")
    }

    /// The prefix of the keys of a period's cells. No slug and no branch has a control character.
    static func cells(of slug: Identifier, _ period: Int) -> String { "\(slug)\u{1F}\(period)\u{1F}" }

    /// The recipe that a cell belongs to; nil for any other row.
    var recipeOfCell: RecipeReference? {
        guard case .cell(let app, let key) = self else { return nil }
        return RecipeReference(app: app, slug: Identifier(key.text.prefix { $0 != "\u{1F}" }))
    }
}

extension Store {
    /// The periods of an app's recipes, by slug.
    ///
    /// - Parameter known: the periods that were read before.
    func periods(
        in app: Identifier, known: [Identifier: LoadedPeriods]
    ) throws(StoreError) -> [Identifier: LoadedPeriods] {
        var periods: [Identifier: LoadedPeriods] = [:]
        for row in try find(.small(.periods, app: app), limit: .max) {
            guard case .periods(_, let slug) = row.name else { continue }
            guard case .success(.periods(let stored)) = row.value else {
                periods[slug] = .unreadable
                continue
            }
            periods[slug] =
                if let known = known[slug], known.stored == stored { known } else {
                    try loaded(stored, slug, in: app)
                }
        }
        return periods
    }

    func loaded(_ stored: RecipePeriods, _ slug: Identifier, in app: Identifier) throws(StoreError) -> LoadedPeriods {
        try LoadedPeriods(stored) { number throws(StoreError) in
            guard case .document(let revision)? = try value(of: .revision(app: app, slug: slug, number)) else {
                return nil
            }
            return revision.text
        }
    }
}
