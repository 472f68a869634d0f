internal import BellwetherJSON

/// The records of changes that are no publish.
extension AuditEntry {
    public init(_ action: Action, consumer name: String, of app: String, _ origin: ChangeOrigin) {
        self.init(at: origin.at, author: origin.author, action: action, kind: .consumer, app: app, name: name)
    }

    public init(erasureOf client: ClientReference, knownAs digest: [UInt8], _ origin: ChangeOrigin) {
        self.init(at: origin.at, author: origin.author, action: .erase, kind: .client, app: client.app, name: nil)
        facts["client"] = .string(Digest.hex(digest))
    }

    /// `cursor`: behind it new telemetry records begin.
    public init(restoreOf records: Int64, cursor: Int64, _ origin: ChangeOrigin) {
        self.init(at: origin.at, author: origin.author, action: .restore, kind: .database, app: "*", name: nil)
        facts["records"] = .integer(records)
        facts["cursor"] = .integer(cursor)
    }
}
