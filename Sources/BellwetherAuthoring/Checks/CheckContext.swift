public import BellwetherBase
public import BellwetherCore

/// What a document is checked against beside its manifest.
public struct CheckContext: Sendable {
    let strings: StringTables
    /// What is live; nil where nothing is. Of the recipe that a document replaces nothing counts.
    let live: CompiledApp?

    public init(strings: StringTables, live: CompiledApp? = nil) {
        self.strings = strings
        self.live = live
    }
}
