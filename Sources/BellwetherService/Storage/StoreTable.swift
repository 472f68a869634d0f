/// The tables that both stores have, and their columns. A move copies them
/// (docs/reference/http-api.md#move), rows are read and written by them, and a test compares them with the tables that
/// the stores' migrations make.
///
/// Columns `app`, `client`, `run` and `file` name what they refer to as callers do. A store may have a number there
/// (`Dialect`), and columns of its own beside these.
public enum StoreTable: String, CaseIterable, Sendable {
    // The order of the cases is the order in which a move writes: a row comes after the rows that it refers to.
    case app, client, user, event, answer, reply, small, webhook, run, currentRun, file, runFile
    case document, draft, recipe, revision, message, record
    case telemetry, range, audit

    public enum Kind: Sendable {
        case integer, text, bytes
        /// A text that is available as bytes.
        case document
    }

    public struct Column: Sendable {
        public let name: String
        public let kind: Kind
        /// Whether it may be NULL.
        public let isOptional: Bool
    }

    /// The columns, those of the key first.
    public var columns: [Column] { Self.described[self]?.columns ?? [] }

    /// The number of columns by which a row is found.
    public var keyCount: Int { Self.described[self]?.keyCount ?? 0 }

    private struct Description: Sendable {
        var columns: [Column] = []
        let keyCount: Int

        init(_ keyCount: Int, _ parts: (Kind, String)...) {
            self.keyCount = keyCount
            for (kind, names) in parts {
                columns += names.split(separator: " ").map { name in
                    let isOptional = name.hasSuffix("?")
                    return Column(name: String(isOptional ? name.dropLast() : name), kind: kind, isOptional: isOptional)
                }
            }
        }
    }

    /// The number of columns of the key, and the names of the columns by kind. A column with `?` may be NULL.
    private static let described: [StoreTable: Description] = [
        .app: .init(1, (.text, "name"), (.integer, "revision expired_cursor expired_until?")),
        .client: .init(2, (.text, "app id"), (.integer, "version"), (.bytes, "state")),
        .user: .init(2, (.text, "app id"), (.integer, "version"), (.bytes, "state")),
        .event: .init(3, (.text, "app client"), (.bytes, "id"), (.integer, "at")),
        .answer: .init(
            3, (.text, "app client message id request_id?"), (.integer, "option_index"),
            (.text, "option_string_id text locale"), (.integer, "revision submitted_at"),
            (.text, "experiment? branch?")),
        .reply: .init(
            3, (.text, "token path name"), (.bytes, "digest"), (.integer, "status"), (.bytes, "body"),
            (.text, "entity_tag?"), (.integer, "at"), (.text, "app? client_id? user_id? run?")),
        .small: .init(3, (.text, "kind app name"), (.integer, "version"), (.bytes, "body"), (.text, "client_id?")),
        .webhook: .init(
            1, (.text, "id"), (.integer, "version"), (.text, "app url host secret_name?"), (.bytes, "body"),
            (.text, "client_id? user_id?"), (.integer, "created_at attempts next_attempt"), (.text, "owner?"),
            (.integer, "dead_at?"), (.text, "last_failure? trace?")),
        .run: .init(
            2, (.text, "app id"), (.integer, "version"), (.text, "slug user_id? client_id? merged_user? status"),
            (.integer, "is_dev created_at updated_at submitted_at? deleted_at?"), (.bytes, "body")),
        .currentRun: .init(3, (.text, "app slug respondent"), (.integer, "version"), (.text, "run?")),
        .file: .init(2, (.text, "app sha256 type"), (.bytes, "content")),
        .runFile: .init(3, (.text, "app run sha256")),
        .document: .init(
            2, (.text, "app locale"), (.integer, "revision"), (.text, "source"), (.document, "text"),
            (.integer, "published_at"), (.text, "author")),
        .draft: .init(
            2, (.text, "app locale"), (.integer, "revision"), (.text, "source"), (.document, "text"),
            (.integer, "published_at"), (.text, "author")),
        .recipe: .init(2, (.text, "app slug state"), (.integer, "revision in_force? state_since?")),
        .revision: .init(
            3, (.text, "app slug"), (.integer, "revision"), (.text, "source"), (.document, "text"),
            (.integer, "published_at"), (.text, "author")),
        .message: .init(3, (.text, "app key"), (.integer, "revision"), (.document, "text")),
        .record: .init(
            3, (.text, "app collection id"), (.integer, "last_modified"), (.text, "slug?"),
            (.integer, "revision paused")),
        .telemetry: .init(
            1, (.integer, "cursor"), (.text, "app"), (.integer, "received_at at"),
            (.text, "client_id category name extra experiment? branch? message?")),
        .range: .init(0, (.integer, "start database")),
        .audit: .init(1, (.integer, "sequence"), (.document, "text"), (.bytes, "hash")),
    ]
}
