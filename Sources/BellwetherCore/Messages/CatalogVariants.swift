package import BellwetherJSON

/// The merged value of each name that the manifest and the recipes define. It has one variant, or several among which a
/// client's branches choose (docs/reference/experiments.md#merging).
///
/// Recipes of one kind are merged with one another as JSON, whatever the types are. Then experiments are merged over
/// rollouts. The result, read as the SDK reads it, is merged over the manifest's defaults. Therefore a null in a recipe
/// removes a key of an earlier recipe, and keeps the manifest's value for that key.
struct CatalogVariants {
    private let vocabulary: MessagingVocabulary
    private let base: JSONObject
    /// The manifest's messages as its author wrote them.
    private let writtenMessages: JSONObject
    private let manifestRevision: Int
    private let slices: MessagingSlices
    private let recipes: [Identifier: CatalogRecipe]
    private var styles: [Identifier: Varying<Style?>] = [:]
    private var sources: [Identifier: Varying<String?>] = [:]
    private var actions: [Identifier: Varying<String?>] = [:]
    private var enrollments: [Identifier: Varying<EnrolledBranch?>] = [:]

    init(manifest: Manifest, manifestRevision: Int, recipes: [CatalogRecipe]) {
        vocabulary = manifest.vocabulary
        base = manifest.baseMessaging
        writtenMessages = manifest.messaging["messages"]?.object ?? [:]
        self.manifestRevision = manifestRevision
        slices = MessagingSlices(recipes)
        self.recipes = Dictionary(
            recipes.map { ($0.slug, $0) }, uniquingKeysWith: { _, later in later })
    }

    /// All keys of messages that some client can have.
    var messageKeys: [Identifier] {
        let own = base["messages"]?.object?.keys ?? []
        return Set(own.map { Identifier($0) } + slices.names(in: "messages")).sorted()
    }

    /// A message's document, and the revision of the recipe that last touched it.
    struct Document {
        let fields: JSONObject
        /// The first part of a microsurvey that its authors wrote and that cannot be read.
        let unreadable: String?
        let revision: Int
    }

    /// The variants of a message's document. A variant is nil for clients that have no such message. The result is nil
    /// if there are too many variants.
    mutating func document(_ key: Identifier) -> Varying<Document?>? {
        let own = writtenMessages[key]?.object ?? [:]
        return resolve(MessagingSlices.Path(variable: "messages", name: key)) { state, value in
            guard let fields = value?.object else { return nil }
            let patch = state.patch["messages"]?.object?[key]?.object ?? [:]
            return Document(
                fields: fields, unreadable: MessageDefinition.unreadable(in: JSONPatch.merge(patch, over: own)),
                revision: state.revision ?? 0)
        } identity: { document in
            document.map { JSONValue.object($0.fields).encoded + "\($0.revision) \($0.unreadable ?? "")".utf8 } ?? []
        }
    }

    mutating func style(_ name: Identifier) -> Varying<Style?>? {
        if let known = styles[name] { return known }
        let style = resolve(MessagingSlices.Path(variable: "styles", name: name)) { _, value in
            value?.object.map(Style.init)
        } identity: { style in
            style.map { Array("\($0.priority) \($0.maxDisplayCount) \($0.pacingText)".utf8) } ?? []
        }
        styles[name] = style
        return style
    }

    mutating func trigger(_ name: Identifier) -> Varying<String?>? {
        if let known = sources[name] { return known }
        let source = resolve(text: MessagingSlices.Path(variable: "triggers", name: name))
        sources[name] = source
        return source
    }

    mutating func action(_ name: Identifier) -> Varying<String?>? {
        if let known = actions[name] { return known }
        let url = resolve(text: MessagingSlices.Path(variable: "actions", name: name))
        actions[name] = url
        return url
    }

    mutating func onControl() -> Varying<OnControl>? {
        resolve(MessagingSlices.Path(variable: "on-control", name: nil)) { _, value in
            value?.string.flatMap(OnControl.init) ?? .showNextMessage
        } identity: { word in
            Array(word.rawValue.utf8)
        }
    }

    /// The branch of a recipe that a client is in.
    mutating func enrollment(in slug: Identifier) -> Varying<EnrolledBranch?> {
        if let known = enrollments[slug] { return known }
        let enrollment = makeEnrollment(in: slug)
        enrollments[slug] = enrollment
        return enrollment
    }

    private mutating func makeEnrollment(in slug: Identifier) -> Varying<EnrolledBranch?> {
        guard let recipe = recipes[slug] else { return Varying(diagram: nil, variants: [nil]) }
        let branches = recipe.branches.map { Optional($0.enrollment) }
        guard let rank = recipe.rank else { return Varying(diagram: nil, variants: branches) }
        let level = VariantDiagram.Level(
            rank: rank, width: branches.count + 1, transitions: (0...branches.count).map { Int32($0) })
        return Varying(
            diagram: VariantDiagram(levels: [level], variantCount: branches.count + 1), variants: [nil] + branches)
    }

    private mutating func resolve(text path: MessagingSlices.Path) -> Varying<String?>? {
        resolve(path) { _, value in
            value?.string
        } identity: { text in
            text.map { [1] + $0.utf8 } ?? []
        }
    }

    private mutating func resolve<Variant>(
        _ path: MessagingSlices.Path, _ variant: (MergeState, JSONValue?) -> Variant, identity: (Variant) -> [UInt8]
    ) -> Varying<Variant>? {
        let isMessage = path.variable == "messages"
        var builder = VariantDiagramBuilder(MergeState(revision: isMessage ? manifestRevision : nil)) { $0.identity }
        for touch in slices.touches(path) {
            if let rank = touch.recipe.rank {
                builder.step(rank: rank, branches: touch.values.count) { $0.laying(touch, branch: $1) }
            } else {
                builder.always { $0.laying(touch, branch: 0) }
            }
        }
        guard !builder.isTooLarge else { return nil }
        let own = MessagingSlices.restricted(base, to: path) ?? [:]
        let (diagram, variants) = builder.finish(identity: identity) { state in
            let patch = vocabulary.reading(state.patch)
            let member = JSONPatch.merge(patch, over: own)[path.variable]
            guard let name = path.name else { return variant(state, member) }
            return variant(state, member?.object?[name])
        }
        return Varying(diagram: variants.count > 1 ? diagram : nil, variants: variants)
    }
}

/// The merged state of one path after the recipes so far.
private struct MergeState {
    private var rollouts: JSONObject = [:]
    private var experiments: JSONObject = [:]
    /// The revision of the last recipe that named the entry; nil if it does not matter.
    private(set) var revision: Int?

    init(revision: Int?) { self.revision = revision }

    var patch: JSONObject { JSONPatch.merge(experiments, over: rollouts) }

    /// A key that is equal for equal states. Later recipes change equal states in the same way.
    var identity: [UInt8] {
        JSONValue.array([.object(rollouts), .object(experiments), .integer(Int64(revision ?? 0))]).encoded
    }

    func laying(_ touch: MessagingSlices.Touch, branch: Int) -> MergeState {
        guard let value = touch.values[branch] else { return self }
        var state = self
        if touch.recipe.isRollout {
            state.rollouts = JSONPatch.merge(value, over: rollouts)
        } else {
            state.experiments = JSONPatch.merge(value, over: experiments)
        }
        if revision != nil, touch.namesIt[branch] { state.revision = touch.recipe.revision }
        return state
    }
}

extension Style {
    /// A text that differs between styles with different pacing.
    fileprivate var pacingText: String { pacing.map { "\($0)" } ?? "" }

    /// Creates a style. Fields of the wrong type have already been dropped.
    package init(_ fields: JSONObject) {
        self.init(
            priority: Int(clamping: fields["priority"]?.integer ?? 50),
            maxDisplayCount: Int(clamping: fields["max-display-count"]?.integer ?? 5),
            pacing: Pacing(fields["pacing"]))
    }
}

/// The combinations of variants of several parts that clients can have. Parts that depend on the same recipes are
/// combined together, because most combinations of their variants never occur.
struct VariantCombinations {
    /// The maximum number of states for all messages of a catalog together.
    static let maximumStates = 4_000_000

    /// The number of states that may still be used.
    private(set) var budget = VariantCombinations.maximumStates

    /// Subtracts states from the budget. Returns false if the budget is exhausted.
    mutating func spend(_ states: Int) -> Bool {
        budget -= states
        return budget > 0
    }

    /// The combinations, each with one variant per diagram, in the order of the diagrams; nil if there are too many
    /// states.
    mutating func reachable(_ diagrams: [VariantDiagram]) -> [[Int32]]? {
        var states: [[Int32]] = [Array(repeating: 0, count: diagrams.count)]
        let ranks = Set(diagrams.flatMap { $0.levels.map(\.rank) }).sorted()
        var depths = Array(repeating: 0, count: diagrams.count)
        for rank in ranks {
            let concerned = diagrams.indices.filter { index in
                let levels = diagrams[index].levels
                return depths[index] < levels.count && levels[depths[index]].rank == rank
            }
            let levels = concerned.map { diagrams[$0].levels[depths[$0]] }
            var next: [[Int32]] = []
            var known: Set<[Int32]> = []
            for state in states {
                for branch in 0..<(levels.first?.width ?? 1) {
                    var state = state
                    for (index, level) in zip(concerned, levels) {
                        state[index] = level.next(Int(state[index]), branch: branch)
                    }
                    if known.insert(state).inserted { next.append(state) }
                }
            }
            for index in concerned { depths[index] += 1 }
            states = next
            guard spend(next.count) else { return nil }
        }
        return states
    }

    /// The indices of the diagrams that are needed to distinguish the combinations. A diagram whose variant follows
    /// from the first diagram's variant is left out. A branch that contains a message usually also contains the parts
    /// that the message names.
    static func decisive(_ combinations: [[Int32]], first isDistinct: Bool) -> [[Int]] {
        guard isDistinct, let width = combinations.first?.count else {
            return combinations.map { Array($0.indices) }
        }
        var examples: [Int32: [Int32]] = [:]
        var varying: [Int32: [Bool]] = [:]
        for combination in combinations {
            let variant = combination[0]
            guard let example = examples[variant] else {
                examples[variant] = combination
                continue
            }
            for column in 1..<width where combination[column] != example[column] {
                varying[variant, default: Array(repeating: false, count: width)][column] = true
            }
        }
        return combinations.map { combination in
            let varies = varying[combination[0]] ?? []
            return [0] + varies.indices.filter { varies[$0] }
        }
    }
}
