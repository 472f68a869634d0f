/// A place for the files of a sink: a folder, or a store of objects. All functions block, and are called on one thread
/// at a time.
public protocol FileTarget: AnyObject, Sendable {
    /// Creates a file with content that never changes.
    ///
    /// - Parameter last: the cursor of the file's last record.
    func create(_ name: String, _ content: [UInt8], last: String) throws(SinkFault) -> FileCreation

    /// The state of a file that is replaced; nil if there is none.
    func state(of name: String) throws(SinkFault) -> FileState?

    /// Writes a file in place of the one with this state, or a new one. Returns false if the file has changed
    /// meanwhile: then another process has written it.
    ///
    /// - Parameter digest: the digest of the rows, which `state(of:)` returns later.
    func replace(
        _ name: String, _ content: [UInt8], digest: String, from state: FileState?
    ) throws(SinkFault) -> Bool

    /// The names of all files in a folder, and below it.
    func names(in folder: String) throws(SinkFault) -> [String]
}

/// The outcome of `FileTarget.create`.
public enum FileCreation: Sendable, Hashable {
    case created
    /// There is a file of this name, which ends with this record. Another process, or this one before it was killed,
    /// has written it.
    case exists(last: String)
}

/// The state of a file that is replaced.
public struct FileState: Sendable, Hashable {
    /// The digest of the file's rows; nil for a file that no sink wrote.
    public let digest: String?
    /// The target's name for this content of the file.
    public let version: String

    public init(digest: String?, version: String) { (self.digest, self.version) = (digest, version) }
}

/// The reason why a sink cannot write.
public struct SinkFault: Error, Sendable, Hashable {
    /// One sentence without secrets, for the log.
    public let sentence: String
    /// Whether another attempt may succeed without an operator.
    public let isPassing: Bool

    public init(_ sentence: String, isPassing: Bool) { (self.sentence, self.isPassing) = (sentence, isPassing) }

    public init(_ error: StoreError) { self.init("the store: \(error.reason)", isPassing: true) }
}
