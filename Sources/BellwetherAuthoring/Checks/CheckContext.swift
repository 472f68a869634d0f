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
    /// The names of the app's lists; nil if they are not known.
    let lists: Set<String>?
    /// The names of the facts that recipes of the app declare; nil if they are not known.
    var facts: Set<String>?
    /// Whether the document was published before.
    public var isStored = false
    /// The time with which dates are compared; nil for no comparison.
    public var now: Timestamp?

    /// The live segments, and what `segment`, `list` and `answer` mean under a manifest.
    func scope(under manifest: Manifest) -> AudienceScope {
        AudienceScope(manifest, live: live?.live ?? [], after: live?.catalog.scope)
    }

    /// The live segments.
    public var segments: SegmentGraph { SegmentGraph(live: live?.live ?? []) }

    /// Warns of segments, lists and facts that an expression names and that do not exist.
    func checkNames(of source: String, under manifest: Manifest, at location: JSONPointer, findings: Findings) {
        guard let expression = try? CompiledExpression(source, in: scope(under: manifest)) else { return }
        checkNames(of: expression, at: location, findings: findings)
    }

    func checkNames(of expression: CompiledExpression, at location: JSONPointer, findings: Findings) {
        for name in expression.names(after: .segment) {
            findings.warn(
                "unknown_segment", at: location,
                "no segment \"\(name)\" is live: the expression fails where it reads it")
        }
        for name in expression.names(after: .list) where lists?.contains(name) == false {
            findings.warn(
                "unknown_list", at: location, "there is no list \"\(name)\": the expression fails where it reads it")
        }
        for name in expression.names(after: .answer) where facts?.contains(name) == false {
            findings.warn(
                "unknown_fact", at: location, "no recipe has a fact \"\(name)\": answer.\(name) is always null")
        }
    }

    public init(
        strings: StringTables, live: CompiledApp? = nil, seenEvents: Set<Identifier>? = nil, lists: Set<String>? = nil,
        facts: Set<String>? = nil
    ) {
        self.facts = facts
        self.strings = strings
        self.live = live
        self.lists = lists
        self.seenEvents = seenEvents
    }
}
