internal import BellwetherJSON

/// A page of one app's telemetry log as Glean `events` pings, one a line (docs/reference/http-api.md#formats;
/// docs/reference/events.md#glean-pings). Each is valid against the public schema glean/1.
///
/// A ping holds consecutive records of one client; clients come in the order of their first records. A client's next
/// ping begins when the last is full, and when a record names another branch of an experiment than the ping does, since
/// a ping can name but one. The same records always make the same pings.
///
/// No record is lost on the way: the schema takes any text for a category and a name, and `GleanPing` says what is done
/// to times, keys and values that it does not take. The one exception is `rawCategory`.
public struct GleanPings: Sendable {
    /// Whole pings that the daemon was sent and keeps as they came. They are no events of this form, and left out.
    public static let rawCategory = "glean"

    private let app: String
    private let channel: String?
    /// The pings of each client.
    private var clients: [[GleanPing]] = []
    private var indices: [ByteKey: Int] = [:]

    public init(app: String, channel: String?) {
        self.app = app
        self.channel = channel
    }

    /// Whether records of a category are events of a ping.
    public static func takes(category: String) -> Bool { !category.hasSameBytes(as: rawCategory) }

    /// Records come in the order of the log, with growing cursors.
    public mutating func append(_ record: TelemetryRecord, cursor: Int64) {
        guard Self.takes(category: record.category) else { return }
        let index = index(of: record.clientID)
        if clients[index].last?.hasRoom(for: record) != true { clients[index].append(GleanPing()) }
        clients[index][clients[index].count - 1].append(record, cursor: cursor)
    }

    private mutating func index(of clientID: String) -> Int {
        let key = ByteKey(text: clientID)
        if let index = indices[key] { return index }
        indices[key] = clients.count
        clients.append([])
        return clients.count - 1
    }

    public func write(to output: inout [UInt8]) {
        for pings in clients {
            guard let clientID = pings.first?.clientID else { continue }
            let uuid = GleanClientID.uuid(app: app, clientID: clientID)
            for ping in pings {
                ping.json(clientID: uuid, channel: channel).write(to: &output)
                output.append(UInt8(ascii: "\n"))
            }
        }
    }
}
