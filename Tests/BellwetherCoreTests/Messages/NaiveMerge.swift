import BellwetherJSON
import Samples

@testable import BellwetherCore

/// The merged messages of one client's branches. Whole values are merged as in docs/reference/experiments.md#merging,
/// and nothing is shared between clients.
struct NaiveMerge {
    private let merged: JSONObject
    private let dialect: Dialect
    private let enrolled: [EnrolledBranch]
    private let revisions: [Identifier: Int]
    private let manifestRevision: Int

    init(manifest: Manifest, manifestRevision: Int, recipes: [CatalogRecipe], branches: BranchVector) {
        let chosen = recipes.compactMap { recipe -> (recipe: CatalogRecipe, branch: CatalogRecipe.Branch)? in
            guard let rank = recipe.rank else { return (recipe, recipe.branches[0]) }
            return branches[rank] == 0 ? nil : (recipe, recipe.branches[branches[rank] - 1])
        }
        let rollouts = JSONPatch.merge(chosen.filter(\.recipe.isRollout).map(\.branch.value))
        let experiments = JSONPatch.merge(chosen.filter { !$0.recipe.isRollout }.map(\.branch.value))
        let patch = manifest.vocabulary.reading(JSONPatch.merge(experiments, over: rollouts))
        merged = JSONPatch.merge(patch, over: manifest.baseMessaging)
        dialect = manifest.dialect
        enrolled = chosen.map(\.branch.enrollment)
        var revisions: [Identifier: Int] = [:]
        for (recipe, branch) in chosen {
            for (key, _) in branch.value["messages"]?.object ?? [:] { revisions[Identifier(key)] = recipe.revision }
        }
        self.revisions = revisions
        self.manifestRevision = manifestRevision
    }

    private func entry(_ variable: String, _ name: Identifier) -> JSONValue? { merged[variable]?.object?[name] }

    /// One text for each message, in no order.
    var messages: [String] {
        (merged["messages"]?.object ?? [:]).compactMap { key, document in
            guard let document = document.object else { return nil }
            let definition = MessageDefinition(document, dialect: dialect)
            let style = entry("styles", definition.style)?.object.map(Style.init)
            let triggers = (definition.triggers + definition.exclusions).map { entry("triggers", $0)?.string }
            let enrollment = enrolled.last { $0.slug == definition.experiment }
            return Self.text(
                key, revisions[Identifier(key)] ?? manifestRevision, definition,
                "\(String(describing: style)) \(triggers) \(String(describing: enrollment))")
        }
    }

    static func text(_ key: String, _ revision: Int, _ definition: MessageDefinition, _ rest: String) -> String {
        "\(key) \(revision) \(definition) \(rest)"
    }

    var onControl: OnControl { merged["on-control"]?.string.flatMap(OnControl.init) ?? .showNextMessage }
}
