import BellwetherJSON

/// Manifests for tests.
enum SampleManifest {
    static let fields: JSONObject = [
        "app_name": "sample", "short_name": "Sample", "deep_link_scheme": "sample", "default_locale": "en-US",
        "attributes": ["is_default_browser": "boolean", "city": "string", "age": "number"],
        "surfaces": ["microsurvey", "new-tab-card", "notification", "homescreen"],
        "privacy": [
            "base": "https://www.mozilla.org/", "path": "privacy/firefox/",
            "fallback": "https://www.mozilla.org/privacy/firefox", "utm_medium": "firefox-mobile",
            "utm_source": "modal", "utm_campaign": "microsurvey",
        ],
    ]

    static func with(_ changes: JSONObject = [:]) -> JSONValue {
        var result = fields
        for (key, value) in changes { result[key] = value }
        return .object(result)
    }
}
