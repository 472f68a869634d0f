internal import BellwetherJSON

/// The `messaging` feature's variables and the fields of its objects
/// (docs/reference/messaging.md#the-messaging-feature).
enum MessagingSchema {
    /// The variables that make a document a messaging value.
    static let variables: Set<String> = ["messages", "triggers", "styles", "actions", "on-control"]
    /// Variables of the feature in the SDK that the daemon does not use.
    private static let inert = [
        "~~experiment", "$$experiment", "message-under-experiment", "notification-config", "$$surfaces",
    ]

    static func messaging(dialect: Dialect, surfaces: Set<Identifier>) -> FieldSchema {
        var fields: [String: FieldSchema] = [
            "messages": .map(message(dialect: dialect, surfaces: surfaces)), "triggers": .map(.string),
            "styles": .map(.record(["priority": .integer, "max-display-count": .integer, "pacing": .anything])),
            "actions": .map(.string),
            "on-control": .word(Set(OnControl.allCases.map { Identifier($0.rawValue) }), code: "choice"),
        ]
        for name in inert { fields[name] = .anything }
        return .record(fields)
    }

    private static func message(dialect: Dialect, surfaces: Set<Identifier>) -> FieldSchema {
        .record(
            [
                "action": .string, "action-params": .map(.string), "title": .string, "text": .string,
                "is-control": .boolean, "button-label": .string, "style": .string,
                "trigger-if-all": .list(.string, orElse: "it is left out, and no trigger keeps the message back"),
                dialect.exclusionKey: .list(.string, orElse: "it is left out, and nobody is excluded"),
                "surface": .word(surfaces, code: "unknown_surface"),
                "experiment": .string, MicrosurveyDefinition.key: microsurvey(dialect), "presents": .string,
                "pacing": .anything,
                LaunchTrigger.key: .anything, MessageDefinition.consentKey: .boolean,
            ], spellings: FieldSchema.Spellings(stale: dialect.messageAliases, own: dialect.ownSpellings),
            homes: Dictionary(uniqueKeysWithValues: Pacing.keys.map { ($0.text, "pacing") }))
    }

    private static func microsurvey(_ dialect: Dialect) -> FieldSchema {
        .record(
            ["utm-content": .string, "icon": .string, "options": .options(dialect)],
            spellings: FieldSchema.Spellings(stale: ["answers": "options"]))
    }
}

extension Dialect {
    /// The spelling of the exclusion list. The other dialect's spelling is read as an alias.
    package var exclusionKey: String {
        switch self {
        case .ios: "except-if-any"
        case .android: "exclude-if-any"
        }
    }

    /// Stale spellings in a message, and the keys that their authors meant (docs/reference/http-api.md#aliases).
    package var messageAliases: [String: String] {
        switch self {
        case .ios:
            [
                "trigger": "trigger-if-all", "exclude-if-any": exclusionKey,
                "microsurvey-config": MicrosurveyDefinition.key,
            ]
        case .android: ["trigger": "trigger-if-all", "except-if-any": exclusionKey]
        }
    }

    /// The spellings of a message's key besides the canonical one.
    package func otherSpellings(of canonical: String) -> [String] {
        [messageAliases, ownSpellings].flatMap { $0.filter { $0.value == canonical }.map(\.key) }
    }

    /// Spellings in a message that are as good as the canonical ones.
    package var ownSpellings: [String: String] {
        switch self {
        case .ios: [:]
        case .android: ["microsurvey-config": MicrosurveyDefinition.key]
        }
    }
}
