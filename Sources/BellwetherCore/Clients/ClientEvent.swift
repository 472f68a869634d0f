public import BellwetherBase
public import BellwetherJSON

/// One event that a client reports (docs/reference/events.md#events).
public struct ClientEvent: Sendable, Hashable {
    /// An id that is unique for the client. If it is nil, a repetition of the event is counted again.
    public let id: Identifier?
    /// The time of the event by the client's clock; nil: now.
    public let at: Timestamp?
    public let kind: Kind
    /// The app's session in which a message was displayed.
    public var sessionID: Identifier?

    public enum Kind: Sendable, Hashable {
        /// `properties` are as they arrived: the manifest says which of them count.
        case behavior(name: Identifier, count: UInt64, properties: JSONObject = [:])
        case message(MessageAction, key: Identifier, actionUUID: String?)
        case microsurvey(MicrosurveyStep, key: Identifier)
        case exposure(experiment: Identifier?, featureID: Identifier?)
    }

    /// An event dated within 5 minutes of now counts as happening now; an event further ahead is refused
    /// (docs/reference/events.md#event-times).
    public static let toleranceSeconds: Int64 = 300

    /// The time at which an event counts (docs/reference/events.md#event-times).
    package enum Time: Sendable, Hashable {
        case now
        case past(Timestamp)
        case future, tooOld

        /// - Parameters:
        ///   - at: the event's own time; nil: now.
        ///   - seconds: the time for which ids are remembered.
        package init(_ at: Timestamp?, now: Timestamp, remembered seconds: Int64) {
            guard let at else {
                self = .now
                return
            }
            if at > now.adding(seconds: toleranceSeconds) {
                self = .future
            } else if at < now.adding(seconds: -seconds) {
                self = .tooOld
            } else {
                self = at < now.adding(seconds: -toleranceSeconds) ? .past(at) : .now
            }
        }
    }

    public init(id: Identifier?, at: Timestamp?, kind: Kind) {
        self.id = id
        self.at = at
        self.kind = kind
    }
}

public enum MessageAction: String, Sendable, Hashable, CaseIterable {
    case displayed, clicked, dismissed
}

/// The reason why one event of a batch was rejected. The other events of the batch are still accepted.
public struct EventRejection: Sendable, Hashable {
    /// The event's index in the request.
    public let index: Int
    public let code: String
    public let message: String

    public init(index: Int, code: String, message: String) {
        self.index = index
        self.code = code
        self.message = message
    }
}

/// A part of an event that nothing reads, such as a misspelled member. The event is recorded without it.
public struct EventWarning: Sendable, Hashable {
    public enum Code: String, Sendable, Hashable {
        case unknownMember = "unknown_member"
        /// The manifest does not declare the property.
        case unknownProperty = "unknown_property"
        /// The property has another type than the manifest declares.
        case propertyType = "property_type"
        /// The text is longer than a property may be.
        case propertyLength = "property_length"
    }

    /// The event's index in the request.
    public let index: Int
    public let code: Code
    /// The name of the member or property.
    public let name: String

    public init(index: Int, code: Code, name: String) { (self.index, self.code, self.name) = (index, code, name) }
}

extension ClientEvent {
    /// Calls `note` for each member that no event of the value's type has. Without such a member nothing is allocated.
    ///
    /// - Parameter isLine: Whether the event also names its client, as a line of NDJSON does.
    public static func forEachUnknownMember(of value: JSONValue, isLine: Bool, _ note: (String) -> Void) {
        guard let members = value.object, let type = members["type"]?.string.flatMap(EventType.init) else { return }
        for member in members where !type.reads(member.key) && !(isLine && member.key == "client_id") {
            note(member.key)
        }
    }

    /// A count lies in 1..1,000,000 (docs/reference/events.md#event-types).
    static let counts: ClosedRange<Int64> = 1...1_000_000
    private enum EventType: String, CaseIterable {
        case behavior, message, microsurvey, feature

        /// Whether an event of the type has this member.
        func reads(_ key: String) -> Bool {
            switch (self, key) {
            case (_, "type"), (_, "id"), (_, "at"): true
            case (.behavior, "name"), (.behavior, "count"), (.behavior, "properties"): true
            case (.behavior, _): false
            case (_, "action"): true
            case (.feature, "experiment"), (.feature, "feature_id"): true
            case (.feature, _): false
            case (_, "message"): true
            case (.message, "action_uuid"), (.message, "session_id"): true
            default: false
            }
        }
    }

    /// Reads one event; nil when it has a fault.
    public static func read(_ reader: JSONReader) -> ClientEvent? {
        let faultsBefore = reader.findings.faults.count
        guard reader.object() != nil, let type = reader.required("type")?.choice(EventType.self) else { return nil }
        let kind: Kind? =
            switch type {
            case .behavior: readBehavior(reader)
            case .message: readMessage(reader)
            case .microsurvey: readMicrosurvey(reader)
            case .feature: readExposure(reader)
            }
        let id = reader.optional("id")?.printable()
        let at = reader.optional("at").flatMap { $0.time() }
        let session = type == .message ? reader.optional("session_id")?.printable() : nil
        guard let kind, reader.findings.faults.count == faultsBefore else { return nil }
        var event = ClientEvent(id: id, at: at, kind: kind)
        event.sessionID = session
        return event
    }

    /// The id of a value that may be no valid event; nil if the value has no valid id.
    public static func id(of value: JSONValue) -> Identifier? {
        JSONReader(value, findings: Findings()).optional("id")?.printable()
    }

    private static func readBehavior(_ reader: JSONReader) -> Kind? {
        let count = reader.optional("count").map { $0.integer(in: counts) } ?? 1
        let properties = reader.optional("properties").map { Self.properties($0) } ?? [:]
        guard let name = reader.required("name")?.printable(), let count, let properties else { return nil }
        return .behavior(name: name, count: UInt64(count), properties: properties)
    }

    /// Reads the properties of a behaviour event, of which the manifest says which ones count.
    package static func properties(_ reader: JSONReader) -> JSONObject? {
        guard let properties = reader.value.object, properties.count <= maximumProperties,
            properties.allSatisfy({ (1...maximumPropertyName).contains($0.key.unicodeScalars.count) })
        else {
            reader.finding(
                "properties",
                "expected an object of at most \(maximumProperties) members, with names of 1 to \(maximumPropertyName) characters"
            )
            return nil
        }
        return properties
    }

    private static let maximumProperties = 16
    private static let maximumPropertyName = 64

    private static func readMessage(_ reader: JSONReader) -> Kind? {
        let uuid = reader.optional("action_uuid")?.printable()
        let action = reader.required("action")?.choice(MessageAction.self)
        guard let key = readKey(reader), let action else { return nil }
        return .message(action, key: key, actionUUID: uuid?.text)
    }

    private static func readMicrosurvey(_ reader: JSONReader) -> Kind? {
        let step = reader.required("action")?.choice(MicrosurveyStep.self)
        guard let key = readKey(reader), let step else { return nil }
        return .microsurvey(step, key: key)
    }

    private static func readExposure(_ reader: JSONReader) -> Kind? {
        enum FeatureAction: String, CaseIterable { case exposed }
        let experiment = reader.optional("experiment")?.identifier(length: 1...200)
        let feature = reader.optional("feature_id")?.identifier(length: 1...200)
        guard reader.required("action")?.choice(FeatureAction.self) != nil else { return nil }
        return .exposure(experiment: experiment, featureID: feature)
    }

    private static func readKey(_ reader: JSONReader) -> Identifier? {
        reader.required("message")?.identifier(length: 1...1000)
    }
}

extension JSONReader {
    /// An id or a name: 1 to 128 characters (docs/reference/http-api.md#times-and-identifiers), none of them a control
    /// character.
    fileprivate func printable() -> Identifier? {
        guard let text = string(length: 1...128) else { return nil }
        guard text.isIdentifier else {
            finding("identifier", "an id or name has printable characters only")
            return nil
        }
        return Identifier(text)
    }
}
