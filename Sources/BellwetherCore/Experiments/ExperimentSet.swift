internal import BellwetherJSON

/// An app's experiments and rollouts, ready for any number of evolutions: made at publish.
public struct ExperimentSet: Sendable {
    /// A recipe's state in the catalog, which its document knows nothing of (api.md 3).
    public enum State: Sendable, Hashable {
        case live
        /// Nothing of it is offered; enrollments stay as they are, unless their client opts out.
        case paused
    }

    struct Member: Sendable {
        let experiment: Experiment
        let state: State
        /// The features that one recipe of a kind can hold at a time.
        let exclusiveFeatures: [String]
        let touchesMessaging: Bool

        var slug: String { experiment.slug }
    }

    /// In canonical order.
    let members: [Member]
    private let positions: [ByteKey: Int]

    /// One recipe a slug. Recipes that are neither live nor paused are gone: they are not in it. Co-enrolling features
    /// are never held (nimbus-messaging.md A, "allow-coenrollment").
    public init(
        live: [Experiment], paused: [Experiment] = [], coenrolling: Set<String> = [Experiment.messagingFeature]
    ) {
        let free = Set(coenrolling.map { ByteKey(text: $0) })
        let all = live.map { ($0, State.live) } + paused.map { ($0, State.paused) }
        let members = all.map { experiment, state in
            let features = experiment.featureIDs
            return Member(
                experiment: experiment, state: state,
                exclusiveFeatures: features.filter { !free.contains(ByteKey(text: $0)) },
                touchesMessaging: features.contains { $0.hasSameBytes(as: Experiment.messagingFeature) })
        }
        self.members = members.sorted { $0.experiment.place < $1.experiment.place }
        positions = Dictionary(
            self.members.enumerated().map { (ByteKey(text: $0.element.slug), $0.offset) },
            uniquingKeysWith: { first, _ in first })
    }

    func member(_ slug: String) -> Member? { positions[ByteKey(text: slug)].map { members[$0] } }
}
