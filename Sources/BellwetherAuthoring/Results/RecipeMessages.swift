internal import BellwetherCore
public import BellwetherJSON

/// The keys of the messages that a recipe's document defines in any branch.
public enum RecipeMessages {
    /// Empty for an unreadable document, which may have been published under less strict rules.
    public static func keys(in document: [UInt8], slug: Identifier) -> [Identifier] {
        guard let value = try? JSONValue(parsing: document, limits: .kept) else { return [] }
        return keys(in: value, slug: slug)
    }

    static func keys(in document: JSONValue, slug: Identifier) -> [Identifier] {
        var seen: Set<Identifier> = []
        return messages(of: document).map(\.key)
            .map { Identifier(ExperimentSubstitution.replace(in: $0, slug: slug)) }
            .filter { seen.insert($0).inserted }
    }

    /// The messages that each branch shows, without its controls. Those of a document without branches are under nil.
    public static func shownKeys(in document: JSONValue, slug: Identifier) -> [Identifier?: [Identifier]] {
        func keys(_ document: JSONValue) -> [Identifier] {
            messages(of: document).filter { $0.value.object?["is-control"] != true }
                .map { Identifier(ExperimentSubstitution.replace(in: $0.key, slug: slug)) }
        }
        guard let branches = document.object?["branches"]?.array else { return [nil: keys(document)] }
        var shown: [Identifier?: [Identifier]] = [:]
        for branch in branches {
            if let name = branch.object?["slug"]?.identifier { shown[name] = keys(["branches": [branch]]) }
        }
        return shown
    }

    /// The messages as their authors wrote them.
    static func messages(of document: JSONValue) -> [JSONObject.Element] {
        messagingValues(of: document).flatMap { Array($0.object?["messages"]?.object ?? [:]) }
    }

    /// The document itself, or the values of the feature `messaging` in its branches.
    private static func messagingValues(of document: JSONValue) -> [JSONValue] {
        guard document.object?["branches"]?.array != nil else { return [document] }
        return RecipeFeatures.all(in: document).filter { RecipeFeatures.isMessaging($0) }
            .compactMap { $0.optional("value")?.value }
    }
}
