internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// A Remote Settings collection as a snapshot has it: the union over the apps whose manifests name it
/// (docs/reference/http-api.md#remote-settings).
public struct RecordCollection: Sendable {
    public let name: String
    /// Newest first, tombstones included.
    let records: [PublishedRecord]
    /// The apps that name it, and since when their manifests are what they are.
    let apps: [String: Timestamp]

    /// The list for one app's readers, or with nil for all apps'; nil where the app does not name the collection.
    public func list(of app: String?) -> RecordList? {
        guard let app else {
            let live = Set(records.filter { !$0.isDeleted }.map { ByteKey(text: $0.stored.id) })
            // A record that one app took over from another is not gone.
            let visible = records.filter { !$0.isDeleted || !live.contains(ByteKey(text: $0.stored.id)) }
            return RecordList(
                timestamp: Self.timestamp(records, apps.values.max()), records: visible)
        }
        guard let since = apps.first(where: { $0.key.hasSameBytes(as: app) })?.value else { return nil }
        let own = records.filter { $0.app.hasSameBytes(as: app) }
        return RecordList(timestamp: Self.timestamp(own, since), records: own)
    }

    private static func timestamp(_ records: [PublishedRecord], _ named: Timestamp?) -> Int64 {
        records.first?.lastModified ?? named?.milliseconds ?? 0
    }
}

/// Records for one kind of reader.
public struct RecordList: Sendable {
    /// When it last changed: no reader needs to ask again who knows of this.
    public let timestamp: Int64
    /// Newest first, tombstones included.
    public let records: [PublishedRecord]

    /// How many at the front are newer; found by halving.
    public func count(newerThan time: Int64) -> Int {
        var low = 0
        var high = records.count
        while low < high {
            let middle = (low + high) / 2
            if records[middle].lastModified > time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
