internal import BellwetherJSON

/// The type `text`: one line.
struct TextField: FieldType {
    private let length: TextLength

    init(_ keys: FieldKeys) { length = TextLength(keys) }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) { length.check(answer, &check) }
    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.isEmptyText }
    var isSingleLine: Bool { true }
}

/// The type `textarea`: several lines.
struct TextAreaField: FieldType {
    private let length: TextLength

    init(_ keys: FieldKeys) { length = TextLength(keys) }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) { length.check(answer, &check) }
    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.isEmptyText }
}

/// The type `password`: a text that is never stored.
struct PasswordField: FieldType {
    private let length: TextLength

    init(_ keys: FieldKeys) { length = TextLength(keys) }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) { length.check(answer, &check) }
    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.isEmptyText }
    var isSingleLine: Bool { true }
    var isSecret: Bool { true }
}

/// The type `email`: one `@`, and a domain with a dot.
struct EmailField: FieldType {
    private let length: TextLength

    init(_ keys: FieldKeys) { length = TextLength(keys) }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        length.check(answer, &check)
        guard let text = answer.string else { return }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let labels = parts.last?.split(separator: ".", omittingEmptySubsequences: false) ?? []
        let isAddress =
            parts.count == 2 && !parts[0].isEmpty && labels.count > 1 && labels.allSatisfy { !$0.isEmpty }
            && !text.unicodeScalars.contains { $0.properties.isWhitespace }
        if !isAddress { check.fault(.pattern, .email) }
    }

    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.isEmptyText }
    var isSingleLine: Bool { true }
}

/// The type `phone`: 5 to 15 digits after an optional `+`.
struct PhoneField: FieldType {
    init(_ keys: FieldKeys) {}

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        guard let text = check.text(answer) else { return }
        let digits = text.utf8.first == UInt8(ascii: "+") ? text.utf8.dropFirst() : text.utf8[...]
        if !(5...15).contains(digits.count) || !digits.allSatisfy(\.isDigit) {
            check.fault(.pattern, .phone)
        }
    }

    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.isEmptyText }
    var isSingleLine: Bool { true }
}

/// The type `url`: an absolute address of http or https, unless `validate_format` is false.
struct URLField: FieldType {
    private let length: TextLength
    private let isChecked: Bool

    init(_ keys: FieldKeys) {
        length = TextLength(keys)
        isChecked = keys.bool("validate_format") ?? true
    }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        length.check(answer, &check)
        guard isChecked, let text = answer.string else { return }
        let rest = ["http://", "https://"].lazy.compactMap { prefix in
            text.lowercased().hasPrefix(prefix) ? text.utf8.dropFirst(prefix.utf8.count) : nil
        }.first
        let host = rest?.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let hasSpace = text.unicodeScalars.contains { $0.properties.isWhitespace }
        if host?.isEmpty != false || hasSpace {
            check.fault(.pattern, .url)
        }
    }

    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.isEmptyText }
    var isSingleLine: Bool { true }
}

/// The bounds `min_length` and `max_length`, in Unicode scalars.
private struct TextLength {
    private let minimum: Int?
    private let maximum: Int?

    init(_ keys: FieldKeys) {
        minimum = keys.count("min_length")
        maximum = keys.count("max_length")
        if let minimum, let maximum, minimum > maximum {
            keys.key("max_length")?.finding("range", "max_length is less than min_length")
        }
    }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        guard let text = check.text(answer) else { return }
        let count = text.unicodeScalars.count
        if let minimum, count < minimum { check.fault(.range, .minimumLength, "\(minimum)") }
        if let maximum, count > maximum { check.fault(.tooLong, .maximumLength, "\(maximum)") }
    }
}

extension JSONValue {
    var isEmptyText: Bool { string?.isEmpty == true }

    /// Whether a required field treats the value as missing: null, `""`, `[]` and `{}`.
    var isEmptyAnswer: Bool {
        switch self {
        case .null: true
        case .string(let text): text.isEmpty
        case .array(let values): values.isEmpty
        case .object(let members): members.isEmpty
        default: false
        }
    }
}

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
