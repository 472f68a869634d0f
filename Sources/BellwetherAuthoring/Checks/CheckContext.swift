public import BellwetherBase
public import BellwetherCore

/// The documents that a document is checked against beside its manifest.
public struct CheckContext: Sendable {
    let strings: StringTables
    /// The live app; nil where nothing is live. The recipe that the document replaces does not count.
    let live: CompiledApp?
    /// Nil: dates are not compared with it.
    public var now: Timestamp?

    public init(strings: StringTables, live: CompiledApp? = nil) {
        self.strings = strings
        self.live = live
    }
}
