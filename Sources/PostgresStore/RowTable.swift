internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import PostgresWire
internal import Surveys

/// A table of named rows. The order of the cases is the order in which a write locks tables.
enum RowTable: Int, CaseIterable {
    case client, user, answer, reply, run, currentRun, small, webhook, file, document, draft, recipe, revision, head

    var name: String {
        switch self {
        case .user: "app_user"
        case .currentRun: "current_run"
        case .webhook: "outbox"
        default: "\(self)"
        }
    }

    /// The columns of a row's name. All are compared as texts, except the number of a revision.
    var keys: [String] {
        switch self {
        case .client, .user, .run: ["app", "id"]
        case .answer: ["app", "client", "message"]
        case .reply: ["token", "path", "name"]
        case .currentRun: ["app", "slug", "respondent"]
        case .small: ["kind", "app", "name"]
        case .webhook: ["id"]
        case .file: ["app", "sha256"]
        case .document, .draft: ["app", "locale"]
        case .recipe: ["app", "slug"]
        case .revision: ["app", "slug", "revision"]
        case .head: ["name"]
        }
    }

    var hasVersion: Bool {
        switch self {
        case .answer, .reply, .file, .document, .draft, .recipe, .revision: false
        default: true
        }
    }

    /// The version of a row of `t`. A row that is written once has version 1.
    var version: String { hasVersion ? "t.version" : "1::int8" }

    /// The columns that are read for a row. They need `joins`.
    var columns: String {
        switch self {
        case .client, .user: "t.state"
        case .answer: Self.answerColumns.map { "t.\($0)" }.joined(separator: ", ")
        case .reply:
            """
            t.digest, t.status, t.body, t.entity_tag, t.at, t.app, t.client_id, t.user_id, t.run
            """
        case .run, .small: "t.body"
        case .currentRun: "t.run"
        case .webhook:
            """
            t.app, t.url, t.secret_name, t.body, t.client_id, t.user_id, t.created_at, t.attempts, t.next_attempt,
            t.dead_at, t.last_failure, t.owner
            """
        case .file: "t.type, t.content"
        case .document, .draft, .revision: Self.document("t")
        case .recipe: "t.state, t.state_since, \(Self.document("newest")), \(Self.document("forced"))"
        case .head: "t.version, a.hash"
        }
    }

    /// The joins of other tables that `columns` needs.
    var joins: String {
        switch self {
        case .recipe:
            """
            LEFT JOIN revision newest
                ON newest.app = t.app AND newest.slug = t.slug AND newest.revision = t.revision
            LEFT JOIN revision forced
                ON forced.app = t.app AND forced.slug = t.slug AND forced.revision = t.in_force
            """
        case .head:
            "LEFT JOIN audit a ON t.name = 'audit' AND a.sequence = (SELECT max(sequence) FROM audit)"
        default: ""
        }
    }

    static let answerColumns = [
        "id", "request_id", "option_index", "option_string_id", "text", "locale", "revision", "submitted_at",
        "experiment", "branch",
    ]

    static func document(_ table: String) -> String {
        ["revision", "source", "text", "published_at", "author"].map { "\(table).\($0)" }.joined(separator: ", ")
    }

    /// The names as rows of `u`: columns `k0`, `k1`, …, and the position `n`, from 1. The parameters are one array for
    /// each column.
    var names: String {
        let arrays = keys.map { _ in "?::text[]" }.joined(separator: ", ")
        let columns = keys.indices.map { "k\($0)" }.joined(separator: ", ")
        return "unnest(\(arrays)) WITH ORDINALITY AS u(\(columns), n)"
    }

    /// The condition that a row of `t` has the name in `u`.
    var match: String {
        keys.enumerated().map { index, column in
            self == .revision && index == 2 ? "t.\(column) = u.k\(index)::int8" : "t.\(column) = u.k\(index)"
        }.joined(separator: " AND ")
    }

    /// The keys of rows, as the parameters of `names`.
    func arrays(_ keys: [[String]]) -> [PostgresValue] {
        self.keys.indices.map { column in .texts(keys.map { $0[column] }) }
    }

    /// Reads the versions of the rows that exist, with their positions.
    func versions(_ keys: [[String]], locking: Bool = false) -> PostgresStatement {
        let order = self.keys.map { "t.\($0)" }.joined(separator: ", ")
        return .numbering(
            "SELECT u.n, \(version) FROM \(names) JOIN \(name) t ON \(match)"
                + (locking ? " ORDER BY \(order) FOR UPDATE OF t" : ""), arrays(keys))
    }

    /// Reads the rows that exist, with their positions and versions.
    func rows(_ keys: [[String]]) -> PostgresStatement {
        .numbering(
            "SELECT u.n, \(version), \(columns) FROM \(names) JOIN \(name) t ON \(match) \(joins)", arrays(keys))
    }

    func deletion(of keys: [[String]]) -> PostgresStatement {
        .numbering("DELETE FROM \(name) t USING \(names) WHERE \(match)", arrays(keys))
    }
}

/// The table and the keys of a row.
struct RowPlace {
    let table: RowTable
    let keys: [String]

    init(_ name: RowName) {
        (table, keys) =
            switch name {
            case .client(let client): (.client, [client.app, client.id])
            case .user(let user): (.user, [user.app, user.id])
            case .answer(let client, let message): (.answer, [client.app, client.id, message])
            case .reply(let key): (.reply, [key.token, key.path, key.text])
            case .run(let run): (.run, [run.app, run.id])
            case .currentRun(let app, let slug, let respondent): (.currentRun, [app, slug, respondent])
            case .webhook(let id): (.webhook, [id])
            case .audit: (.head, ["audit"])
            case .catalog: (.head, ["catalog"])
            case .document(let app, let name): (.document, [app, name.locale ?? ""])
            case .draft(let app, let name): (.draft, [app, name.locale ?? ""])
            case .recipe(let app, let slug): (.recipe, [app, slug])
            case .revision(let app, let slug, let number): (.revision, [app, slug, "\(number)"])
            case .file(let file): (.file, [file.app, file.sha256])
            case .tally, .counts, .runList, .alias, .lease, .consumer, .note, .token:
                (.small, SmallRow(name).map { [$0.kind.rawValue, $0.app ?? "", $0.key] } ?? ["", "", ""])
            }
    }

    /// The app that a write notes for the row; nil if it notes none.
    static func app(of name: RowName) -> String? {
        let place = RowPlace(name)
        switch place.table {
        case .reply, .webhook, .head, .file, .document, .draft, .recipe, .revision: return nil
        case .small: return SmallRow(name)?.app
        default: return place.keys[0]
        }
    }
}

extension RowTable {
    /// The name of the row with these keys; nil if no row can have them.
    func rowName(_ keys: [String]) -> RowName? {
        switch self {
        case .client: .client(ClientReference(app: keys[0], id: keys[1]))
        case .user: .user(UserReference(app: keys[0], id: keys[1]))
        case .answer: .answer(ClientReference(app: keys[0], id: keys[1]), message: keys[2])
        case .reply: .reply(IdempotencyKey(token: keys[0], path: keys[1], text: keys[2]))
        case .run: .run(RunReference(app: keys[0], id: keys[1]))
        case .currentRun: .currentRun(app: keys[0], slug: keys[1], respondent: keys[2])
        case .small: SmallRow.Kind(rawValue: keys[0]).flatMap { SmallRow.name($0, app: keys[1], key: keys[2]) }
        case .webhook: .webhook(keys[0])
        case .file: .file(FileName(app: keys[0], sha256: keys[1]))
        case .document: .document(app: keys[0], .init(storedLocale: keys[1]))
        case .draft: .draft(app: keys[0], .init(storedLocale: keys[1]))
        case .recipe: .recipe(app: keys[0], slug: keys[1])
        case .revision: Int(keys[2]).map { .revision(app: keys[0], slug: keys[1], $0) }
        case .head: keys[0] == "audit" ? .audit : .catalog
        }
    }

    /// The value of a row whose columns begin at this position.
    func value(_ row: PostgresRow, at place: Int, _ keys: [String]) throws -> RowValue {
        switch self {
        case .client, .user:
            guard let state = ClientState(encoded: row.bytes(place)) else {
                throw RowFault("the stored state of a client or user of \(keys[0]) cannot be read")
            }
            return .client(state)
        case .answer: return .answer(SurveyResponse(row, at: place, client: keys[1], message: keys[2]))
        case .reply: return .reply(StoredReply(row, at: place), at: Timestamp(milliseconds: row.integer(place + 4)))
        case .run: return .run(try Run(stored: row.bytes(place)))
        case .currentRun: return .currentRun(row.optionalText(place))
        case .small:
            let json = (try? JSONValue(parsing: row.bytes(place), limits: .kept))?.object ?? [:]
            guard let kind = SmallRow.Kind(rawValue: keys[0]), let value = SmallRow.value(kind, json) else {
                throw RowFault("a \(keys[0]) cannot be read")
            }
            return value
        case .webhook: return .webhook(OutboxRow(row, at: place, id: keys[0]), owner: row.optionalText(place + 11))
        case .file: return .file(StoredFile(type: row.text(place), content: row.bytes(place + 1)))
        case .document, .draft, .revision: return .document(try StoredDocument(row, at: place))
        case .recipe: return .recipe(try StoredRecipe(row, at: place, slug: keys[1]))
        case .head:
            guard keys[0] == "audit" else { return .catalog }
            // The version is the highest number that was ever given, even if records at the end were removed.
            let hash = row.isNull(place + 1) ? AuditChain().hash : row.bytes(place + 1)
            return .audit(AuditChain(sequence: row.integer(place), hash: hash))
        }
    }
}

/// The error for a row with content that this program does not write.
struct RowFault: Error {
    let message: String

    init(_ message: String) { self.message = message }
}
