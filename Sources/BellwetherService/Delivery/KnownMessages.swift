public import BellwetherCore
public import BellwetherJSON

/// Every message key that was ever published in an app, by revision.
public struct KnownMessages: Sendable {
    /// The number of revisions of a message that accept answers. An answer to an older one is refused as an unknown
    /// revision.
    static let revisionsKept = 20

    /// The revisions of each message, in ascending order.
    private var byKey: [Identifier: [KnownMessage]] = [:]
    /// The approximate bytes of all revisions.
    private(set) var bytes = 0

    public init() {}

    /// Whether it still contains everything from the store. The live revisions, which must stay, are unknown before a
    /// catalog is loaded.
    private var isUntrimmed = false

    /// Reads the messages of a store, in any order. A message that the daemon did not write is left out.
    init(_ stored: [StoredMessage]) {
        for message in stored.sorted(by: { $0.revision < $1.revision }) {
            guard let document = try? JSONValue(parsing: message.text, limits: .kept),
                let known = KnownMessage(key: message.key, revision: message.revision, document: document)
            else { continue }
            remember(known)
        }
        isUntrimmed = true
    }

    /// The newest revision of a message.
    public func latest(_ key: Identifier) -> KnownMessage? { byKey[key]?.last }

    public func message(_ key: Identifier, revision: Int) -> KnownMessage? {
        byKey[key]?.last { $0.revision == revision }
    }

    /// The revisions under which the variants of one message are to be served.
    ///
    /// A variant gets the number of the document that last changed the message, unless the number is taken. Several
    /// documents and branches contribute to one message, so two of them can have the same number. A change by a style,
    /// the manifest or a deletion has no number. In these cases the next number is used. A number never stands for two
    /// contents, and a known content keeps its number.
    public func revisions(of variants: [KnownMessage]) -> [Int] {
        var known = variants.first.flatMap { byKey[$0.facts.key] } ?? []
        return variants.map { variant in
            if let same = known.first(where: { $0.revision >= variant.revision && $0.hasSameContent(as: variant) }) {
                return same.revision
            }
            let revision = max(variant.revision, (known.last?.revision ?? 0) + 1)
            known.append(variant.numbered(revision))
            return revision
        }
    }

    /// Adds the messages of a catalog; returns the messages that are new or changed.
    mutating func remember(_ messages: [KnownMessage]) -> [KnownMessage] {
        let news = messages.filter { message in
            guard self.message(message.facts.key, revision: message.revision) == nil else { return false }
            remember(message)
            return true
        }
        let live = Dictionary(grouping: messages, by: { $0.facts.key })
        let grown = isUntrimmed ? Set(byKey.keys) : Set(news.map { $0.facts.key })
        isUntrimmed = false
        for key in grown {
            forgetOldest(of: key, sparing: Set((live[key] ?? []).map(\.revision)))
        }
        return news
    }

    private mutating func remember(_ message: KnownMessage) {
        var revisions = byKey.removeValue(forKey: message.facts.key) ?? []
        let index = revisions.lastIndex { $0.revision < message.revision }.map { $0 + 1 } ?? 0
        revisions.insert(message, at: index)
        bytes += message.bytes
        byKey[message.facts.key] = revisions
    }

    private mutating func forgetOldest(of key: Identifier, sparing live: Set<Int>) {
        guard var revisions = byKey.removeValue(forKey: key) else { return }
        var excess = revisions.count - Self.revisionsKept
        revisions.removeAll { message in
            guard excess > 0, !live.contains(message.revision) else { return false }
            excess -= 1
            bytes -= message.bytes
            return true
        }
        byKey[key] = revisions
    }
}

extension KnownMessage {
    fileprivate var bytes: Int {
        let texts = [facts.key, facts.surface, facts.experiment ?? ""] + options
        return texts.reduce(256) { $0 + $1.text.utf8.count }
    }
}
