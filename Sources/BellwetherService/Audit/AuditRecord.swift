internal import BellwetherJSON

/// A record of the audit as it is kept: its text, and the SHA-256 of that. The text holds the hash of the record
/// before.
public struct AuditRecord: Sendable, Hashable {
    /// From 1, without gaps.
    public let sequence: Int64
    /// A JSON object.
    public let text: [UInt8]
    public let hash: [UInt8]

    public init(sequence: Int64, text: [UInt8], hash: [UInt8]) {
        self.sequence = sequence
        self.text = text
        self.hash = hash
    }

    /// The record with its hash as last member: a line of the audit. Without that member it is the text that was
    /// hashed, so that anyone with sha256sum can check it.
    public var line: [UInt8] { text.dropLast() + ",\"hash\":\"\(Digest.hex(hash))\"}".utf8 }
}

/// Records of the audit after one, oldest first.
public struct AuditQuery: Sendable, Hashable {
    /// A sequence number, exclusive; 0: from the start.
    public let after: Int64
    public let limit: Int

    public init(after: Int64, limit: Int) {
        self.after = after
        self.limit = limit
    }
}
