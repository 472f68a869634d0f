internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Surveys

/// The reads that the tables of data need: of a store, or of the files of a store that a daemon may write at the same
/// time. All functions block.
public protocol DataReading: RecordReading {
    /// Rows by an index, in its order, up to a limit.
    func find(_ index: RowIndex, limit: Int) throws(StoreError) -> [FoundRow]

    /// The catalog of the last publish, with its head.
    func loadCatalog() throws(StoreError) -> StoredCatalog
}

/// A position among the responses of an app: runs, newest first, then answers to microsurveys, oldest first.
public enum ResponseCursor: Sendable, Hashable {
    case run(RunCursor)
    case answer(after: Identifier)

    private static let answerPrefix = "m"

    /// Nil for a text that no answer of the daemon has.
    public init?(_ text: String) {
        if text.hasPrefix(Self.answerPrefix) {
            self = .answer(after: Identifier(text.dropFirst()))
        } else if let cursor = RunCursor(text) {
            self = .run(cursor)
        } else {
            return nil
        }
    }

    public var text: String {
        switch self {
        case .run(let cursor): cursor.text
        case .answer(let id): Self.answerPrefix + id.text
        }
    }
}

/// A page of responses, and the position of the next one; nil at the end.
struct ResponsePage {
    var rows: [ResponseRow] = []
    var next: ResponseCursor?
}

extension DataReading {
    /// A page of the responses that began in a range of time. Deleted runs are left out. A page may be empty before the
    /// end.
    ///
    /// - Parameter limit: the number of rows that are read.
    func responses(
        of app: Identifier, in range: Range<Timestamp>, after cursor: ResponseCursor?, limit: Int
    ) throws(StoreError) -> ResponsePage {
        switch cursor {
        case .answer(let id): return try answers(of: app, in: range, after: id, limit: limit)
        case .run(let cursor): return try runs(of: app, in: range, after: cursor, limit: limit)
        case nil: return try runs(of: app, in: range, after: RunCursor(before: range.upperBound), limit: limit)
        }
    }

    private func runs(
        of app: Identifier, in range: Range<Timestamp>, after cursor: RunCursor, limit: Int
    ) throws(StoreError) -> ResponsePage {
        var query = RunQuery(app: app, limit: limit)
        query.after = cursor
        var page = ResponsePage(next: .answer(after: ""))
        let rows = try find(.runs(query), limit: limit)
        for row in rows {
            guard case .run(let run) = try row.value.get() else { continue }
            guard run.createdAt >= range.lowerBound else { return page }
            page.rows.append(ResponseRow(app: app, slug: run.slug, content: .run(run), version: row.version))
            query.after = RunCursor(run)
        }
        if rows.count == limit, let after = query.after { page.next = .run(after) }
        return page
    }

    private func answers(
        of app: Identifier, in range: Range<Timestamp>, after id: Identifier, limit: Int
    ) throws(StoreError) -> ResponsePage {
        var page = ResponsePage()
        let rows = try find(.answersAfter(id: id, app: app), limit: limit)
        for row in rows {
            guard case .answer(let answer) = try row.value.get() else { continue }
            if rows.count == limit { page.next = .answer(after: answer.id) }
            guard range.contains(answer.submittedAt) else { continue }
            let content = ResponseRow.Content.answer(answer)
            page.rows.append(ResponseRow(app: app, slug: answer.message, content: content, version: row.version))
        }
        return page
    }

    /// All responses that began in a range of time.
    func eachResponse(
        of app: Identifier, in range: Range<Timestamp>, _ body: (ResponseRow) throws(StoreError) -> Void
    ) throws(StoreError) {
        var cursor: ResponseCursor?
        repeat {
            // Each read of answers orders all of them, so its pages are large.
            let limit = if case .answer? = cursor { 50_000 } else { 1_000 }
            let page = try responses(of: app, in: range, after: cursor, limit: limit)
            for row in page.rows { try body(row) }
            cursor = page.next
        } while cursor != nil
    }
}
