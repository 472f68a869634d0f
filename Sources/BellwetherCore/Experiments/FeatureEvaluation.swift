internal import BellwetherBase
public import BellwetherJSON
internal import JEXL

/// An app's features as Cirrus serves them: any feature, not only messaging, decided from the live recipes and the
/// request alone (docs/reference/experiments.md#stateless-evaluation). Made at publish.
///
/// Nothing is stored of a client: it is enrolled again each time, and gets the same branch because its id has the same
/// hash.
public struct FeatureEvaluation: Sendable {
    /// The app's id in enrollments: its `app_id`, otherwise its name.
    public let appID: String
    /// Those that Cirrus takes, in canonical order.
    private let recipes: [Recipe]
    private let experiments: ExperimentSet
    private let attributes: JSONObject
    private let vocabulary: MessagingVocabulary
    private let baseMessaging: JSONObject
    /// A feature that the manifest declares is answered also where no recipe touches it, as Cirrus answers all of its
    /// manifest's. The built-ins alone declare nothing.
    private let declaresMessaging: Bool
    private let declarations: [FeatureDeclaration]

    /// `live` is all live recipes of the app. Paused recipes enroll no client, and no client was enrolled before.
    public init(app: String, manifest: Manifest, live: [Recipe]) {
        appID = manifest.identity.appID ?? app
        recipes = Recipe.inCanonicalOrder(live.filter { Self.takes($0, manifest: manifest) })
        experiments = ExperimentSet(live: recipes.compactMap(\.experiment))
        attributes = [
            "app_name": .string(manifest.appName), "app_id": .string(appID),
            "channel": manifest.channel.map(JSONValue.string) ?? .null, "app_version": .null, "app_build": .null,
        ]
        vocabulary = manifest.vocabulary
        baseMessaging = manifest.baseMessaging
        declaresMessaging = !manifest.messaging.isEmpty
        declarations = manifest.features
    }

    /// Cirrus takes the recipes of exactly its app and channel, where the SDK lets those pass that name none and
    /// compares channels without case. An app without a channel takes the recipes of any.
    private static func takes(_ recipe: Recipe, manifest: Manifest) -> Bool {
        guard case .experiment(let experiment) = recipe.kind else { return true }
        guard experiment.appName?.hasSameBytes(as: manifest.appName) == true else { return false }
        guard let channel = manifest.channel else { return true }
        return experiment.channels.contains { $0.hasSameBytes(as: channel) }
    }

    /// The status of a client in every experiment and rollout, in the order in which they were looked at.
    ///
    /// The id is the `user_id` only: a recipe that is spread by `nimbus_id` is an error. The app and the channel of the
    /// context count for the gates too, which compare them as the SDK does.
    public func statuses(userID: String, context: JSONObject) -> [Enrollment] {
        let environment = FeatureTargeting(app: attributes, context: context)
        let subject = EnrollmentSubject(
            appName: environment.value(of: "app_name")?.string, channel: environment.value(of: "channel")?.string,
            ids: RandomizationIDs(nimbusID: nil, userID: userID), participation: .full)
        // The time only decides how long a recipe is gone, and here no recipe was live before.
        let evolution = EnrollmentEvolution(
            recipes: experiments, subject: subject, environment: environment,
            clock: DecisionClock(at: Timestamp(seconds: 0)))
        return evolution.evolve([]).enrollments
    }

    /// The branches that a client is in, in canonical order; of a bare messaging value every client is.
    public func enrollments(userID: String, context: JSONObject) -> [FeatureEnrollment] {
        let branches = Dictionary(
            statuses(userID: userID, context: context).compactMap(\.enrolledBranch)
                .map { (ByteKey(text: $0.slug), $0.branch) },
            uniquingKeysWith: { first, _ in first })
        return recipes.indices.compactMap { position in
            let recipe = recipes[position]
            guard case .experiment(let experiment) = recipe.kind else {
                return FeatureEnrollment(
                    key: .init(recipe: position, branch: 0), slug: recipe.slug, branch: Recipe.rolloutBranch,
                    isRollout: true)
            }
            guard let slug = branches[ByteKey(text: recipe.slug)],
                let branch = experiment.branches.firstIndex(where: { $0.slug.hasSameBytes(as: slug) })
            else { return nil }
            return FeatureEnrollment(
                key: .init(recipe: position, branch: branch), slug: recipe.slug, branch: slug,
                isRollout: experiment.isRollout)
        }
    }

    /// Returns the value of each feature that these branches set (docs/reference/experiments.md#merging): experiments
    /// over one another, over rollouts over one another, over the defaults of the manifest.
    public func features(of enrollments: [FeatureEnrollment]) -> JSONObject {
        var stacks: [FeatureStack] = []
        var positions: [ByteKey: Int] = [:]
        func stack(_ feature: String) -> Int {
            if let position = positions[ByteKey(text: feature)] { return position }
            positions[ByteKey(text: feature)] = stacks.count
            stacks.append(FeatureStack(feature: feature))
            return stacks.count - 1
        }
        if declaresMessaging { _ = stack(Experiment.messagingFeature) }
        for declaration in declarations { _ = stack(declaration.id) }
        for enrollment in enrollments {
            for (feature, value) in values(at: enrollment.key) {
                stacks[stack(feature)].lay(value, isRollout: enrollment.isRollout)
            }
        }
        return JSONObject(stacks.map { (key: $0.feature, value: .object(merged($0))) })
    }

    /// The value that a branch sets for each feature of its recipe. A feature that only other branches set has an empty
    /// value, as in the SDK: the recipe holds it all the same.
    private func values(at key: FeatureEnrollment.BranchKey) -> [(feature: String, value: JSONObject)] {
        switch recipes[key.recipe].kind {
        case .messaging(let value): return [(Experiment.messagingFeature, value)]
        case .experiment(let experiment):
            let branch = experiment.branches[key.branch]
            return experiment.featureIDs.map { feature in
                let value = branch.value(of: feature) ?? [:]
                return (feature, declaration(of: feature)?.reading(value) ?? value)
            }
        }
    }

    private func declaration(of feature: String) -> FeatureDeclaration? {
        declarations.first { $0.id.hasSameBytes(as: feature) }
    }

    private func merged(_ stack: FeatureStack) -> JSONObject {
        if let declaration = declaration(of: stack.feature) { return declaration.completed(stack.value) }
        guard stack.feature.hasSameBytes(as: Experiment.messagingFeature) else { return stack.value }
        return JSONPatch.merge(vocabulary.reading(stack.value), over: baseMessaging)
    }
}

/// A branch that a client of Cirrus is in.
public struct FeatureEnrollment: Sendable, Hashable {
    /// The recipe's and the branch's numbers in one `FeatureEvaluation`: equal keys have equal features.
    public struct BranchKey: Sendable, Hashable {
        let recipe: Int
        let branch: Int
    }

    public let key: BranchKey
    public let slug: String
    public let branch: String
    public let isRollout: Bool
}

/// The values that recipes set for one feature, the lowest first.
private struct FeatureStack {
    let feature: String
    private var rollouts: [JSONObject] = []
    private var experiments: [JSONObject] = []

    init(feature: String) { self.feature = feature }

    mutating func lay(_ value: JSONObject, isRollout: Bool) {
        if isRollout { rollouts.append(value) } else { experiments.append(value) }
    }

    /// Each kind by itself first: a null deletes what it meets in its own kind, and only what is left of it meets the
    /// other's.
    var value: JSONObject {
        JSONPatch.merge([rollouts, experiments].filter { !$0.isEmpty }.map { JSONPatch.merge($0) })
    }
}
