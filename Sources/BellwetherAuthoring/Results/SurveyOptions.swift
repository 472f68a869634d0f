public import BellwetherCore
public import BellwetherJSON

/// The microsurveys of a recipe, branch by branch.
public struct RecipeSurveys: Sendable {
    /// The values of the feature `messaging`, merged over the manifest's.
    private let branches: [(slug: Identifier, names: MessagingNames)]
    private let dialect: Dialect

    public init(_ recipe: Recipe, under manifest: Manifest) {
        branches = recipe.messagingByBranch.map { branch, value in
            let own = manifest.vocabulary.reading(value ?? [:])
            return (branch, MessagingNames(patch: own, base: manifest.baseMessaging))
        }
        dialect = manifest.dialect
    }

    /// The options of one message; nil if no branch shows it as a microsurvey.
    public func options(of message: Identifier) -> SurveyOptions? {
        let lists = branches.compactMap { branch -> SurveyOptions.List? in
            let definition = MessageDefinition(branch.names.message(message.text), dialect: dialect)
            guard definition.kind.isAnswered, !definition.isControl else { return nil }
            return SurveyOptions.List(branch: branch.slug, definition.kind.options(of: definition))
        }
        return lists.isEmpty ? nil : SurveyOptions(lists)
    }
}

/// The options of one microsurvey. Each branch of a recipe may have its own list.
public struct SurveyOptions: Sendable {
    struct List: Sendable {
        /// The branch; nil for a list for every client.
        let branch: Identifier?
        /// The options in the author's form, each once.
        let options: [Identifier]

        init(branch: Identifier?, _ options: [Identifier]) {
            self.branch = branch
            var seen: Set<Identifier> = []
            self.options = options.filter { seen.insert($0).inserted }
        }

        func scale(_ text: (String) -> String) -> AnswerScale? {
            AnswerScale(options: options.map { ScaleOption(id: $0, text: text($0.text)) })
        }

        /// Whether answers to both lists can be added: option by option, or by their values on one scale.
        func addsUp(with other: List, _ text: (String) -> String) -> Bool {
            if Set(options) == Set(other.options) { return true }
            guard let own = scale(text), let their = other.scale(text) else { return false }
            return own.measuresTheSame(as: their)
        }
    }

    /// The lists, at least one.
    let lists: [List]

    init(_ lists: [List]) { self.lists = lists }

    /// One list for all clients, for a message whose recipe was deleted.
    public init(_ options: [Identifier]) { lists = [List(branch: nil, options)] }
}
