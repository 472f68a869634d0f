public import BellwetherJSON

/// A person's choices about experiments and rollouts (docs/reference/http-api.md#participation). An opt-out takes
/// precedence over an opt-in.
public struct Participation: Sendable, Hashable {
    public let experiments: Bool
    public let rollouts: Bool
    /// The slugs of recipes that the client opted out of, each once, in byte order.
    public let optedOut: [Identifier]
    /// The chosen branches, one per slug, in byte order of the slugs.
    public let optedIn: [EnrolledBranch]

    /// The participation of a client that never set it.
    public static let full = Participation()

    public init(
        experiments: Bool = true, rollouts: Bool = true, optedOut: [Identifier] = [], optedIn: [EnrolledBranch] = []
    ) {
        self.experiments = experiments
        self.rollouts = rollouts
        self.optedOut = Self.inOrder(optedOut) { $0 }
        self.optedIn = Self.inOrder(optedIn, by: \.slug)
    }

    /// The choices in byte order of their slugs. Of several with the same slug, the last one is kept.
    private static func inOrder<Choice>(_ choices: [Choice], by slug: (Choice) -> Identifier) -> [Choice] {
        guard choices.count > 1 else { return choices }
        let bySlug = Dictionary(choices.map { (slug($0), $0) }, uniquingKeysWith: { $1 })
        return bySlug.sorted { $0.key < $1.key }.map(\.value)
    }

    func hasOptedOut(of slug: Identifier) -> Bool { optedOut.contains(slug) }

    /// Whether the client takes part in recipes of this kind.
    func includes(rollouts isRollout: Bool) -> Bool { isRollout ? rollouts : experiments }

    /// The branch that was chosen for a recipe, whether or not it exists.
    func chosenBranch(of slug: Identifier) -> Identifier? { optedIn.first { $0.slug == slug }?.branch }
}
