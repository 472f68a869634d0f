/// The facts about a message that the book-keeping needs, whether it is served or ended long ago.
public struct MessageFacts: Sendable, Hashable {
    public let key: String
    public let surface: String
    public let isControl: Bool
    public let kind: MessageKind
    public let maxDisplayCount: Int
    /// The slug that the message names, whether or not the client is enrolled there.
    public let experiment: String?
    /// That recipe's branch, when the client is enrolled in it now.
    public var enrollment: EnrolledBranch?
    /// Its own, or its style's.
    public var pacing: Pacing?
    /// A press opens what it presents, and does not end it.
    public var isPresenting = false

    public init(
        key: String, definition: MessageDefinition, maxDisplayCount: Int, enrollment: EnrolledBranch?
    ) {
        self.key = key
        surface = definition.surface
        isControl = definition.isControl
        kind = definition.kind
        self.maxDisplayCount = maxDisplayCount
        isPresenting = definition.presents != nil
        experiment = definition.experiment
        self.enrollment = enrollment
    }

    /// The share of respondents that its sample contains; 1 without one.
    package var sampleShare: Double {
        pacing?.sample.map { min(1, Double($0.count) / Double(max(1, $0.total))) } ?? 1
    }

    /// The same of a client that is enrolled, or not, in the recipe that the message names.
    public func enrolled(in branch: EnrolledBranch?) -> MessageFacts {
        var facts = self
        facts.enrollment = branch
        return facts
    }

    /// A message that was served once and is remembered.
    init(
        key: String, surface: String, isControl: Bool, kind: MessageKind, maxDisplayCount: Int, experiment: String?
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
