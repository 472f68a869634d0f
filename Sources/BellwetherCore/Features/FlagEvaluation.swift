public import BellwetherJSON

/// The value of one flag for one client, and its reason (docs/reference/features.md#values-and-reasons).
public struct FlagEvaluation: Sendable, Hashable {
    public let key: Identifier
    /// The value; nil if nothing sets the flag, so that the default in the app's code applies.
    public let value: JSONValue?
    public let reason: Reason
    /// The branch in the recipe that decides the flag; `default` if there is no such recipe.
    public let variant: Identifier
    /// The slug of the recipe that decides the flag.
    public let recipe: Identifier?
    public let source: Source

    /// The reason, as OpenFeature spells it.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The manifest's default is used.
        case fixed = "STATIC"
        /// A recipe with one branch decides.
        case targetingMatch = "TARGETING_MATCH"
        /// A recipe with several branches decides.
        case split = "SPLIT"
        /// Only paused recipes set the flag.
        case disabled = "DISABLED"
    }

    /// The source of the value. It can be the manifest although a recipe decides the flag, if the client's branch does
    /// not set the variable.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        case nothing = "none"
        case manifest = "default"
        case rollout
        case experiment
    }

    /// The variant of a client for which no recipe decides the flag.
    static let defaultVariant: Identifier = "default"
}

extension CompiledFeature {
    /// All flags of the feature for clients of the variation, in the order of `keys`.
    public func evaluations(in variation: FeatureVariation) -> [FlagEvaluation] {
        let layers = layers(of: variation)
        let value = declaration.completed(CompiledFeature.merged(layers))
        return keys.indices.map { evaluation(at: $0, of: value, layers) }
    }

    /// The value that one recipe contributes for a client that is in it.
    private struct Layer {
        let holder: Holder
        let branch: Int

        var experiment: Experiment { holder.member.experiment }
        var value: JSONObject { holder.values[branch] }
        var source: FlagEvaluation.Source { experiment.isRollout ? .rollout : .experiment }
    }

    /// The layers in canonical order: the last one wins.
    private func layers(of variation: FeatureVariation) -> [Layer] {
        zip(holders, variation.branches).compactMap { holder, number in
            number > 0 ? Layer(holder: holder, branch: Int(number) - 1) : nil
        }
    }

    /// The merged value: each kind is merged by itself, then experiments over rollouts
    /// (docs/reference/experiments.md#merging).
    private static func merged(_ layers: [Layer]) -> JSONObject {
        let kinds = [layers.filter(\.experiment.isRollout), layers.filter { !$0.experiment.isRollout }]
        return JSONPatch.merge(kinds.filter { !$0.isEmpty }.map { JSONPatch.merge($0.map(\.value)) })
    }

    /// The evaluation of one flag. The last recipe that decides the flag gives reason and variant. This includes a
    /// client whose branch does not set the variable, because that branch is compared with the others.
    private func evaluation(at index: Int, of feature: JSONObject, _ layers: [Layer]) -> FlagEvaluation {
        let variable = index > 0 ? declaration.variables[index - 1].name : nil
        let source = source(of: variable, layers)
        var value: JSONValue?
        if let variable { value = feature[variable] } else if source != .nothing { value = .object(feature) }
        let deciding = layers.last { $0.holder.decides(variable) }
        let reason: FlagEvaluation.Reason
        if let deciding {
            reason = deciding.experiment.branches.count > 1 ? .split : .targetingMatch
        } else {
            reason = value == nil && paused.contains { $0.decides(variable) } ? .disabled : .fixed
        }
        return FlagEvaluation(
            key: keys[index], value: value, reason: reason,
            variant: deciding.map { $0.experiment.branches[$0.branch].slug } ?? FlagEvaluation.defaultVariant,
            recipe: deciding?.experiment.slug, source: source)
    }

    private func source(of variable: Identifier?, _ layers: [Layer]) -> FlagEvaluation.Source {
        guard let variable else {
            let layer = layers.last { !$0.value.isEmpty } ?? layers.last
            return layer?.source ?? (declaration.defaults.isEmpty ? .nothing : .manifest)
        }
        let isDefault: FlagEvaluation.Source = declaration.defaults[variable] == nil ? .nothing : .manifest
        for layer in layers.reversed() {
            guard let value = layer.value[variable] else { continue }
            return value == .null ? isDefault : layer.source
        }
        return isDefault
    }
}
