import Foundation

/// The folder of the setting `web.directory`: the widget's scripts as Scripts/web-bundle writes them, read anew for
/// each request, for work on them.
struct WebDirectory {
    private let path: String

    /// Nil for the empty text: the scripts are those of the program.
    init?(_ path: String) {
        guard !path.isEmpty else { return nil }
        self.path = path
    }

    /// A file of the folder itself.
    @Sendable func read(_ name: String) -> [UInt8]? {
        guard !name.contains("/"), !name.hasPrefix(".") else { return nil }
        return FileManager.default.contents(atPath: path + "/" + name).map { Array($0) }
    }
}
