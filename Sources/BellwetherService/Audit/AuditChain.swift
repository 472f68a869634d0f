internal import BellwetherJSON

/// The chain of the audit's records up to one of them. Each record contains the hash of the previous one. So a record
/// that was changed, removed or inserted is detected at the next one.
public struct AuditChain: Sendable, Hashable {
    public private(set) var sequence: Int64
    public private(set) var hash: [UInt8]

    /// The chain of an audit without records.
    public init() { self.init(sequence: 0, hash: [UInt8](repeating: 0, count: Digest.byteCount)) }

    public init(after last: AuditRecord) { self.init(sequence: last.sequence, hash: last.hash) }

    public init(sequence: Int64, hash: [UInt8]) {
        self.sequence = sequence
        self.hash = hash
    }

    /// Appends an entry to the chain, and returns its record.
    public mutating func append(_ entry: AuditEntry) -> AuditRecord {
        let text = entry.json(sequence: sequence + 1, previous: hash).encoded
        let record = AuditRecord(sequence: sequence + 1, text: text, hash: Digest.sha256(text))
        self = AuditChain(after: record)
        return record
    }

    /// Verifies a stored chain from its first record to the highest number that was given.
    /// - Parameter page: Reads records after a number, oldest first.
    public static func verify<Failure: Error>(
        upTo written: Int64, _ page: (AuditQuery) throws(Failure) -> [AuditRecord]
    ) throws(Failure) -> Result<AuditChain, AuditFault> {
        var chain = AuditChain()
        while chain.sequence < written {
            let records = try page(AuditQuery(after: chain.sequence, limit: 1000))
            if records.isEmpty { return .failure(.cutOff(chain.sequence + 1, written: written)) }
            do throws(AuditFault) {
                for record in records { try chain.follow(record) }
            } catch {
                return .failure(error)
            }
        }
        return .success(chain)
    }

    /// Verifies the next record of a stored chain, and throws its fault if it has one.
    public mutating func follow(_ record: AuditRecord) throws(AuditFault) {
        guard record.sequence == sequence + 1 else { throw .missing(sequence + 1, found: record.sequence) }
        guard let members = try? JSONValue(parsing: record.text).object else { throw .unreadable(record.sequence) }
        guard Digest.sha256(record.text) == record.hash, members["sequence"] == .integer(record.sequence) else {
            throw .altered(record.sequence)
        }
        guard members["previous"] == .string(Digest.hex(hash)) else { throw .unlinked(record.sequence) }
        self = AuditChain(after: record)
    }
}

/// The first record of a chain that differs from the record that was written.
public enum AuditFault: Error, Sendable, Hashable, CustomStringConvertible {
    case missing(Int64, found: Int64)
    case unreadable(Int64)
    case altered(Int64)
    case unlinked(Int64)
    /// The newest records are missing; `written` is the number of records that were written.
    case cutOff(Int64, written: Int64)

    /// The sequence number of the faulty record.
    public var sequence: Int64 {
        switch self {
        case .missing(let sequence, _), .unreadable(let sequence), .altered(let sequence), .unlinked(let sequence),
            .cutOff(let sequence, _):
            sequence
        }
    }

    public var description: String {
        switch self {
        case .missing(let sequence, let found): "record \(sequence) is missing; the next is \(found)"
        case .unreadable(let sequence): "record \(sequence) is not readable"
        case .altered(let sequence): "record \(sequence) is not the text that its hash was made of"
        case .unlinked(let sequence): "record \(sequence) does not follow the record before it"
        case .cutOff(let sequence, let written): "records \(sequence) to \(written) are missing at the end"
        }
    }
}
