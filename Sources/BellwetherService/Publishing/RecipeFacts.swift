public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// The facts about a recipe in a list, without its document. They are the facts of its revision in force, or of the
/// newest revision if there is only a draft (docs/reference/http-api.md#recipes).
public struct RecipeFacts: Sendable {
    public let name: String?
    public let kind: Kind
    /// The surfaces of its messages, each once, in byte order. A message that names no surface has the dialect's own.
    public let surfaces: [Identifier]
    /// Whether one of its messages names no surface.
    public let hasDefaultSurface: Bool
    /// The features that its branches set, each once, in byte order.
    public let features: [Identifier]
    /// The keys of its messages, each once, in byte order.
    public let keys: [Identifier]
    /// The slugs of its branches, in the document's order.
    public let branches: [Identifier]
    /// The recipes that its messages present, each once, in byte order; without the recipe itself.
    public let presents: [Identifier]
    /// The segments that its conditions read.
    let segments: Set<String>
    /// Whether it has a page of its own (docs/web.md#the-hosted-page).
    public let isHosted: Bool

    public enum Kind: Sendable {
        case experiment, rollout, messages, segment
        case content(ContentKind)

        /// The name of the kind in lists of recipes.
        public var name: String {
            switch self {
            case .experiment: "experiment"
            case .rollout: "rollout"
            case .messages: "messages"
            case .segment: Segment.kind
            case .content(let kind): kind.rawValue
            }
        }
    }

    init(_ recipe: Recipe) {
        let document = recipe.document.object ?? [:]
        name = (document["name"] ?? document["userFacingName"])?.string
        segments = Set(AudienceReferences.segments(inConditionsOf: recipe.document).map(\.name))
        isHosted = document["hosted"]?.bool == true
        kind = Kind(recipe)
        let branches = recipe.experiment?.branches ?? []
        self.branches = branches.map(\.slug)
        features = Self.names(branches.flatMap(\.features).map(\.featureID))
        let messages = Self.messagings(recipe).flatMap { $0["messages"]?.object.map(Array.init) ?? [] }
        keys = Self.names(messages.map { Identifier($0.key) })
        surfaces = Self.names(messages.compactMap { $0.value.object?["surface"]?.identifier })
        hasDefaultSurface = messages.contains { $0.value.object?["surface"]?.string == nil }
        presents = Self.names(messages.compactMap { $0.value.object?["presents"]?.identifier })
            .filter { recipe.slug != $0 }
    }

    private static func messagings(_ recipe: Recipe) -> [JSONObject] {
        switch recipe.kind {
        case .messaging(let value): [value]
        case .segment: []
        case .experiment(let experiment):
            experiment.branches.compactMap { $0.value(of: Experiment.messagingFeature) }
        }
    }

    private static func names(_ names: [Identifier]) -> [Identifier] { Set(names).sorted() }
}

extension RecipeFacts.Kind {
    fileprivate init(_ recipe: Recipe) {
        if let content = recipe.content {
            self = .content(content)
        } else if let experiment = recipe.experiment {
            self = experiment.isRollout ? .rollout : .experiment
        } else if recipe.segment != nil {
            self = .segment
        } else {
            self = .messages
        }
    }
}
