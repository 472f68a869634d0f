internal import BellwetherJSON

/// A stored record of the audit: its text, and the SHA-256 of the text. The text contains the hash of the previous
/// record.
public struct AuditRecord: Sendable, Hashable {
    /// The sequence number, from 1 and without gaps.
    public let sequence: Int64
    /// A JSON object.
    public let text: [UInt8]
    public let hash: [UInt8]

    public init(sequence: Int64, text: [UInt8], hash: [UInt8]) {
        self.sequence = sequence
        self.text = text
        self.hash = hash
    }

    /// The record as a line of the audit, with its hash as the last member. Without this member the line is the text
    /// that was hashed, so anyone can check it with sha256sum.
    public var line: [UInt8] { text.dropLast() + ",\"hash\":\"\(Digest.hex(hash))\"}".utf8 }
}

/// A query for audit records after a sequence number, oldest first.
public struct AuditQuery: Sendable, Hashable {
    /// The records follow this sequence number; 0 means all records.
    public let after: Int64
    public let limit: Int

    public init(after: Int64, limit: Int) {
        self.after = after
        self.limit = limit
    }
}
