internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService

/// Prevents a push from overwriting another author's change since this user's last push or during this push. Changes of
/// state are allowed, because a push does not affect them.
struct OverwriteGuard {
    let memory: PushMemory
    private let app: RemoteApp
    private let isForced: Bool
    /// The daemon's versions of the pushed documents.
    private let present: [DocumentName: RemoteVersion]

    init(_ documents: [SourceDocument], _ app: RemoteApp, isForced: Bool) throws(RemoteFailure) {
        self.app = app
        self.isForced = isForced
        memory = PushMemory(of: app)
        var present: [DocumentName: RemoteVersion] = [:]
        if app.recipes != nil {
            for document in documents { present[document.name] = try app.version(of: document.name) }
        }
        self.present = present
    }

    /// The document's version before the push; nil if there is no such document.
    func version(of name: DocumentName) -> RemoteVersion? { present[name] }

    /// The condition that the daemon checks for the PUT.
    func condition(for name: DocumentName) -> (name: String, value: String)? {
        // An app that the daemon does not list may still have a draft, which must be pushed again.
        if isForced || app.recipes == nil { return nil }
        return present[name].map { ("If-Match", $0.tag) } ?? ("If-None-Match", "*")
    }

    /// The change by another author since the last push; nil if there is none, or if it equals the pushed document.
    func finding(about document: SourceDocument) throws(RemoteFailure) -> Finding? {
        guard !isForced, app.recipes != nil, let last = memory.version(of: document.name) else { return nil }
        guard let current = present[document.name] else {
            return try isDeleted(document.name, since: last) ? Self.finding("was deleted") : nil
        }
        // A smaller revision comes from another database at the same address.
        guard current.revision > last.revision else { return nil }
        let text = try app.document(document.name)
        if let text, (try? JSONValue(parsing: text)) == (try? JSONValue(parsing: document.text)) { return nil }
        return Self.finding("was changed (it was revision \(last.revision), and is \(current.revision))")
    }

    /// Whether the document was deleted. Another daemon that never had the recipe does not count.
    private func isDeleted(_ name: DocumentName, since last: RemoteVersion) throws(RemoteFailure) -> Bool {
        guard case .recipe = name else { return true }
        return try app.newestRevision(of: name).map { $0 >= last.revision } ?? false
    }

    private static func finding(_ what: String) -> Finding {
        Finding(
            pointer: .root, code: code,
            message: "it \(what) since your last push: compare the two, then push with --force to overwrite it")
    }

    /// The finding if the daemon refused a PUT because of the condition.
    static let raced = Finding(
        pointer: .root, code: code, message: "somebody else has changed it during this push: compare the two")

    private static let code = "changed_elsewhere"
}
