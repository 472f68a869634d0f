internal import BellwetherCore
internal import BellwetherJSON

/// The part of a catalog that a forecast uses: the recipe's messages, branch by branch, and their rivals.
struct ForecastPlan {
    /// A branch with its share of the enrolled clients.
    struct Branch {
        let slug: Identifier
        let share: Double
        let messages: [Entry]
    }

    struct Entry {
        let key: Identifier
        let facts: MessageFacts
        let malformation: Malformation?
        /// The message's position in the catalog; nil if the message is malformed.
        let position: Int?
        let displaced: [Rival]
        let outranking: [Rival]
    }

    /// A message of another recipe or of the manifest, on the same surface.
    struct Rival {
        let key: Identifier
        /// The positions of the variants that rank on this side of the message.
        let positions: [Int]
        let isWhole: Bool
    }

    let branches: [Branch]

    init(_ recipe: Recipe, in catalog: Catalog) {
        let own = Self.definitions(of: recipe)
        let ownKeys = Set(own.flatMap(\.keys))
        branches = own.map { branch in
            let variants = branch.variants(recipe, catalog)
            let entries = branch.keys.compactMap { Self.entry($0, variants, in: catalog, ownKeys: ownKeys) }
            return Branch(
                slug: branch.slug, share: branch.share,
                messages: entries.sorted { ($0.position ?? .max) < ($1.position ?? .max) })
        }
    }

    private struct Definition {
        let slug: Identifier
        let share: Double
        let keys: [Identifier]

        /// The variants for a client that is in this branch, and enrolled in nothing else.
        func variants(_ recipe: Recipe, _ catalog: Catalog) -> ClientVariants {
            let enrollment = Enrollment(slug: recipe.slug, status: .enrolled(.qualified, branch: slug))
            let packed = PackedEnrollments(ClientEnrollments(enrollments: [enrollment]))
            return ClientBranches(catalog.experiments, packed).variants(of: catalog)
        }
    }

    private static func definitions(of recipe: Recipe) -> [Definition] {
        func keys(_ messaging: JSONObject?) -> [String] { messaging?["messages"]?.object?.keys ?? [] }
        switch recipe.kind {
        case .messaging(let value):
            return [Definition(slug: Recipe.rolloutBranch, share: 1, keys: keys(value).map { Identifier($0) })]
        case .segment: return []
        case .experiment(let experiment):
            let sum = experiment.branches.reduce(0.0) { $0 + Double($1.ratio) }
            return experiment.branches.map { branch in
                Definition(
                    slug: branch.slug, share: Double(branch.ratio) / sum,
                    keys: keys(branch.value(of: Experiment.messagingFeature)).map { Identifier($0) })
            }
        }
    }

    /// The entry of a message; nil if the recipe patches a message that is not defined.
    private static func entry(
        _ key: Identifier, _ variants: ClientVariants, in catalog: Catalog, ownKeys: Set<Identifier>
    ) -> Entry? {
        guard let message = catalog.message(key, for: variants),
            let position = catalog.messages.firstIndex(where: { $0 === message })
        else {
            return catalog.malformed(for: variants).first { $0.facts.key == key }.map { malformed in
                Entry(
                    key: key, facts: malformed.facts, malformation: malformed.reason, position: nil, displaced: [],
                    outranking: [])
            }
        }
        // A control only displaces messages if no message is shown after a control.
        let competes = !message.facts.isControl || catalog.onControl(for: variants) == .showNone
        let rivals = competes ? rivals(of: message, at: position, in: catalog, ownKeys: ownKeys) : ([], [])
        return Entry(
            key: key, facts: message.facts, malformation: nil, position: position, displaced: rivals.0,
            outranking: rivals.1)
    }

    private static func rivals(
        of message: Message, at position: Int, in catalog: Catalog, ownKeys: Set<Identifier>
    ) -> (behind: [Rival], before: [Rival]) {
        let positions = catalog.candidates.ofSurface(message.facts.surface).map { Int($0.message) }.filter { rival in
            let other = catalog.messages[rival]
            return !other.facts.isControl && !ownKeys.contains(other.key)
        }
        func rivals(_ side: [Int], _ otherSide: [Int]) -> [Rival] {
            let others = Set(otherSide.map { catalog.messages[$0].key })
            let keys = Dictionary(grouping: side) { catalog.messages[$0].key }
            return keys.sorted { $0.value[0] < $1.value[0] }.map { key, variants in
                // A variant of some branches only is not available to every client.
                let isEverybodys = variants.allSatisfy { catalog.messages[$0].requirements.isEmpty }
                return Rival(key: key, positions: variants, isWhole: isEverybodys && !others.contains(key))
            }
        }
        let (behind, before) = (positions.filter { $0 > position }, positions.filter { $0 < position })
        return (rivals(behind, before), rivals(before, behind))
    }
}
