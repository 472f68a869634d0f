public import BellwetherJSON

/// The facts about a message that event processing needs. The message may be served now, or have ended.
public struct MessageFacts: Sendable, Hashable {
    public let key: Identifier
    public let surface: Identifier
    public let isControl: Bool
    public let kind: MessageKind
    /// `Int.max` if the displays are not capped.
    public let maxDisplayCount: Int
    /// The slug of the recipe that the message names, whether or not the client is enrolled there.
    public let experiment: Identifier?
    /// The client's branch in that recipe, if it is enrolled now.
    public var enrollment: EnrolledBranch?
    /// The message's own pacing, or its style's.
    public var pacing: Pacing?
    /// Whether a press opens presented content instead of ending the message.
    public var isPresenting = false
    /// The slug of the recipe that it presents; nil if it presents none, or is not served now.
    public private(set) var presents: Identifier?

    /// The maximum number of displays; nil if they are not capped.
    var cap: Int? { maxDisplayCount == .max ? nil : maxDisplayCount }

    public init(
        key: Identifier, definition: MessageDefinition, maxDisplayCount: Int, enrollment: EnrolledBranch?
    ) {
        self.key = key
        surface = definition.surface
        isControl = definition.isControl
        kind = definition.kind
        self.maxDisplayCount = maxDisplayCount
        presents = definition.presents
        isPresenting = presents != nil
        experiment = definition.experiment
        self.enrollment = enrollment
    }

    /// The share of respondents in the message's sample; 1 if it has none.
    package var sampleShare: Double {
        pacing?.sample.map { min(1, Double($0.count) / Double(max(1, $0.total))) } ?? 1
    }

    /// The same facts for a client that is, or is not, enrolled in the recipe that the message names.
    public func enrolled(in branch: EnrolledBranch?) -> MessageFacts {
        var facts = self
        facts.enrollment = branch
        return facts
    }

    /// Creates the facts of a message that was served before.
    package init(
        key: Identifier, surface: Identifier, isControl: Bool, kind: MessageKind, maxDisplayCount: Int,
        experiment: Identifier?
    ) {
        self.key = key
        self.surface = surface
        self.isControl = isControl
        self.kind = kind
        self.maxDisplayCount = maxDisplayCount
        self.experiment = experiment
        enrollment = nil
    }
}
