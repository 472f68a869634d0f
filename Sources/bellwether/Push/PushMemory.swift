internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService
internal import FoundationEssentials

/// The entity tags of documents after this user's earlier pushes to an app of a daemon. They are in a file below
/// `$XDG_STATE_HOME/bellwether`, one for each app. Without a home directory nothing is stored.
final class PushMemory {
    private let url: String
    private let app: Identifier
    private let path: String?
    /// The tags by the document's path below the app's path.
    private var tags: [Identifier: String] = [:]

    init(of app: RemoteApp, environment: [String: String] = ProcessInfo.processInfo.environment) {
        url = app.daemon.url.absoluteString
        self.app = app.name
        let name = Digest.hex(Digest.sha256(Array("\(url)\n\(app.name)".utf8)).prefix(16)) + ".json"
        path = Self.folder(environment).map { FileAccess.joined($0, name) }
        guard let path, let data = FileManager.default.contents(atPath: path),
            let kept = try? JSONValue(parsing: Array(data)).object?["documents"]?.object
        else { return }
        for (document, tag) in kept { tags[Identifier(document)] = tag.string }
    }

    /// The folder by the XDG Base Directory Specification, which ignores a relative path.
    private static func folder(_ environment: [String: String]) -> String? {
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.local/state" : nil }
        return (state ?? home).map { $0 + "/bellwether/push" }
    }

    func version(of name: DocumentName) -> RemoteVersion? { tags[key(name)].flatMap(RemoteVersion.init) }

    func note(_ name: DocumentName, _ tag: String?) {
        if let tag { tags[key(name)] = tag }
    }

    private func key(_ name: DocumentName) -> Identifier { Identifier(name.path.map(\.text).joined(separator: "/")) }

    /// Replaces the whole file. An error does not make the push fail.
    func save() {
        guard let path else { return }
        let documents = JSONObject(
            tags.sorted { $0.key < $1.key }.map { (key: $0.key.text, value: .string($0.value)) })
        let content: JSONValue = [
            "url": .string(url), "app": .string(app), "documents": .object(documents),
        ]
        let file = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try Data(content.encoded).write(to: file, options: .atomic)
        } catch {
            StandardError.write("\(path): this push cannot be remembered, because the file cannot be written".plain)
        }
    }
}

/// A document's version in a daemon.
struct RemoteVersion: Hashable {
    /// The tag for `If-Match`.
    let tag: String
    /// The revision, with which entity tags of documents begin.
    let revision: Int64

    init?(_ tag: String) {
        let digits = tag.dropFirst().prefix { $0.isASCII && $0.isNumber }
        guard tag.hasPrefix("\""), let revision = Int64(digits) else { return nil }
        (self.tag, self.revision) = (tag, revision)
    }

    /// The bare revision, which identifies the document in any state.
    init(revision: Int64) { (tag, self.revision) = ("\"\(revision)\"", revision) }
}
