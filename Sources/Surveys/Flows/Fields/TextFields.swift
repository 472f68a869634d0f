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

/// The type `email`: one `@`, and a domain with a dot. Spaces around the address do not count.
struct EmailField: FieldType {
    private let length: TextLength

    init(_ keys: FieldKeys) { length = TextLength(keys) }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        length.check(answer, &check)
        guard let text = answer.string?.withoutOuterSpace else { return }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let labels = parts.last?.split(separator: ".", omittingEmptySubsequences: false) ?? []
        let isAddress =
            parts.count == 2 && !parts[0].isEmpty && labels.count > 1 && labels.allSatisfy { !$0.isEmpty }
            && !text.hasSpace
        if !isAddress { check.fault(.pattern, .email) }
    }

    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.isEmptyText }
    var isSingleLine: Bool { true }
}

/// The type `phone`: a number as people write it (docs/reference/flows.md#phone-numbers).
struct PhoneField: FieldType {
    init(_ keys: FieldKeys) {}

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        guard let text = check.text(answer) else { return }
        if PhoneNumber(text, country: check.country) == nil { check.fault(.pattern, .phone) }
    }

    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.isEmptyText }
    var isSingleLine: Bool { true }
    var addition: FieldAddition? {
        FieldAddition(suffix: "_e164") { answer, country in
            answer.string.flatMap { PhoneNumber($0, country: country)?.e164 }.map { .string($0) }
        }
    }
}

/// The type `url`: an address of http or https, unless `validate_format` is false. The scheme may be missing.
struct URLField: FieldType {
    private let length: TextLength
    private let isChecked: Bool

    init(_ keys: FieldKeys) {
        length = TextLength(keys)
        isChecked = keys.bool("validate_format") ?? true
    }

    func check(_ answer: JSONValue, _ check: inout FieldCheck) {
        length.check(answer, &check)
        guard isChecked, let text = answer.string?.withoutOuterSpace else { return }
        if text.hasSpace || !Self.hasHost(text) { check.fault(.pattern, .url) }
    }

    /// Whether an address has a host. Without a scheme, the host must be a name with a dot: `example.org`.
    private static func hasHost(_ text: Substring) -> Bool {
        let scheme = ["http://", "https://"].first { text.lowercased().hasPrefix($0) }
        let host = text.dropFirst(scheme?.count ?? 0).prefix { !"/?#".contains($0) }
        if scheme != nil { return !host.isEmpty }
        let parts = host.split(separator: ":", omittingEmptySubsequences: false)
        let labels = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.dropFirst().allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }
            && labels.count > 1 && labels.allSatisfy(isLabel)
            && labels.last.map { $0.contains(where: \.isLetter) } == true
    }

    private static func isLabel(_ label: Substring) -> Bool {
        !label.isEmpty && label.first != "-" && label.last != "-"
            && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    }

    func isNoAnswer(_ answer: JSONValue) -> Bool { answer.isEmptyText }
    var isSingleLine: Bool { true }
}

extension String {
    /// The text without the spaces before and after it.
    fileprivate var withoutOuterSpace: Substring {
        let start = drop { $0.isWhitespace }
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }
}

extension Substring {
    fileprivate var hasSpace: Bool { unicodeScalars.contains { $0.properties.isWhitespace } }
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
        var bounds = JSONObject()
        for (name, bound) in [("min", minimum), ("max", maximum)] { bounds[name] = bound.map { .integer(Int64($0)) } }
        if let minimum, count < minimum { check.fault(.range, .minimumLength, "\(minimum)", bounds: bounds) }
        if let maximum, count > maximum { check.fault(.tooLong, .maximumLength, "\(maximum)", bounds: bounds) }
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
