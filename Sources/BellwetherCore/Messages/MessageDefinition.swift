public import BellwetherJSON

/// A message as its merged document defines it, read with the SDK's tolerance. A field of the wrong type counts as
/// missing, and a missing field has the dialect's default (docs/reference/messaging.md#message-fields).
public struct MessageDefinition: Sendable, Hashable {
    public var title: String?
    public var text: String
    public var buttonLabel: String?
    public var isControl: Bool
    public var style: Identifier
    public var surface: Identifier
    public var experiment: Identifier?
    public var action: Identifier?
    public var actionParameters: [ActionParameter]
    public var triggers: [Identifier]
    public var exclusions: [Identifier]
    public var microsurvey: MicrosurveyDefinition
    /// The slug of the recipe that it presents.
    public var presents: Identifier?
    /// Whether a page asks for consent before what it presents.
    public var showsConsent: Bool
    public var pacing: Pacing?
    /// The launch trigger of an offer.
    public var launchTrigger: LaunchTrigger?
    public let kind: MessageKind
    /// The part that its author wrote, that cannot be read, and in whose place a built-in text would be shown.
    package let unreadable: String?

    static let consentKey = "showsConsent"

    /// - Parameter unreadable: The first such part, if the message is a microsurvey.
    public init(_ document: JSONObject, dialect: Dialect, unreadable: String? = nil) {
        title = document["title"]?.string
        text = document["text"]?.string ?? ""
        buttonLabel = document["button-label"]?.string
        isControl = document["is-control"]?.bool ?? false
        style = document["style"]?.identifier ?? "DEFAULT"
        surface = document["surface"]?.identifier ?? dialect.defaultSurface
        experiment = document["experiment"]?.identifier
        action = document["action"]?.identifier ?? dialect.defaultAction
        actionParameters = ActionParameter.sorted(document["action-params"]?.object ?? [:])
        triggers = Self.identifiers(document["trigger-if-all"]) ?? dialect.defaultTriggers
        exclusions = Self.identifiers(document[dialect.exclusionKey]) ?? []
        microsurvey = MicrosurveyDefinition(document[MicrosurveyDefinition.key]?.object ?? [:])
        presents = document["presents"]?.identifier
        showsConsent = document[Self.consentKey]?.bool ?? true
        pacing = Pacing(document["pacing"])
        launchTrigger = LaunchTrigger(document[LaunchTrigger.key])
        kind = MessageKind(surface: surface, style: style)
        self.unreadable = kind.hasBuiltInTexts ? unreadable : nil
    }

    /// Items of the wrong type are dropped, as the SDK drops them.
    static func identifiers(_ value: JSONValue?) -> [Identifier]? { value?.array?.compactMap(\.identifier) }
}

/// A query item that a press appends to the action's URL.
public struct ActionParameter: Sendable, Hashable {
    public let name: String
    public let value: String

    /// Sorts the parameters by name, because the order of a phone's dictionary is arbitrary and a poll's response must
    /// be stable.
    static func sorted(_ parameters: JSONObject) -> [ActionParameter] {
        parameters
            .compactMap { name, value in value.string.map { ActionParameter(name: name, value: $0) } }
            .sorted { $0.name.precedes($1.name) }
    }
}

/// The survey's part of a message. In a message without a survey, the fields have their defaults.
public struct MicrosurveyDefinition: Sendable, Hashable {
    /// The member of a message.
    static let key = "microsurveyConfig"

    public var utmContent: String?
    public var icon: String
    /// String ids or literal texts. If the document has none, these are the fallback options.
    public var options: [Identifier]

    init(_ document: JSONObject) {
        utmContent = document["utm-content"]?.string
        icon = document["icon"]?.string ?? "lightbulbLarge"
        let options = MessageDefinition.identifiers(document["options"]) ?? []
        self.options = options.isEmpty ? MicrosurveyStrings.fallbackOptions : options
    }
}

extension Dialect {
    public var defaultSurface: Identifier {
        switch self {
        case .ios: "Unknown"
        case .android: "homescreen"
        }
    }

    var defaultAction: Identifier? {
        switch self {
        case .ios: nil
        case .android: "OPEN_URL"
        }
    }

    var defaultTriggers: [Identifier] {
        switch self {
        case .ios: ["ALWAYS"]
        case .android: []
        }
    }
}
