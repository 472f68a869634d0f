internal import BellwetherJSON

/// The passwords of an action. Texts of a hook's response that repeat them are dropped
/// (docs/reference/flows.md#fields).
///
/// A text repeats a password if it contains it. For a password of fewer than four characters, the text must be equal to
/// it.
public struct FlowSecrets: Sendable {
    private var texts: Set<String> = []
    private var searches: [ByteSearch] = []
    /// Whether there are more passwords than the maximum. Every text is then dropped.
    private var areTooMany = false

    /// The maximum number of passwords to search for, so that a long response is scanned only a few times.
    private static let maximum = 16
    /// The minimum length of a password that is searched for inside texts, in Unicode scalars.
    private static let shortestSearched = 4

    public init() {}

    init(_ passwords: [String]) {
        texts = Set(passwords.filter { !$0.isEmpty })
        let long = texts.filter { $0.unicodeScalars.count >= Self.shortestSearched }
        areTooMany = long.count > Self.maximum
        if !areTooMany { searches = long.map { ByteSearch(Array($0.utf8)) } }
    }

    public var isEmpty: Bool { texts.isEmpty }

    /// The value without the texts, and the members with keys, that repeat a password; nil if the value itself is such
    /// a text.
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
    /// The passwords of an action, whether or not their fields are shown.
    public func secrets(in action: FlowAction) -> FlowSecrets {
        let fields = step(action.step)?.fields.filter(\.type.isSecret) ?? []
        return FlowSecrets(fields.compactMap { action.response[$0.id]?.string })
    }
}

/// Searches for a text in other texts, in time that is linear in both (Knuth, Morris and Pratt).
private struct ByteSearch {
    private let pattern: [UInt8]
    /// For each length of a matched prefix: the longest shorter prefix that has then matched too.
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
