extension JSONReader {
    public func object() -> JSONObject? { typed("an object", value.object) }

    /// The members, in the order of the document.
    public func members() -> [(key: String, value: JSONReader)]? {
        guard !CheckTime.isOver() else { return nil }
        return object()?.map { (key: $0.key, value: child(key: $0.key, $0.value)) }
    }

    /// - Parameter consequence: the consequence if the value is no array.
    public func elements(orElse consequence: String? = nil) -> [JSONReader]? {
        guard !CheckTime.isOver() else { return nil }
        return typed("an array", value.array, orElse: consequence)?.enumerated().map {
            child(index: $0.offset, $0.element)
        }
    }

    /// Reads a string. `length` is in Unicode scalars; a string outside of it is a finding `length`.
    public func string(length: ClosedRange<Int>? = nil) -> String? {
        guard let text = typed("a string", value.string) else { return nil }
        guard let length else { return text }
        let count = text.unicodeScalars.count
        guard length.contains(count) else {
            finding("length", "expected \(Self.phrase(length)) characters, found \(count)")
            return nil
        }
        return text
    }

    /// Reads an absolute address of http or https.
    package func webAddress() -> String? {
        guard let text = string(length: 1...2_000) else { return nil }
        let hasHost = ["http://", "https://"].contains { prefix in
            text.lowercased().hasPrefix(prefix) && text.utf8.count > prefix.utf8.count
        }
        guard hasHost, text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) else {
            finding("url", "expected an address that begins with https:// or http://")
            return nil
        }
        return text
    }

    public func bool() -> Bool? { typed("a boolean", value.bool) }

    /// Reads a number, integer or float.
    public func number() -> Double? { typed("a number", value.double) }

    /// Reads a number without a fraction; 2.0 is refused. A number outside of `range` is a finding `range`.
    public func integer(in range: ClosedRange<Int64>? = nil) -> Int64? {
        guard let integer = typed("an integer", value.integer) else { return nil }
        if let range, !range.contains(integer) {
            finding("range", "expected a number \(Self.phrase(range)), found \(integer)")
            return nil
        }
        return integer
    }

    /// Reads a word of an enumeration. Another word is a finding `choice`, which lists all words.
    public func choice<C: RawRepresentable & CaseIterable>(_: C.Type) -> C? where C.RawValue == String {
        guard let word = typed("a string", value.string) else { return nil }
        if let choice = C.allCases.first(where: { Identifier($0.rawValue) == word }) { return choice }
        unknown(word: word, among: C.allCases.map(\.rawValue))
        return nil
    }

    /// Reports a finding `choice`, which lists the known words.
    public func unknown(word: String, among words: [String]) {
        let choices = words.map(quoted).joined(separator: ", ")
        finding("choice", "expected one of \(choices), found \(quoted(word))")
    }

    /// Reports each member whose key is unknown as a finding `unknown_key`.
    public func refuseUnknown(keys: Set<Identifier>) {
        guard let object = value.object else { return }
        for member in object where !keys.contains(Identifier(member.key)) {
            refuse(key: member.key, knowing: keys.map(\.text))
        }
    }

    /// Reports each member whose key is unknown and near a known one as a finding `unknown_key`.
    public func refuseNear(keys: Set<Identifier>) {
        for member in value.object ?? [:] where !keys.contains(Identifier(member.key)) {
            guard let suggestion = findings.suggestion(for: member.key, among: keys.map(\.text)) else { continue }
            refuse(key: member.key, meaning: suggestion)
        }
    }

    /// Reports a finding `unknown_key` with the nearest known key.
    public func refuse(key: String, knowing known: some Sequence<String>) {
        refuse(key: key, meaning: findings.suggestion(for: key, among: known))
    }

    /// Reports a finding `unknown_key` if the key differs from a known one by a slip. Other unknown keys are left to
    /// other readers.
    public func refuseSlip(key: String, knowing known: some Sequence<String>) {
        guard let suggestion = findings.suggestion(for: key, among: known, isSlip: true) else { return }
        refuse(key: key, meaning: suggestion)
    }

    /// Reports a finding `unknown_key` for a key that belongs elsewhere in the document.
    public func refuse(key: String, home: String) { refuse(key: key, place: "\(home).\(key)") }

    /// Reports a finding `unknown_key` for a key whose place is known.
    public func refuse(key: String, place: String) {
        report(
            "unknown_key", at: pointer.appending(key),
            "nothing reads the key \(quoted(key)) here: its place is \(place)")
    }

    /// Reports a finding `unknown_key` with the key that is meant, if it is known.
    public func refuse(key: String, meaning suggestion: String?) {
        let question = suggestion.map { ": did you mean \(quoted($0))?" } ?? ""
        report(
            "unknown_key", at: pointer.appending(key), "nothing reads the key \(quoted(key))\(question)",
            suggestion: suggestion)
    }

    private func typed<T>(_ expected: String, _ value: T?, orElse consequence: String? = nil) -> T? {
        if value == nil {
            let consequence = consequence.map { ": \($0)" } ?? ""
            finding("type", "expected \(expected), found \(self.value.article)\(consequence)")
        }
        return value
    }

    private static func phrase<Bound: FixedWidthInteger>(_ range: ClosedRange<Bound>) -> String {
        if range.lowerBound == range.upperBound { return "\(range.lowerBound)" }
        if range.upperBound == .max { return "of at least \(range.lowerBound)" }
        if range.lowerBound == .min { return "of at most \(range.upperBound)" }
        return "\(range.lowerBound) to \(range.upperBound)"
    }
}

extension JSONValue {
    /// The value's type with its article. Integers and floats are distinguished, because a reader may accept only one
    /// of them.
    fileprivate var article: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .unsigned: "an integer"
        case .number: "a float"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
