public import BellwetherJSON

/// The words that a messaging value may use: what its app's manifest declares.
public struct MessagingVocabulary: Sendable {
    public let dialect: Dialect
    public let surfaces: Set<String>
    /// Attributes that an expression may read without a warning.
    public let attributes: Set<String>

    public init(dialect: Dialect, surfaces: [String], attributes: Set<String>) {
        self.dialect = dialect
        self.surfaces = Set(surfaces)
        self.attributes = attributes
    }
}

extension Manifest {
    public var vocabulary: MessagingVocabulary {
        MessagingVocabulary(dialect: dialect, surfaces: surfaces, attributes: Set(attributes.keys))
    }

    /// Built-ins with the manifest's messaging over them: the lowest layer that recipes are merged over.
    public var baseMessaging: JSONObject {
        JSONPatch.merge(messaging, over: BuiltInMessaging.value(dialect: dialect))
    }
}

extension Dialect {
    /// The spelling of the exclusion list; the other dialect's is read as an alias.
    var exclusionKey: String {
        switch self {
        case .ios: "except-if-any"
        case .android: "exclude-if-any"
        }
    }

    var foreignExclusionKey: String {
        switch self {
        case .ios: "exclude-if-any"
        case .android: "except-if-any"
        }
    }
}
