internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// A Remote Settings collection in a snapshot: the union over the apps whose manifests name it
/// (docs/reference/http-api.md#remote-settings).
public struct RecordCollection: Sendable {
    public let name: Identifier
    /// The records, newest first, tombstones included.
    let records: [PublishedRecord]
    /// The apps that name it, and the times at which their manifests were published.
    let apps: [Identifier: Timestamp]

    /// The list for the readers of one app; without an app, for the readers of all apps. Nil if the app does not name
    /// the collection.
    public func list(of app: Identifier?) -> RecordList? {
        guard let app else {
            let live = Set(records.filter { !$0.isDeleted }.map { $0.stored.id })
            // A record that one app took over from another is not deleted.
            let visible = records.filter { !$0.isDeleted || !live.contains($0.stored.id) }
            return RecordList(
                timestamp: Self.timestamp(records, apps.values.max()), records: visible)
        }
        guard let since = apps[app] else { return nil }
        let own = records.filter { $0.app == app }
        return RecordList(timestamp: Self.timestamp(own, since), records: own)
    }

    private static func timestamp(_ records: [PublishedRecord], _ named: Timestamp?) -> Int64 {
        records.first?.lastModified ?? named?.milliseconds ?? 0
    }
}

/// The records for the readers of one app, or of all apps.
public struct RecordList: Sendable {
    /// The time of the last change. A reader that has the list of this time needs no new one.
    public let timestamp: Int64
    /// The records, newest first, tombstones included.
    public let records: [PublishedRecord]

    /// The number of records at the front that are newer than a time, found by binary search.
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
