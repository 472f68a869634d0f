public import BellwetherBase
public import BellwetherJSON

/// A person's newest answers that expressions read as `answer.NAME` (docs/reference/audiences.md#answers). They belong
/// to the respondent: to the user of an identified client, otherwise to the client.
public struct RespondentFacts: Sendable, Hashable {
    public struct Fact: Sendable, Hashable {
        public let name: Identifier
        /// A float, a boolean, a text, or a list of texts.
        public let value: JSONValue
        /// The time at which the response was submitted.
        public let at: Timestamp
        /// The response that the fact lives as long as.
        public let response: SourceDigest
    }

    /// A response, as 64 bits of the SHA-256 of its id.
    public struct SourceDigest: Sendable, Hashable {
        let digest: UInt64

        public init(_ runID: Identifier) { digest = SHA256.hash(Array(runID.utf8)).words.0 }

        fileprivate init(digest: UInt64) { self.digest = digest }
    }

    /// The maximum number of a person's facts. The oldest ones go first.
    public static let maximumFacts = 32
    /// The maximum size of a value, in bytes of JSON.
    public static let maximumBytes = 256

    /// The facts, oldest first. Each name occurs once.
    public private(set) var facts: [Fact] = []

    public init() {}

    public var isEmpty: Bool { facts.isEmpty }

    /// The value of a fact; nil if the person has no such answer.
    public subscript(name: String) -> JSONValue? { facts.first { $0.name.text.hasSameBytes(as: name) }?.value }

    /// The values by name.
    public var json: JSONObject { JSONObject(facts.map { (key: $0.name.text, value: $0.value) }) }

    public func contains(_ response: SourceDigest) -> Bool { facts.contains { $0.response == response } }

    /// The form in which expressions read an answer: numbers are floats. Nil for an answer that is none of a number, a
    /// boolean, a text and a list of texts, and for one that is too long.
    public static func value(of answer: JSONValue) -> JSONValue? {
        let isKept =
            switch answer {
            case .null, .object: false
            case .array(let items): items.allSatisfy { $0.string != nil }
            case .bool, .integer, .unsigned, .number, .string: true
            }
        guard isKept, answer.encoded.count <= maximumBytes else { return nil }
        return answer.double.map { .number($0) } ?? answer
    }

    /// Notes an answer, unless a later one is known. An answer that cannot be a fact removes an earlier one.
    public mutating func note(_ answer: JSONValue, as name: Identifier, at time: Timestamp, of response: SourceDigest) {
        if let known = facts.first(where: { $0.name == name }) {
            guard known.at <= time else { return }
            facts.removeAll { $0.name == name }
        }
        guard let value = Self.value(of: answer) else { return }
        insert(Fact(name: name, value: value, at: time, response: response))
    }

    /// Adds the facts of a client that was identified with this user. Of two facts with one name the later one stays,
    /// and of two of the same time the user's own.
    public mutating func merge(_ other: RespondentFacts) {
        for fact in other.facts {
            if let known = facts.first(where: { $0.name == fact.name }) {
                guard known.at < fact.at else { continue }
                facts.removeAll { $0.name == fact.name }
            }
            insert(fact)
        }
    }

    /// Removes the facts of a response that is deleted. No earlier answer takes their place.
    public mutating func forget(_ response: SourceDigest) { facts.removeAll { $0.response == response } }

    private mutating func insert(_ fact: Fact) {
        let index = facts.lastIndex { $0.at <= fact.at }.map { $0 + 1 } ?? 0
        facts.insert(fact, at: index)
        if facts.count > Self.maximumFacts { facts.removeFirst() }
    }
}

/// A fact has its name, its time and its response in 8 bytes each, and its value.
extension RespondentFacts {
    private enum Kind: UInt64 {
        case no, yes, number, text, texts
    }

    func encode(into writer: inout PackedWriter) {
        writer.unsigned(UInt64(facts.count))
        for fact in facts {
            writer.name(fact.name)
            writer.fixed64(UInt64(bitPattern: fact.at.milliseconds))
            writer.fixed64(fact.response.digest)
            Self.encode(fact.value, into: &writer)
        }
    }

    private static func encode(_ value: JSONValue, into writer: inout PackedWriter) {
        func kind(_ kind: Kind) { writer.unsigned(kind.rawValue) }
        switch value {
        case .string(let text):
            kind(.text)
            writer.string(text)
        case .array(let items):
            kind(.texts)
            writer.unsigned(UInt64(items.count))
            for item in items { writer.string(item.string ?? "") }
        case .number(let number):
            kind(.number)
            writer.fixed64(number.bitPattern)
        default: kind(value == true ? .yes : .no)
        }
    }

    init?(from reader: inout PackedReader) {
        guard let count = reader.count(), count <= Self.maximumFacts else { return nil }
        for _ in 0..<count {
            guard let name = reader.name(), let time = reader.fixed64(), let digest = reader.fixed64(),
                let value = Self.value(from: &reader)
            else { return nil }
            let at = Timestamp(milliseconds: Int64(bitPattern: time))
            facts.append(Fact(name: name, value: value, at: at, response: SourceDigest(digest: digest)))
        }
    }

    private static func value(from reader: inout PackedReader) -> JSONValue? {
        guard let kind = reader.unsigned().flatMap(Kind.init(rawValue:)) else { return nil }
        switch kind {
        case .no: return false
        case .yes: return true
        case .number: return reader.fixed64().map { .number(Double(bitPattern: $0)) }
        case .text: return reader.string().map { .string($0) }
        case .texts:
            guard let count = reader.count() else { return nil }
            var texts: [JSONValue] = []
            for _ in 0..<count {
                guard let text = reader.string() else { return nil }
                texts.append(.string(text))
            }
            return .array(texts)
        }
    }
}
