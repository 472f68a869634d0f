internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService

/// A message as bytes, split where the client's display count stands, with a digest of the rest.
final class RenderedMessage {
    let beforeCount: [UInt8]
    let afterCount: [UInt8]
    let digest: (UInt64, UInt64)
    /// Whether a kept answer has counted its bytes (`AnswerCache`).
    private var isCounted = false

    /// Bytes, without the display count.
    var size: Int { beforeCount.count + afterCount.count }

    /// The size the first time that a kept answer asks, then 0: many answers share one message.
    func uncountedSize() -> Int {
        defer { isCounted = true }
        return isCounted ? 0 : size
    }

    init(_ message: Message, presentation: Presentation, action: ResolvedAction?) {
        var output = Array("{\"key\":".utf8)
        let definition = message.definition
        output.append(json: .string(message.key))
        output.append(member: "surface", .string(definition.surface))
        output.append(member: "style", .string(definition.style))
        output.append(member: "revision", .integer(Int64(message.revision)))
        output.append(member: "priority", .integer(Int64(message.style.priority)))
        output.append(member: "max_display_count", .integer(Int64(message.style.maxDisplayCount)))
        output += ",\"display_count\":".utf8
        beforeCount = output
        output = []
        output.append(member: "experiment", message.facts.enrollment.map { .string($0.slug) } ?? .null)
        output.append(member: "branch", message.facts.enrollment.map { .string($0.branch) } ?? .null)
        output.append(member: "locale", .string(presentation.locale))
        output.append(member: "dir", presentation.isRightToLeft ? "rtl" : "ltr")
        output.append(member: "title", presentation.title.map(JSONValue.string) ?? .null)
        output.append(member: "text", .string(presentation.text))
        output.append(member: "button_label", presentation.buttonLabel.map(JSONValue.string) ?? .null)
        output.append(member: "action", action?.json ?? .null)
        output.append(member: "microsurvey", presentation.microsurvey?.json ?? .null)
        output.append(UInt8(ascii: "}"))
        afterCount = output
        let words = SHA256.hash(beforeCount + afterCount).words
        digest = (words.0, words.1)
    }
}

extension [UInt8] {
    mutating func append(json value: JSONValue) { value.write(to: &self) }

    /// `,"name":value`. Names are ours and need no escapes.
    mutating func append(member name: String, _ value: JSONValue) {
        self += ",\"".utf8
        self += name.utf8
        self += "\":".utf8
        append(json: value)
    }
}

extension ResolvedAction {
    var json: JSONValue {
        var members: JSONObject = ["name": name.map(JSONValue.string) ?? .null, "url": .string(url)]
        if let uuid { members["uuid"] = .string(uuid) }
        return .object(members)
    }
}

extension MicrosurveyPresentation {
    var json: JSONValue {
        [
            "question": .string(question), "icon": .string(icon),
            "options": .array(
                options.enumerated().map { ["id": .string(String($0.offset)), "text": .string($0.element)] }),
            "header": .string(header), "submit_label": .string(submitLabel), "privacy_label": .string(privacyLabel),
            "privacy_url": privacyURL.map(JSONValue.string) ?? .null,
            "confirmation": ["header": .string(confirmationHeader), "text": .string(confirmationText)],
        ]
    }
}
