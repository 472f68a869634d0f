public import BellwetherCore
public import BellwetherJSON

/// The effects of a new manifest on the recipes in force: their enrolled clients, and the surfaces of their messages. A
/// fault that already existed under the old manifest is not reported again.
public struct ManifestChange {
    private let old: Manifest
    private let new: Manifest
    private let findings: Findings

    public init(from old: Manifest, to new: Manifest, findings: Findings) {
        self.old = old
        self.new = new
        self.findings = findings
    }

    /// Warns at the locations of the new manifest. `recipes` are the live and the paused recipes, including recipes
    /// that have not begun.
    public func check(_ recipes: [Recipe]) {
        let removed = Set(old.surfaces).subtracting(new.surfaces)
        for recipe in recipes {
            if let experiment = recipe.experiment { checkIdentity(of: experiment) }
            if !removed.isEmpty { checkSurfaces(of: recipe, removed) }
            if !old.features.isEmpty { checkFeatures(of: recipe) }
        }
    }

    /// The clients of a recipe for another app or another channel are disqualified at their next poll.
    private func checkIdentity(of experiment: Experiment) {
        let consequence = "its enrolled clients are disqualified, and no others are enrolled"
        if experiment.isForApp(old.appName), !experiment.isForApp(new.appName), let app = experiment.appName {
            findings.warn(
                "disqualified", at: JSONPointer.root.appending("app_name"),
                "recipe \"\(experiment.slug)\" is for app \"\(app)\": \(consequence)")
        }
        let (before, after) = (old.channel?.lowercased(), new.channel?.lowercased())
        if experiment.isForChannel(lowercased: before), !experiment.isForChannel(lowercased: after) {
            let channels = experiment.channels.map { "\"\($0)\"" }.joined(separator: ", ")
            findings.warn(
                "disqualified", at: JSONPointer.root.appending("channel"),
                "recipe \"\(experiment.slug)\" is for channel \(channels): \(consequence)")
        }
    }

    /// A recipe's value has no effect if the new manifest declares another type, or does not declare the variable.
    private func checkFeatures(of recipe: Recipe) {
        guard let experiment = recipe.experiment else { return }
        for declaration in old.features {
            let values = experiment.branches.compactMap { $0.value(of: declaration.id) }
            guard !values.isEmpty else { continue }
            guard let feature = new.feature(declaration.id) else {
                findings.warn(
                    "feature_in_use", at: JSONPointer.root.appending("features"),
                    "recipe \"\(recipe.slug)\" has the feature \"\(declaration.id)\", which is removed")
                continue
            }
            for variable in declaration.variables {
                let set = values.compactMap { $0[variable.name] }.filter { variable.type.admits($0) }
                check(set, of: variable.name.text, in: feature, recipe)
            }
        }
    }

    private func check(_ values: [JSONValue], of name: String, in feature: FeatureDeclaration, _ recipe: Recipe) {
        let variable = feature.variable(Identifier(name))
        guard !values.isEmpty, !values.allSatisfy({ variable?.type.admits($0) == true }) else { return }
        let location = JSONPointer(tokens: ["features", feature.id.text, "variables"])
        let change = variable == nil ? "is removed" : "has another type"
        findings.warn(
            "feature_in_use", at: variable == nil ? location : location.appending(name),
            "recipe \"\(recipe.slug)\" sets \"\(feature.id).\(name)\", which \(change): what it sets does not count")
    }

    /// Messages are read under the old manifest, because the new one ignores surfaces that it does not have. A message
    /// with a surface in the manifest has its finding there (`unknown_surface`).
    private func checkSurfaces(of recipe: Recipe, _ removed: Set<Identifier>) {
        var reported: Set<Identifier> = []
        for message in LocatedMessaging.values(of: recipe, in: old).flatMap(\.messages) {
            let surface = message.definition.surface
            guard removed.contains(surface), message.isNew || message.field("surface") != nil,
                reported.insert(message.key).inserted
            else { continue }
            findings.warn(
                "surface_in_use", at: JSONPointer.root.appending("surfaces"),
                "message \"\(message.key)\" of recipe \"\(recipe.slug)\" has surface \"\(surface)\", which is removed: "
                    + "it is never offered")
        }
    }
}
