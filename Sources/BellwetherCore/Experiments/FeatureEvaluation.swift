internal import BellwetherBase
public import BellwetherJSON
internal import JEXL

/// An app's features as Cirrus serves them. All features are included, not only messaging, and only the live recipes
/// and the request decide (docs/reference/experiments.md#stateless-evaluation). It is created at publish.
///
/// No state of a client is stored. A client is enrolled again at each request, and gets the same branch because its id
/// has the same hash.
public struct FeatureEvaluation: Sendable {
    /// The app's id in enrollments: its `app_id`, or its name if it has none.
    public let appID: Identifier
    /// The recipes that Cirrus accepts, in canonical order.
    private let recipes: [Recipe]
    private let experiments: ExperimentSet
    private let attributes: JSONObject
    private let vocabulary: MessagingVocabulary
    private let baseMessaging: JSONObject
    /// Whether the manifest itself declares `messaging`; the built-in values alone do not count. A declared feature is
    /// in the response even if no recipe sets it, as in Cirrus.
    private let declaresMessaging: Bool
    private let declarations: [FeatureDeclaration]

    /// `live` contains all live recipes of the app. Paused recipes enroll no client, and no client was enrolled before.
    public init(app: Identifier, manifest: Manifest, live: [Recipe]) {
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

    /// Whether Cirrus accepts a recipe. Cirrus requires exactly its own app and channel. The SDK accepts a recipe that
    /// names none, and compares channels without case. An app without a channel accepts the recipes of every channel.
    private static func takes(_ recipe: Recipe, manifest: Manifest) -> Bool {
        guard case .experiment(let experiment) = recipe.kind else { return true }
        guard let appName = experiment.appName, appName == manifest.appName else { return false }
        guard let channel = manifest.channel else { return true }
        return experiment.channels.contains(Identifier(channel))
    }

    /// The status of a client in every experiment and rollout, in the order of their evaluation.
    ///
    /// The id is the `user_id` only, so a recipe whose unit is `nimbus_id` is an error. The gates also check the app
    /// and the channel of the context, and compare them as the SDK does.
    public func statuses(userID: Identifier, context: JSONObject) -> [Enrollment] {
        let environment = FeatureTargeting(app: attributes, context: context)
        let subject = EnrollmentSubject(
            appName: environment.value(of: "app_name")?.string, channel: environment.value(of: "channel")?.string,
            ids: RandomizationIDs(nimbusID: nil, userID: userID.text), participation: .full)
        // The time only decides how long an ended recipe is stored, and here no recipe was live before.
        let evolution = EnrollmentEvolution(
            recipes: experiments, subject: subject, environment: environment,
            clock: DecisionClock(at: Timestamp(seconds: 0)))
        return evolution.evolve([]).enrollments
    }

    /// The branches that a client is in, in canonical order. Every client is in the branch of a bare messaging value.
    public func enrollments(userID: Identifier, context: JSONObject) -> [FeatureEnrollment] {
        let branches = Dictionary(
            statuses(userID: userID, context: context).compactMap(\.enrolledBranch)
                .map { ($0.slug, $0.branch) },
            uniquingKeysWith: { first, _ in first })
        return recipes.indices.compactMap { position in
            let recipe = recipes[position]
            guard case .experiment(let experiment) = recipe.kind else {
                return FeatureEnrollment(
                    key: .init(recipe: position, branch: 0), slug: recipe.slug, branch: Recipe.rolloutBranch,
                    isRollout: true)
            }
            guard let slug = branches[recipe.slug],
                let branch = experiment.branches.firstIndex(where: { $0.slug == slug })
            else { return nil }
            return FeatureEnrollment(
                key: .init(recipe: position, branch: branch), slug: recipe.slug, branch: slug,
                isRollout: experiment.isRollout)
        }
    }

    /// Returns the value of each feature that these branches set (docs/reference/experiments.md#merging). Experiments
    /// are merged with one another, and so are rollouts. Experiments override rollouts, and rollouts override the
    /// defaults of the manifest.
    public func features(of enrollments: [FeatureEnrollment]) -> JSONObject {
        var stacks: [FeatureStack] = []
        var positions: [Identifier: Int] = [:]
        func stack(_ feature: Identifier) -> Int {
            if let position = positions[feature] { return position }
            positions[feature] = stacks.count
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
        return JSONObject(stacks.map { (key: $0.feature.text, value: .object(merged($0))) })
    }

    /// The value that a branch sets for each feature of its recipe. A feature that only other branches set has an empty
    /// value, as in the SDK, because the recipe still holds it.
    private func values(at key: FeatureEnrollment.BranchKey) -> [(feature: Identifier, value: JSONObject)] {
        switch recipes[key.recipe].kind {
        case .messaging(let value): return [(Experiment.messagingFeature, value)]
        case .segment: return []
        case .experiment(let experiment):
            let branch = experiment.branches[key.branch]
            return experiment.featureIDs.map { feature in
                let value = branch.value(of: feature) ?? [:]
                return (feature, declaration(of: feature)?.reading(value) ?? value)
            }
        }
    }

    private func declaration(of feature: Identifier) -> FeatureDeclaration? {
        declarations.first { $0.id == feature }
    }

    private func merged(_ stack: FeatureStack) -> JSONObject {
        if let declaration = declaration(of: stack.feature) { return declaration.completed(stack.value) }
        guard stack.feature == Experiment.messagingFeature else { return stack.value }
        return JSONPatch.merge(vocabulary.reading(stack.value), over: baseMessaging)
    }
}

/// A branch in which Cirrus enrolls a client.
public struct FeatureEnrollment: Sendable, Hashable {
    /// The recipe's and the branch's numbers in one `FeatureEvaluation`. Equal keys have equal features.
    public struct BranchKey: Sendable, Hashable {
        let recipe: Int
        let branch: Int
    }

    public let key: BranchKey
    public let slug: Identifier
    public let branch: Identifier
    public let isRollout: Bool
}

/// The values that recipes set for one feature, lowest layer first.
private struct FeatureStack {
    let feature: Identifier
    private var rollouts: [JSONObject] = []
    private var experiments: [JSONObject] = []

    init(feature: Identifier) { self.feature = feature }

    mutating func lay(_ value: JSONObject, isRollout: Bool) {
        if isRollout { rollouts.append(value) } else { experiments.append(value) }
    }

    /// The merged value. Each kind is merged by itself first: a null deletes values of its own kind, and the result of
    /// one kind is then merged with the other's.
    var value: JSONObject {
        JSONPatch.merge([rollouts, experiments].filter { !$0.isEmpty }.map { JSONPatch.merge($0) })
    }
}

/// The values that targeting can read if Cirrus evaluates it: the request's context over the app's own attributes.
/// There are no transforms.
///
/// `language` and `region` are the parts of the context's `locale`, and null without a locale, unless the context sets
/// them itself. Any other name that was not sent is undefined, also the SDK's names, because a server has no facts
/// about a device.
struct FeatureTargeting: EvolvingEnvironment {
    let app: JSONObject
    let context: JSONObject

    var registersTransforms: Bool { false }

    func value(of identifier: String) -> JSONValue? {
        // A request cannot say what a list contains, or what a client has answered.
        if AudienceScope.parts(of: identifier) != nil { return nil }
        if let value = context[identifier] { return value }
        if let value = app[identifier] { return value }
        return switch identifier {
        case "language": languageAndRegion.language
        case "region": languageAndRegion.region
        default: .none
        }
    }

    /// The first two parts of the locale, separated by hyphens. An empty part is null. Without a hyphen, the whole
    /// locale is the language (docs/reference/expressions.md#targeting-context).
    private var languageAndRegion: (language: JSONValue, region: JSONValue) {
        guard let named = context["locale"]?.string else { return (.null, .null) }
        let locale = LanguageTag(named)?.text ?? named
        let parts = locale.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count > 1 else { return (.string(locale), .null) }
        func part(_ index: Int) -> JSONValue { parts[index].isEmpty ? .null : .string(String(Substring(parts[index]))) }
        return (part(0), part(1))
    }

    /// Returns itself, because Cirrus evaluates each recipe separately.
    func with(_ branches: ClientBranches) -> FeatureTargeting { self }

    /// Never called: without transforms there are no event queries.
    func result(of query: EventQuery) -> Double { 0 }

    /// Never called: without transforms there are no samples.
    func hash48(ofJSON text: [UInt8]) -> UInt64 { 0 }
}
