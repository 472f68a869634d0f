/// What a document is checked against beside its manifest.
public struct CheckContext: Sendable {
    let strings: StringTables
    /// What is live beside the document; nil where nothing is.
    let live: Edition?
    /// The recipe that the document replaces, of which nothing counts as live.
    let replaced: Recipe?

    public init(strings: StringTables, live: Edition? = nil, replacing replaced: Recipe? = nil) {
        self.strings = strings
        self.live = live
        self.replaced = replaced
    }

    public func replacing(_ recipe: Recipe) -> CheckContext {
        CheckContext(strings: strings, live: live, replacing: recipe)
    }
}
