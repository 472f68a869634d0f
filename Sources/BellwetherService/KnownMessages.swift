public import BellwetherCore
internal import BellwetherJSON

/// Every message key that was ever published in an app, by revision.
public struct KnownMessages: Sendable {
    /// How many revisions of a message stay answerable; older answers are refused as unknown revisions.
    static let revisionsKept = 20

    /// Revisions rise.
    private var byKey: [ByteKey: [KnownMessage]] = [:]

    public init() {}

    /// From what a store kept, in any order. What the daemon did not write is left out.
    init(_ stored: [StoredMessage]) {
        for message in stored.sorted(by: { $0.revision < $1.revision }) {
            guard let document = try? JSONValue(parsing: message.text),
                let known = KnownMessage(key: message.key, revision: message.revision, document: document)
            else { continue }
            remember(known)
        }
    }

    /// The newest revision of a message.
    public func latest(_ key: String) -> KnownMessage? { byKey[ByteKey(text: key)]?.last }

    public func message(_ key: String, revision: Int) -> KnownMessage? {
        byKey[ByteKey(text: key)]?.last { $0.revision == revision }
    }

    /// The revision under which a message is to be served.
    ///
    /// That of the document which last touched it, unless that number is taken: several documents make one message, so
    /// two of them can bring the same number, and what a style, the manifest or a deletion changes has none. Then the
    /// numbers go on; one number never stands for two contents.
    public func revision(of message: KnownMessage) -> Int {
        guard let latest = latest(message.facts.key) else { return message.revision }
        if latest.revision >= message.revision, latest.hasSameContent(as: message) { return latest.revision }
        return max(message.revision, latest.revision + 1)
    }

    /// Takes up a catalog's messages; tells which are new or changed.
    mutating func remember(_ messages: [KnownMessage]) -> [KnownMessage] {
        messages.filter { message in
            guard latest(message.facts.key)?.revision != message.revision else { return false }
            remember(message)
            return true
        }
    }

    private mutating func remember(_ message: KnownMessage) {
        var revisions = byKey.removeValue(forKey: ByteKey(text: message.facts.key)) ?? []
        if revisions.count >= Self.revisionsKept { revisions.removeFirst() }
        revisions.append(message)
        byKey[ByteKey(text: message.facts.key)] = revisions
    }
}
