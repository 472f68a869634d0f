internal import BellwetherSettings

/// Any bytes as a settings file: they give settings of the table, or faults with lines. Accepted settings are the same
/// after they are written and read again.
public enum SettingsCheck: FuzzCheck {
    /// The longest text of a fault. A fault quotes at most one name of the file, cut to 80 characters.
    private static let sentenceBytes = 600

    public static func check(_ bytes: [UInt8]) throws(Violation) -> FuzzOutcome {
        let document = SettingsDocument(bytes)
        try require(document == SettingsDocument(bytes), "read twice, other settings")
        for (key, value) in document.values { try judge(key, value) }
        for fault in document.faults { try judge(fault, in: bytes) }
        let isFull = document.faults.count == SettingsDocument.maximumFaults
        try require(document.furtherFaults == 0 || isFull, "faults are left out too early")
        guard document.faults.isEmpty else { return .refused }
        let copy = SettingsDocument(Array(written(document.values).utf8))
        try require(copy.faults.isEmpty, "written and read back, there is a fault: \(copy.faults)")
        try require(copy.values == document.values, "written and read back, the settings are others")
        return document.values.isEmpty ? .refused : .taken
    }

    private static func judge(_ key: String, _ value: SettingValue) throws(Violation) {
        guard let entry = SettingsTable.entry(key) else { throw Violation("no setting: \(key)") }
        switch (value, entry.defaultValue) {
        case (.number(let number), .number): try require(entry.range?.contains(number) ?? true, "\(key): out of range")
        case (.flag, .flag), (.text, .text), (.texts, .texts), (.pairs, .pairs), (.secrets, .secrets): break
        default: throw Violation("\(key): of another type")
        }
    }

    private static func judge(_ fault: SettingsFault, in bytes: [UInt8]) throws(Violation) {
        try require((1...bytes.count + 1).contains(fault.line), "a line outside of the file: \(fault.line)")
        let sentence = fault.sentence.utf8
        try require(!sentence.isEmpty && sentence.count <= sentenceBytes, "a sentence of \(sentence.count) bytes")
        try require(sentence.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a control character in a sentence")
    }

    private static func written(_ values: [String: SettingValue]) -> String {
        values.sorted { $0.key < $1.key }.map { key, value in
            switch value {
            case .number(let number): "\(key): \(number)\n"
            case .flag(let flag): "\(key): \(flag)\n"
            case .text(let text): "\(key): \(quoted(text))\n"
            case .texts(let texts): "\(key): \(list(texts))\n"
            case .pairs(let pairs): "\(key): \(mapping(pairs.mapValues(quoted)))\n"
            case .secrets(let secrets): "\(key): \(mapping(secrets.mapValues(written)))\n"
            }
        }.joined()
    }

    private static func written(_ secret: SecretSetting) -> String {
        guard let scope = secret.scope else { return quoted(secret.value) }
        var members = ["value": quoted(secret.value)]
        members["apps"] = scope.apps.map(list)
        members["hosts"] = scope.hosts.map(list)
        return mapping(members)
    }

    private static func list(_ texts: [String]) -> String { "[\(texts.map(quoted).joined(separator: ", "))]" }

    private static func mapping(_ members: [String: String]) -> String {
        "{\(members.map { "\(quoted($0)): \($1)" }.sorted().joined(separator: ", "))}"
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            if scalar.isASCII, scalar.value >= 0x20, scalar.value != 0x7F, scalar != "\"", scalar != "\\" {
                return String(scalar)
            }
            let digits = String(scalar.value, radix: 16)
            return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
        }
        return "\"\(escaped.joined())\""
    }
}
