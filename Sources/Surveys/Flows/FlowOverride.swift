public import BellwetherJSON

/// The parts of a step that a render hook replaces (docs/reference/flows.md#hooks): `{title, subtitle, ctaText,
/// layoutOverrides, fieldDefaults}`. Each name is spelled in camel case or with underscores.
public struct FlowOverride: Sendable, Hashable {
    /// The stored form in a run. Members that no step uses are left out.
    public let json: JSONObject

    private static let spellings = [
        ("title", "title"), ("subtitle", "subtitle"), ("ctaText", "cta_text"),
        ("layoutOverrides", "layout_overrides"), ("fieldDefaults", "field_defaults"),
    ]

    /// Reads the override. Members whose type differs from the step's are ignored.
    init(_ reply: JSONObject) {
        var json = JSONObject()
        for (camel, snake) in Self.spellings {
            guard let value = reply[camel] ?? reply[snake] else { continue }
            let isText = ["title", "subtitle", "cta_text"].contains(snake)
            if isText ? value.string != nil : value.object != nil { json[snake] = value }
        }
        self.json = json
    }

    private init(json: JSONObject) { self.json = json }

    /// The override without the parts that repeat a password.
    func without(_ secrets: FlowSecrets) -> FlowOverride {
        let kept = json.compactMap { key, value in secrets.removed(from: value).map { (key, $0) } }
        return FlowOverride(json: JSONObject(kept))
    }

    public var isEmpty: Bool { json.isEmpty }
    var defaults: JSONObject { json["field_defaults"]?.object ?? [:] }

    /// Replaces values of the step. Templates in the new values are not expanded, because the values are data.
    func apply(to shown: inout JSONObject) {
        for member in json["layout_overrides"]?.object ?? [:] where !Self.fixedKeys.contains(member.key) {
            shown[member.key] = member.value
        }
        for key in ["title", "subtitle", "cta_text"] { if let text = json[key] { shown[key] = text } }
        let defaults = defaults
        guard !defaults.isEmpty, let fields = shown["fields"]?.array else { return }
        shown["fields"] = .array(
            fields.map { field in
                guard var object = field.object, let id = object["id"]?.string, let value = defaults[id] else {
                    return field
                }
                var config = object["config"]?.object ?? [:]
                config["default_value"] = value
                object["config"] = .object(config)
                return .object(object)
            })
    }

    /// The keys by which a step is judged. They stay as the author wrote them.
    private static let fixedKeys = ["id", "type", "fields", "content_blocks", "options", "chat_config"]
}
