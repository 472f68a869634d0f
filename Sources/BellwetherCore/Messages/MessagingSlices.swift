internal import BellwetherJSON

/// The values that the recipes of an app set for each name of each messaging variable. They are found once, so that a
/// name is merged only from the recipes that set it.
struct MessagingSlices {
    /// A variable, and the name of one of its entries; nil for a variable that is no map.
    struct Path {
        let variable: Identifier
        let name: Identifier?
    }

    /// The values of one recipe at a path, one for each of its branches. A value is nil if the branch does not set the
    /// variable.
    struct Touch {
        let recipe: CatalogRecipe
        let values: [JSONObject?]
        /// Whether a branch has an entry of that name. It can also have another value in place of the map.
        let namesIt: [Bool]
    }

    /// An entry of a map.
    struct Entry: Hashable {
        let variable: Identifier
        let name: Identifier
    }

    private let recipes: [CatalogRecipe]
    /// The recipes that set an entry, by their positions in `recipes`, rising.
    private var touching: [Entry: [Int]] = [:]
    /// The recipes that set a variable, by their positions in `recipes`.
    private var having: [Identifier: [Int]] = [:]
    /// The variables that are not a map in some recipe. Such a value removes all entries, and any map after it,
    /// whatever names it has, restores the manifest's entries.
    private var replaced: Set<Identifier> = []

    /// Finds the values of recipes, which are in canonical order.
    init(_ recipes: [CatalogRecipe]) {
        self.recipes = recipes
        // Most recipes contain a message with its own trigger and style.
        touching.reserveCapacity(recipes.count * 4)
        for (position, recipe) in recipes.enumerated() {
            for branch in recipe.branches {
                for (variable, value) in branch.value { note(Identifier(variable), value, at: position) }
            }
        }
    }

    private mutating func note(_ variable: Identifier, _ value: JSONValue, at position: Int) {
        if having[variable]?.last != position { having[variable, default: []].append(position) }
        guard let entries = value.object else {
            replaced.insert(variable)
            return
        }
        for (name, _) in entries {
            let entry = Entry(variable: variable, name: Identifier(name))
            if touching[entry]?.last != position { touching[entry, default: []].append(position) }
        }
    }

    /// All names of entries that recipes set in a variable, in no order.
    func names(in variable: Identifier) -> [Identifier] {
        touching.keys.filter { $0.variable == variable }.map(\.name)
    }

    /// The values that recipes set at a path, in canonical order of the recipes.
    func touches(_ path: Path) -> [Touch] {
        let variable = path.variable
        guard let name = path.name, !replaced.contains(variable) else {
            return (having[variable] ?? []).map { touch($0, path) }
        }
        return (touching[Entry(variable: path.variable, name: name)] ?? []).map { touch($0, path) }
    }

    private func touch(_ position: Int, _ path: Path) -> Touch {
        let recipe = recipes[position]
        let values = recipe.branches.map { Self.restricted($0.value, to: path) }
        let namesIt = zip(recipe.branches, values).map { branch, value in
            value != nil && path.name.map { branch.value[path.variable]?.object?[$0] != nil } ?? false
        }
        return Touch(recipe: recipe, values: values, namesIt: namesIt)
    }

    /// The part of a messaging value at a path, inside the objects of the path. If the map lacks the name, it is the
    /// empty map. It is nil if the variable is missing.
    static func restricted(_ value: JSONObject, to path: Path) -> JSONObject? {
        guard let member = value[path.variable] else { return nil }
        guard let name = path.name, let entries = member.object else { return [path.variable.text: member] }
        return [path.variable.text: .object(entries[name].map { [name.text: $0] } ?? [:])]
    }
}
