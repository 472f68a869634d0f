internal import BellwetherService

/// The bounds of a store. The defaults serve a small server.
public struct SQLiteStoreSettings: Sendable {
    /// Pages of the write-ahead log after which it is folded into the file. 500 are 2 MiB: a fold is one write to the
    /// disk, behind which the next commit waits.
    public var foldedPages = 500
    /// A database up to this size is checked in full when it is opened (some 2 s a GB); a larger one as it is read.
    public var checkedBytes: Int64 = 256 << 20

    public init() {}
}
