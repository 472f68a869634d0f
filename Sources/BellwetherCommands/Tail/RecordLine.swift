internal import BellwetherJSON

/// A record of the log as one line for people.
///
/// `2026-11-21T15:40:00Z  microsurvey.submit_button_tapped  phone-1  homepage/treatment  survey_id=homepage …`
struct RecordLine {
    /// The maximum width of a value. A ping of `/submit` may have a megabyte.
    private static let valueWidth = 120

    let text: String

    init(_ record: JSONValue) {
        let members = record.object ?? [:]
        let name = [members["category"], members["name"]].map { $0?.string?.plain ?? "?" }.joined(separator: ".")
        let recipe = [members["experiment"], members["branch"]].compactMap { $0?.string?.plain }.joined(separator: "/")
        let extra = (members["extra"]?.object ?? [:]).map { "\($0.key.plain)=\(Self.value($0.value))" }
        let columns = [
            Terminal.tinted(members["at"]?.string?.plain ?? "?", .faint), Terminal.tinted(name, .strong),
            members["client_id"]?.string?.plain ?? "?", recipe, extra.joined(separator: " "),
        ]
        text = columns.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// The text of a value. It is quoted if it could be read as several values.
    private static func value(_ value: JSONValue) -> String {
        var text = value.text
        if let plain = value.string, !plain.isEmpty, !plain.contains(where: { $0 == " " || $0 == "\"" || $0 == "=" }) {
            text = plain
        }
        text = text.plain
        return text.count > valueWidth ? text.prefix(valueWidth - 1) + "…" : text
    }
}
