/// A message that can be served: its names resolved, its expressions compiled. One object for all who hold it.
public final class Message: Sendable {
    public let key: String
    /// The revision of the recipe that last touched the message; of the manifest, when none did.
    public let revision: Int
    public let definition: MessageDefinition
    public let style: Style
    public let action: ActionTemplate?
    public let triggers: [TriggerUse]
    public let exclusions: [TriggerUse]
    public let facts: MessageFacts
    /// What a client must have, to see the message in this form.
    let requirements: [FormRequirement]

    init(
        revision: Int, definition: MessageDefinition, style: Style, action: ActionTemplate?,
        triggers: (all: [TriggerUse], except: [TriggerUse]), facts: MessageFacts, requirements: [FormRequirement]
    ) {
        key = facts.key
        self.revision = revision
        self.definition = definition
        self.style = style
        self.action = action
        self.triggers = triggers.all
        exclusions = triggers.except
        self.facts = facts
        self.requirements = requirements
    }
}

public struct Style: Sendable, Hashable {
    public let priority: Int
    public let maxDisplayCount: Int
}

/// An action's URL before substitution. The name is null when the message wrote the URL itself.
public struct ActionTemplate: Sendable, Hashable {
    public let name: String?
    public let url: String
}

/// A trigger by name, and where its expression stands in the catalog.
public struct TriggerUse: Sendable, Hashable {
    public let name: String
    public let expression: Int
}

/// A recipe's branch in which a client is enrolled.
public struct EnrolledBranch: Sendable, Hashable {
    public let slug: String
    public let branch: String

    public init(slug: String, branch: String) {
        self.slug = slug
        self.branch = branch
    }
}

/// What the book-keeping must know of a message, served or long ended.
public struct MessageFacts: Sendable, Hashable {
    public let key: String
    public let surface: String
    public let isControl: Bool
    public let isMicrosurvey: Bool
    public let maxDisplayCount: Int
    /// The slug that the message names, whether or not the client is enrolled there.
    public let experiment: String?
    /// That recipe's branch, when the client is enrolled in it now.
    public var enrollment: EnrolledBranch?

    public init(
        key: String, definition: MessageDefinition, maxDisplayCount: Int, enrollment: EnrolledBranch?
    ) {
        self.key = key
        surface = definition.surface
        isControl = definition.isControl
        isMicrosurvey = definition.surface == Self.microsurveySurface || definition.style == Self.microsurveyStyle
        self.maxDisplayCount = maxDisplayCount
        experiment = definition.experiment
        self.enrollment = enrollment
    }

    /// The same of a client that is enrolled, or not, in the recipe that the message names.
    public func enrolled(in branch: EnrolledBranch?) -> MessageFacts {
        var facts = self
        facts.enrollment = branch
        return facts
    }

    /// A message that was served once and is remembered.
    init(
        key: String, surface: String, isControl: Bool, isMicrosurvey: Bool, maxDisplayCount: Int, experiment: String?
    ) {
        self.key = key
        self.surface = surface
        self.isControl = isControl
        self.isMicrosurvey = isMicrosurvey
        self.maxDisplayCount = maxDisplayCount
        self.experiment = experiment
        enrollment = nil
    }

    public static let microsurveySurface = "microsurvey"
    static let microsurveyStyle = "MICROSURVEY"
}

/// Why a message can not be served, in the order in which it is found (nimbus-messaging.md A, "Malformed rules").
public enum Malformation: Sendable, Hashable {
    case emptyText
    case unknownAction(String)
    case unknownStyle(String)
    case unknownTrigger(String)
    case unknownExclusion(String)

    public var sentence: String {
        switch self {
        case .emptyText: "it has no text"
        case .unknownAction(let name): "its action \"\(name)\" is neither known nor a URL"
        case .unknownStyle(let name): "its style \"\(name)\" is not known"
        case .unknownTrigger(let name): "its trigger \"\(name)\" is not known"
        case .unknownExclusion(let name): "its exclusion \"\(name)\" is not known"
        }
    }
}

public struct MalformedMessage: Sendable, Hashable {
    public let facts: MessageFacts
    public let definition: MessageDefinition
    /// Nil when the style is what is missing.
    public let priority: Int?
    public let revision: Int
    public let reason: Malformation
    let requirements: [FormRequirement]
}
