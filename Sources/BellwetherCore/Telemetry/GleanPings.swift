public import BellwetherJSON

/// A page of one app's telemetry log as Glean `events` pings, one per line (docs/reference/http-api.md#formats;
/// docs/reference/events.md#glean-pings). Each is valid against the public schema glean/1.
///
/// A ping holds consecutive records of one client. Clients are in the order of their first records. A new ping of a
/// client begins if the last one is full. It also begins if a record names another branch of an experiment than the
/// ping, because a ping can name only one branch. The same records always give the same pings.
///
/// No record is lost in this conversion. The schema accepts any text as a category and a name, and `GleanPing`
/// describes the changes to times, keys and values that the schema does not accept. The only exception is
/// `rawCategory`.
public struct GleanPings: Sendable {
    /// The category of complete pings that the daemon received and stores unchanged. They are no events of this form
    /// and are left out.
    public static let rawCategory: Identifier = "glean"

    private let app: Identifier
    private let channel: String?
    /// The pings of each client.
    private var clients: [[GleanPing]] = []
    private var indices: [Identifier: Int] = [:]

    public init(app: Identifier, channel: String?) {
        self.app = app
        self.channel = channel
    }

    /// Whether records of a category are events of a ping.
    public static func takes(category: Identifier) -> Bool { rawCategory != category }

    /// Appends a record. Records must be in the order of the log, with growing cursors.
    public mutating func append(_ record: TelemetryRecord, cursor: Int64) {
        guard Self.takes(category: record.category) else { return }
        let index = index(of: record.clientID)
        if clients[index].last?.hasRoom(for: record) != true { clients[index].append(GleanPing()) }
        clients[index][clients[index].count - 1].append(record, cursor: cursor)
    }

    private mutating func index(of clientID: Identifier) -> Int {
        if let index = indices[clientID] { return index }
        indices[clientID] = clients.count
        clients.append([])
        return clients.count - 1
    }

    public func write(to output: inout [UInt8]) {
        for pings in clients {
            guard let clientID = pings.first?.clientID else { continue }
            let uuid = GleanClientID.uuid(app: app, clientID: clientID)
            for ping in pings {
                ping.json(clientID: Identifier(uuid), channel: channel).write(to: &output)
                output.append(UInt8(ascii: "\n"))
            }
        }
    }
}
