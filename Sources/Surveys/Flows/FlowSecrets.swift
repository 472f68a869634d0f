internal import BellwetherJSON

/// The passwords of an action. Texts of a hook's response that repeat them are dropped
/// (docs/reference/flows.md#fields).
///
/// A text repeats a password if it contains it; one of fewer than four characters, if it is the password.
public struct FlowSecrets: Sendable {
    private var texts: Set<String> = []
    private var searches: [ByteSearch] = []
    /// There are more than a form has; every text is dropped.
    private var areTooMany = false

    /// Passwords that are searched for, so that a long answer is looked through a few times at most.
    private static let maximum = 16
    /// Unicode scalars.
    private static let shortestSearched = 4

    public init() {}

    init(_ passwords: [String]) {
        texts = Set(passwords.filter { !$0.isEmpty })
        let long = texts.filter { $0.unicodeScalars.count >= Self.shortestSearched }
        areTooMany = long.count > Self.maximum
        if !areTooMany { searches = long.map { ByteSearch(Array($0.utf8)) } }
    }

    public var isEmpty: Bool { texts.isEmpty }

    /// Without the texts that repeat a password, and the members whose keys do. Nil: the value itself is such a text.
    func removed(from value: JSONValue) -> JSONValue? {
        switch value {
        case .string(let text): isRepeated(by: text) ? .none : .some(value)
        case .array(let values): .array(values.compactMap { removed(from: $0) })
        case .object(let members): .object(removed(from: members))
        default: value
        }
    }

    func removed(from members: JSONObject) -> JSONObject {
        guard !isEmpty else { return members }
        return JSONObject(
            members.compactMap { key, value in
                isRepeated(by: key) ? .none : removed(from: value).map { (key, $0) }
            })
    }

    func isRepeated(by text: String) -> Bool {
        guard !isEmpty else { return false }
        if areTooMany || texts.contains(text) { return true }
        return searches.contains { $0.isFound(in: text) }
    }
}

extension FlowDefinition {
    /// The passwords that an action brings, whether or not their fields are shown.
    public func secrets(in action: FlowAction) -> FlowSecrets {
        let fields = step(action.step)?.fields.filter(\.type.isSecret) ?? []
        return FlowSecrets(fields.compactMap { action.response[$0.id]?.string })
    }
}

/// Finds a text in others, in time that is linear in both (Knuth, Morris and Pratt).
private struct ByteSearch {
    private let pattern: [UInt8]
    /// For each length of a prefix that has matched: the longest shorter one that has then matched, too.
    private let fallbacks: [Int]

    init(_ pattern: [UInt8]) {
        self.pattern = pattern
        var (fallbacks, matched) = ([0, 0], 0)
        for byte in pattern.dropFirst() {
            while matched > 0, pattern[matched] != byte { matched = fallbacks[matched] }
            if pattern[matched] == byte { matched += 1 }
            fallbacks.append(matched)
        }
        self.fallbacks = fallbacks
    }

    func isFound(in text: String) -> Bool {
        var matched = 0
        for byte in text.utf8 {
            while matched > 0, pattern[matched] != byte { matched = fallbacks[matched] }
            if pattern[matched] == byte { matched += 1 }
            if matched == pattern.count { return true }
        }
        return false
    }
}
