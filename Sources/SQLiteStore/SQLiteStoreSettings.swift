internal import BellwetherService

/// The bounds of a store. The defaults serve a small server.
public struct SQLiteStoreSettings: Sendable {
    /// The pages of the write-ahead log after which it is folded into the file. 500 pages are 2 MiB: a fold is one
    /// write to the disk, and the next commit waits for it.
    public var foldedPages = 500
    /// A database up to this size is checked in full when it is opened (about 2 s for each GB). A larger one is checked
    /// as it is read.
    public var checkedBytes: Int64 = 256 << 20

    public init() {}
}
