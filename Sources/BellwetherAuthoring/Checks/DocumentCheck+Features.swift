internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// Values of features that the manifest declares otherwise, or not at all.
extension DocumentCheck {
    /// A manifest that declares no feature leaves them all to the recipes.
    func checkFeatures(of recipe: Recipe) {
        guard recipe.experiment != nil, !manifest.features.isEmpty else { return }
        var unknown: Set<ByteKey> = []
        for feature in RecipeFeatures.all(in: recipe.document) where !RecipeFeatures.isMessaging(feature) {
            guard let id = feature.optional("featureId"), let name = id.value.string else { continue }
            if let declaration = manifest.feature(name) {
                check(feature, as: declaration)
            } else if unknown.insert(ByteKey(text: name)).inserted {
                findings.warn(
                    "unknown_feature", at: id.pointer,
                    "the manifest declares no feature \"\(name)\": OpenFeature's clients do not get it")
            }
        }
    }

    private func check(_ feature: JSONReader, as declaration: FeatureDeclaration) {
        for (name, value) in feature.optional("value")?.members() ?? [] {
            guard let variable = declaration.variable(name) else {
                findings.warn(
                    "unknown_variable", at: value.pointer,
                    "the feature \"\(declaration.id)\" has no variable \"\(name)\": it is no flag of its own")
                continue
            }
            guard value.value != .null, !variable.type.admits(value.value) else { continue }
            findings.warn(
                "variable_type", at: value.pointer,
                "\(name) is declared as \(variable.type.rawValue), this is a \(value.value.typeName): it is left out")
        }
    }
}
