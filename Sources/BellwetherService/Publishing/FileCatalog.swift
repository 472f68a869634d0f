/// Apps and recipes as the folders of the configuration hold them
/// (docs/reference/http-api.md#files-that-the-daemon-reads): bytes read by the program, everything else is the
/// publisher's.
public struct FileCatalog: Sendable {
    public struct App: Sendable {
        public var manifest: File?
        /// By locale.
        public var strings: [String: File] = [:]
        /// By slug.
        public var recipes: [String: File] = [:]

        public init() {}
    }

    public struct File: Sendable {
        public let path: String
        public let text: [UInt8]

        public init(path: String, text: [UInt8]) {
            self.path = path
            self.text = text
        }
    }

    public var apps: [String: App] = [:]
    /// Files that could not even be read, a sentence each.
    public var failures: [String] = []
    /// The paths that could not be read and so must not count as gone: `app/recipes/slug`; `app/recipes`, a whole
    /// folder; `*/recipes`, that of all apps.
    public var unreadable: Set<String> = []

    public init() {}

    /// Whether a missing document may be there unread. `kind` is `manifest`, `strings` or `recipes`.
    func isUnreadable(_ kind: String, of app: String, named name: String? = nil) -> Bool {
        unreadable.contains("*/\(kind)") || unreadable.contains("\(app)/\(kind)")
            || name.map { unreadable.contains("\(app)/\(kind)/\($0)") } ?? false
    }
}
