public import BellwetherJSON

/// A search for audit records, newest first (docs/reference/http-api.md#audit). A condition that is nil matches every
/// record.
public struct AuditSearch: Sendable, Hashable {
    /// The maximum number of records that one search examines.
    public static let scanBound = 20_000

    public var app: Identifier?
    public var kind: AuditEntry.Kind?
    public var name: Identifier?
    public var author: Identifier?
    /// The records precede this sequence number; nil means the newest records.
    public var before: Int64?
    public var limit: Int

    public init(app: Identifier? = nil, limit: Int) {
        self.app = app
        self.limit = limit
    }

    func means(_ record: JSONObject) -> Bool {
        let conditions = [("app", app), ("kind", kind.map { Identifier($0.rawValue) }), ("name", name), ("by", author)]
        return conditions.allSatisfy { member, wanted in
            wanted == nil || record[member]?.identifier == wanted
        }
    }
}

/// The records that a search has found.
public struct AuditPage: Sendable, Hashable {
    /// The records, newest first, each with its hash.
    public internal(set) var items: [JSONObject] = []
    /// The sequence number before which the next search continues; nil if all older records were examined.
    public internal(set) var before: Int64?
}

extension Store {
    /// Examines records from the newest to older ones, until the page is full or the bound is reached.
    ///
    /// - Parameter bound: the maximum number of records to examine.
    func search(_ search: AuditSearch, bound: Int = AuditSearch.scanBound) throws(StoreError) -> AuditPage {
        let newest = Int64(clamping: try versions(of: [.audit])[0])
        var page = AuditPage()
        var end = min(search.before ?? .max, newest + 1)
        var left = bound
        while end > 1, left > 0 {
            let count = min(left, 1000, Int(clamping: end - 1))
            let records = try readAudit(AuditQuery(after: end - 1 - Int64(count), limit: count))
            for record in records.reversed() {
                end = record.sequence
                guard var item = try? JSONValue(parsing: record.text, limits: .kept).object, search.means(item) else {
                    continue
                }
                item["hash"] = .string(Digest.hex(record.hash))
                page.items.append(item)
                if page.items.count == search.limit { return page.going(onBefore: end) }
            }
            left -= count
        }
        return page.going(onBefore: end)
    }
}

extension AuditPage {
    fileprivate func going(onBefore end: Int64) -> AuditPage {
        var page = self
        page.before = end > 1 ? end : nil
        return page
    }
}
