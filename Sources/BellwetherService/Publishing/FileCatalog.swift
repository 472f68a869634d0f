public import BellwetherJSON

/// The apps and recipes in the folders of the configuration
/// (docs/reference/http-api.md#files-that-the-daemon-reads). The program reads the bytes; the publisher does everything
/// else.
public struct FileCatalog: Sendable {
    public struct App: Sendable {
        public var manifest: File?
        /// The files of strings, by locale.
        public var strings: [Identifier: File] = [:]
        /// The files of recipes, by slug.
        public var recipes: [Identifier: File] = [:]

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

    public var apps: [Identifier: App] = [:]
    /// The files that could not be read, one sentence each.
    public var failures: [String] = []
    /// The paths that could not be read, and so must not count as deleted. `app/recipes/slug` is a file, `app/recipes`
    /// is a whole folder, and `*/recipes` is the folder of all apps. A path stands for all its spellings.
    public var unreadable: Set<String> = []

    public init() {}

    /// Whether a missing document may exist in a path that could not be read. `kind` is `manifest`, `strings` or
    /// `recipes`.
    func isUnreadable(_ kind: String, of app: Identifier, named name: Identifier? = nil) -> Bool {
        unreadable.contains("*/\(kind)") || unreadable.contains("\(app)/\(kind)")
            || name.map { unreadable.contains("\(app)/\(kind)/\($0)") } ?? false
    }
}
