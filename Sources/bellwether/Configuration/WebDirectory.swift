internal import FoundationEssentials

/// The folder of the setting `web.directory`: the widget's scripts in the form that Scripts/web-bundle writes. For
/// development, each request reads them again.
struct WebDirectory {
    private let path: String

    /// Nil for the empty text, with which the program's own scripts are used.
    init?(_ path: String) {
        guard !path.isEmpty else { return nil }
        self.path = path
    }

    /// Reads a file in the folder, but not in a subfolder.
    @Sendable func read(_ name: String) -> [UInt8]? {
        guard !name.contains("/"), !name.hasPrefix(".") else { return nil }
        return FileManager.default.contents(atPath: path + "/" + name).map { Array($0) }
    }
}
