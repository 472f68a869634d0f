import BellwetherJSON

/// The recorded form of a response: status, header fields and body, byte for byte, without explanatory text and without
/// parts that differ between two runs.
enum RecordedText {
    static func make(_ answer: GoldenResponse, to request: GoldenRequest) -> String {
        let body = String(decoding: answer.body, as: UTF8.self)
        let path = request.target.prefix { $0 != "?" }
        var lines = ["\(answer.status)"]
        if answer.status >= 400 { return (lines + faults(body)).joined(separator: "\n") }
        // For writes of owners, only the status counts: warnings are sentences.
        if request.method != "GET", isDocument(path) { return lines[0] }
        // The length of a telemetry response depends on its cursors, and its length decides about compression.
        lines += answer.headers.split(separator: "\r\n").map(String.init).filter {
            !$0.hasPrefix("Bellwether-Next: ") && !(path.hasSuffix("/telemetry") && $0.hasPrefix("Vary: "))
        }
        lines.append("")
        if path.hasSuffix("/telemetry") {
            lines += body.split(separator: "\n").map(withoutCursor)
        } else if path.hasSuffix("/explain") {
            lines.append(explanation(body))
        } else if path.hasSuffix("/responses") {
            lines.append(withoutID(body))
        } else if !body.isEmpty {
            lines.append(body)
        }
        return lines.joined(separator: "\n")
    }

    /// Whether the path is `/v1/apps/{app}/…` with a document's route.
    private static func isDocument(_ path: Substring) -> Bool {
        ["manifest", "strings", "recipes"].contains(path.split(separator: "/").dropFirst(3).first)
    }

    /// The locations and codes of the faults, without their sentences.
    private static func faults(_ body: String) -> [String] {
        let problem = try? JSONValue(parsing: body)
        return (problem?.object?["errors"]?.array ?? []).map { fault in
            "\(fault.object?["pointer"]?.string ?? "") \(fault.object?["code"]?.string ?? "")"
        }
    }

    /// A record without its cursor, which is opaque.
    private static func withoutCursor(_ line: Substring) -> String {
        guard line.hasPrefix(#"{"cursor":""#), let end = line.dropFirst(11).firstIndex(of: "\"") else {
            return String(line)
        }
        return "{" + line[end...].dropFirst(2)
    }

    /// The enrollments, and the eligibility and reason of each message. An error has a fixed text instead of its
    /// sentence.
    private static func explanation(_ body: String) -> String {
        guard let explanation = (try? JSONValue(parsing: body))?.object else { return body }
        let enrollments = (explanation["enrollments"]?.array ?? []).map { enrollment -> JSONValue in
            guard var members = enrollment.object, members["status"] == "Error" else { return enrollment }
            members["reason"] = "a sentence"
            return .object(members)
        }
        let messages = (explanation["messages"]?.array ?? []).map { message in
            JSONValue.object(
                JSONObject(["key", "eligible", "reason"].map { (key: $0, value: message.object?[$0] ?? .null) }))
        }
        return JSONValue.object([
            "selected": explanation["selected"] ?? .null, "enrollments": .array(enrollments),
            "messages": .array(messages),
        ]).text
    }

    /// The body with a fixed text in place of the answer's random id.
    private static func withoutID(_ body: String) -> String {
        guard var response = (try? JSONValue(parsing: body))?.object else { return body }
        response["id"] = "random"
        return JSONValue.object(response).text
    }
}
