package import BellwetherJSON

/// A finding with its location in a file.
package struct LocatedFinding {
    package let path: String
    package let position: (line: Int, column: Int)?
    package let isFault: Bool
    package let finding: Finding

    package init(_ finding: Finding, isFault: Bool, path: String, position: (line: Int, column: Int)?) {
        self.finding = finding
        self.isFault = isFault
        self.path = path
        self.position = position
    }

    /// A finding about a text that is not JSON.
    package init(_ error: JSONError, path: String) {
        let finding = Finding(pointer: .root, code: "json_\(error.kind.rawValue)", message: error.message)
        self.init(finding, isFault: true, path: path, position: (error.line, error.column))
    }

    private var severity: String { isFault ? "error" : "warning" }

    /// The finding in the format of compilers, with which editors can open the location.
    package var line: String { line { text, _ in text } }

    /// The same line with colours, for a terminal.
    package var tintedLine: String { line(Terminal.tinted) }

    private func line(_ tinted: (String, Terminal.Tint) -> String) -> String {
        let location = position.map { ":\($0.line):\($0.column)" } ?? ""
        let pointer = finding.pointer.description.plain
        return "\(path.plain)\(location): \(tinted(severity, isFault ? .bad : .notable)): "
            + "\(finding.message.plain) [\(finding.code.plain)]" + (pointer.isEmpty ? "" : " at \(pointer)")
    }

    package var json: JSONValue {
        var json: JSONObject = [
            "file": .string(path), "line": position.map { .integer(Int64($0.line)) } ?? .null,
            "column": position.map { .integer(Int64($0.column)) } ?? .null, "severity": .string(severity),
            "pointer": .string(finding.pointer.description), "code": .string(finding.code),
            "message": .string(finding.message),
        ]
        if let suggestion = finding.suggestion { json["did_you_mean"] = .string(suggestion) }
        return .object(json)
    }
}
