public import BellwetherJSON

/// The revisions under which messages are served, where they are other than those of the documents that last touched
/// them: a daemon gives them by what it has served before, which a device can not know.
public struct MessageRevisions: Sendable {
    private struct Form: Hashable {
        let key: ByteKey
        /// Of the document that last touched the message.
        let published: Int
        /// As a store keeps it.
        let content: JSONValue

        init(_ message: KnownMessage) {
            key = ByteKey(text: message.facts.key)
            published = message.revision
            content = message.document
        }
    }

    private var served: [Form: Int] = [:]
    /// Of messages that are in `served`: the others need no search.
    private var keys: Set<ByteKey> = []

    public init() {}

    /// Notes how the forms of a message were numbered.
    public mutating func note(_ forms: [KnownMessage], _ revisions: [Int]) {
        for (form, revision) in zip(forms, revisions) where form.revision != revision { note(form, revision) }
    }

    mutating func note(_ form: KnownMessage, _ revision: Int) {
        served[Form(form)] = revision
        keys.insert(ByteKey(text: form.facts.key))
    }

    /// The forms' revisions, for `CompiledApp`.
    public func revisions(of forms: [KnownMessage]) -> [Int] {
        forms.map { form in
            guard keys.contains(ByteKey(text: form.facts.key)) else { return form.revision }
            return served[Form(form)] ?? form.revision
        }
    }
}

/// As a bundle has them: `{key: [{published, revision, message}]}`.
extension MessageRevisions {
    public var json: JSONValue {
        var members: [ByteKey: [(form: Form, revision: Int)]] = [:]
        for (form, revision) in served { members[form.key, default: []].append((form, revision)) }
        return .object(
            JSONObject(
                members.sorted { $0.key.text.precedes($1.key.text) }.map { key, forms in
                    (key: key.text, value: .array(forms.sorted { $0.revision < $1.revision }.map(Self.json)))
                }))
    }

    private static func json(_ form: Form, revision: Int) -> JSONValue {
        [
            "published": .integer(Int64(form.published)), "revision": .integer(Int64(revision)),
            "message": form.content,
        ]
    }

    /// What is not as it should be is left out, with a warning: the message then has its document's number.
    public init(reading reader: JSONReader?) {
        for (key, forms) in reader?.tolerant.members() ?? [] {
            for form in forms.elements() ?? [] {
                let published = form.required("published")?.revision()
                let revision = form.required("revision")?.revision()
                guard let published, let revision, let message = form.required("message") else { continue }
                guard let known = KnownMessage(key: key, revision: published, document: message.value) else {
                    message.finding("message", "this is not what a message is told by")
                    continue
                }
                note(known, revision)
            }
        }
    }
}

extension JSONReader {
    /// The number of a document or message.
    func revision() -> Int? { integer(in: 0...Int64.max).map { Int(clamping: $0) } }
}
