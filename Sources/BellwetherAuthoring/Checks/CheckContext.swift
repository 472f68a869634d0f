public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON
internal import JEXL

/// The documents that a document is checked against, in addition to its manifest.
public struct CheckContext: Sendable {
    let strings: StringTables
    /// The live app; nil if nothing is live. The recipe that the document replaces is ignored.
    let live: CompiledApp?
    /// The names of the behaviour events that clients of the app sent lately; nil if they are not known.
    let seenEvents: Set<Identifier>?
    /// The time with which dates are compared; nil for no comparison.
    public var now: Timestamp?

    /// The live segments, and what `segment`, `list` and `answer` mean under a manifest.
    func scope(under manifest: Manifest) -> AudienceScope {
        AudienceScope(manifest, live: live?.live ?? [], after: live?.catalog.scope)
    }

    /// The live segments.
    public var segments: SegmentGraph { SegmentGraph(live: live?.live ?? []) }

    public init(strings: StringTables, live: CompiledApp? = nil, seenEvents: Set<Identifier>? = nil) {
        self.strings = strings
        self.live = live
        self.seenEvents = seenEvents
    }
}
