public import BellwetherJSON
public import Surveys

/// A file that an app's runs refer to. It is kept once, by the digest of its content
/// (docs/reference/flows.md#files).
public struct FileName: Sendable, Hashable {
    public let app: Identifier
    /// 64 hexadecimal digits in lower case.
    public let sha256: Identifier

    public init(app: Identifier, sha256: Identifier) { (self.app, self.sha256) = (app, sha256) }
}

public struct StoredFile: Sendable, Hashable {
    /// The media type of the file when it was stored first.
    public let type: String
    public let content: [UInt8]

    public init(type: String, content: [UInt8]) { (self.type, self.content) = (type, content) }
}

/// One file of a write.
public struct FileWrite: Sendable, Hashable {
    public let app: Identifier
    public let file: FlowFile

    public init(_ file: FlowFile, of app: Identifier) { (self.app, self.file) = (app, file) }

    public var name: FileName { FileName(app: app, sha256: file.reference.sha256) }
}
