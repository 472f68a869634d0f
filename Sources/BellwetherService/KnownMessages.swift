public import BellwetherCore

/// Every message key that was ever published in an app, by revision.
public struct KnownMessages: Sendable {
    /// How many revisions of a message stay answerable; older answers are refused as unknown revisions.
    static let revisionsKept = 20

    private var byKey: [String: [KnownMessage]] = [:]

    public init() {}

    /// The newest revision of a message.
    public func latest(_ key: String) -> KnownMessage? { byKey[key]?.last }

    public func message(_ key: String, revision: Int) -> KnownMessage? {
        byKey[key]?.last { $0.revision == revision }
    }

    /// With a catalog's messages taken up. What a key means now is what it meant last.
    public func remembering(_ messages: [KnownMessage]) -> KnownMessages {
        var result = self
        for message in messages { result.remember(message) }
        return result
    }

    /// The messages of `catalog` that are new or changed.
    public func news(in messages: [KnownMessage]) -> [KnownMessage] {
        messages.filter { message in
            self.message(message.facts.key, revision: message.revision)?.document != message.document
        }
    }

    mutating func remember(_ message: KnownMessage) {
        let key = message.facts.key
        var revisions = byKey[key] ?? []
        revisions.removeAll { $0.revision == message.revision }
        revisions.append(message)
        byKey[key] = revisions.suffix(Self.revisionsKept)
    }
}
