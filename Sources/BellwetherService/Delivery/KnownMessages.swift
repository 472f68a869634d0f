public import BellwetherCore
internal import BellwetherJSON

/// Every message key that was ever published in an app, by revision.
public struct KnownMessages: Sendable {
    /// How many revisions of a message stay answerable; older answers are refused as unknown revisions.
    static let revisionsKept = 20

    /// Revisions rise.
    private var byKey: [ByteKey: [KnownMessage]] = [:]
    /// The approximate bytes of all revisions.
    private(set) var bytes = 0

    public init() {}

    /// Whether it holds all that a store kept: what is live, and so to be spared, is not known before a catalog comes.
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
    public func latest(_ key: String) -> KnownMessage? { byKey[ByteKey(text: key)]?.last }

    public func message(_ key: String, revision: Int) -> KnownMessage? {
        byKey[ByteKey(text: key)]?.last { $0.revision == revision }
    }

    /// The revisions under which the variants of one message are to be served.
    ///
    /// That of the document which last touched the message, unless that number is taken: several documents and branches
    /// make one message, so two of them can bring the same number, and what a style, the manifest or a deletion changes
    /// has none. Then the numbers go on; one number never stands for two contents, and a content that is there already
    /// keeps its number.
    public func revisions(of variants: [KnownMessage]) -> [Int] {
        var known = variants.first.flatMap { byKey[ByteKey(text: $0.facts.key)] } ?? []
        return variants.map { variant in
            if let same = known.first(where: { $0.revision >= variant.revision && $0.hasSameContent(as: variant) }) {
                return same.revision
            }
            let revision = max(variant.revision, (known.last?.revision ?? 0) + 1)
            known.append(variant.numbered(revision))
            return revision
        }
    }

    /// Takes up a catalog's messages; returns those that are new or changed.
    mutating func remember(_ messages: [KnownMessage]) -> [KnownMessage] {
        let news = messages.filter { message in
            guard self.message(message.facts.key, revision: message.revision) == nil else { return false }
            remember(message)
            return true
        }
        let live = Dictionary(grouping: messages, by: { ByteKey(text: $0.facts.key) })
        let grown = isUntrimmed ? Set(byKey.keys) : Set(news.map { ByteKey(text: $0.facts.key) })
        isUntrimmed = false
        for key in grown {
            forgetOldest(of: key, sparing: Set((live[key] ?? []).map(\.revision)))
        }
        return news
    }

    private mutating func remember(_ message: KnownMessage) {
        var revisions = byKey.removeValue(forKey: ByteKey(text: message.facts.key)) ?? []
        let index = revisions.lastIndex { $0.revision < message.revision }.map { $0 + 1 } ?? 0
        revisions.insert(message, at: index)
        bytes += message.bytes
        byKey[ByteKey(text: message.facts.key)] = revisions
    }

    private mutating func forgetOldest(of key: ByteKey, sparing live: Set<Int>) {
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
        return texts.reduce(256) { $0 + $1.utf8.count }
    }
}
