import BellwetherJSON

extension TestApp {
    /// A small app with an attribute of each type.
    static let manifest: JSONValue = [
        "app_name": "test_app", "short_name": "Testfox", "deep_link_scheme": "testfox", "default_locale": "en-US",
        "attributes": ["plan": "string", "age": "number", "beta": "boolean", "device": "object", "tags": "array"],
        "surfaces": ["microsurvey", "card", "notification"],
        "privacy": [
            "base": "https://example.org/", "path": "privacy/", "fallback": "https://example.org/privacy",
            "utm_medium": "app", "utm_source": "modal", "utm_campaign": "survey",
        ],
        "messaging": [
            "styles": [
                "ONCE": ["priority": 50, "max-display-count": 1], "TWICE": ["priority": 60, "max-display-count": 2],
                "MANY": ["priority": 40, "max-display-count": 1000],
            ],
            "triggers": ["TWO_VISITS": "'visit'|eventSum('Years', 4, 0) >= 2", "IS_BETA": "beta == true"],
            "actions": ["OPEN": "://open-url"],
        ],
    ]
}

/// Messaging values for tests.
enum Sample {
    /// A messaging value with one message.
    static func message(_ key: String = "m", _ fields: JSONObject = [:]) -> JSONValue {
        var message: JSONObject = ["surface": "card", "style": "MANY", "text": "Hello"]
        for (name, value) in fields { message[name] = value }
        return ["messages": .object([key: .object(message)])]
    }

    /// A survey with three options for everyone, as often as `style` allows.
    static func survey(_ key: String = "survey", style: String = "MANY") -> JSONValue {
        message(
            key,
            [
                "surface": "microsurvey", "style": .string(style), "text": "Do you like it?",
                "experiment": "{experiment}",
                "microsurveyConfig": ["utm-content": "test", "options": ["Yes", "No", "Perhaps"]],
            ])
    }
}

/// Events in the form in which clients send them.
enum Event {
    static func behavior(_ name: String, _ more: JSONObject = [:]) -> JSONValue {
        make(["type": "behavior", "name": .string(name)], more)
    }

    static func message(_ action: String, _ key: String, _ more: JSONObject = [:]) -> JSONValue {
        make(["type": "message", "action": .string(action), "message": .string(key)], more)
    }

    static func survey(_ action: String, _ key: String, _ more: JSONObject = [:]) -> JSONValue {
        make(["type": "microsurvey", "action": .string(action), "message": .string(key)], more)
    }

    private static func make(_ event: JSONObject, _ more: JSONObject) -> JSONValue {
        var event = event
        for (name, value) in more { event[name] = value }
        return .object(event)
    }
}
