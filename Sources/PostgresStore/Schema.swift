/// The tables of schema version 1; `SchemaHistory` contains the later changes
/// (docs/reference/http-api.md#the-schema).
///
/// Times are milliseconds since 1970. Texts are compared byte for byte: `COLLATE "C"`.
enum Schema {
    static let text = "text COLLATE \"C\""

    /// The statements for an empty database, in one transaction.
    static var statements: [String] { tables + indexes }

    private static var tables: [String] {
        state + runs + logs + catalog + [
            """
            CREATE TABLE bellwether (
                version int8 NOT NULL, minimum int8 NOT NULL, identity int8 NOT NULL, secret bytea NOT NULL,
                is_single int8 NOT NULL PRIMARY KEY DEFAULT 1 CHECK (is_single = 1))
            """,
            "CREATE TABLE batch (id bytea PRIMARY KEY, outcome \(text) NOT NULL, at timestamptz NOT NULL DEFAULT now())",
            "CREATE TABLE head (name \(text) PRIMARY KEY, version int8 NOT NULL)",
            "INSERT INTO head VALUES ('audit', 0), ('catalog', 0), ('tokens', 0)",
            """
            CREATE TABLE lineage (
                timeline int8 NOT NULL, system int8 NOT NULL, renewals int8 NOT NULL DEFAULT 0,
                is_single int8 NOT NULL PRIMARY KEY DEFAULT 1 CHECK (is_single = 1))
            """,
            "CREATE TABLE log_lane (lane int8 PRIMARY KEY)",
            "INSERT INTO log_lane VALUES (1)",
            "CREATE SEQUENCE epoch",
            "CREATE SEQUENCE cursor",
        ]
    }

    private static var state: [String] {
        [
            """
            CREATE TABLE app (
                name \(text) PRIMARY KEY, revision int8 NOT NULL DEFAULT 0, expired_cursor int8 NOT NULL DEFAULT 0,
                expired_until int8)
            """,
            """
            CREATE TABLE client (
                app \(text) NOT NULL, id \(text) NOT NULL, version int8 NOT NULL, state bytea NOT NULL,
                PRIMARY KEY (app, id)) WITH (fillfactor = 75)
            """,
            """
            CREATE TABLE app_user (
                app \(text) NOT NULL, id \(text) NOT NULL, version int8 NOT NULL, state bytea NOT NULL,
                PRIMARY KEY (app, id)) WITH (fillfactor = 75)
            """,
            """
            CREATE TABLE event_id (
                app \(text) NOT NULL, client \(text) NOT NULL, id bytea NOT NULL, at int8 NOT NULL,
                PRIMARY KEY (app, client, id))
            """,
            """
            CREATE TABLE answer (
                app \(text) NOT NULL, client \(text) NOT NULL, message \(text) NOT NULL, id \(text) NOT NULL,
                request_id \(text), option_index int8 NOT NULL, option_string_id \(text) NOT NULL,
                text \(text) NOT NULL, locale \(text) NOT NULL, revision int8 NOT NULL, submitted_at int8 NOT NULL,
                experiment \(text), branch \(text), PRIMARY KEY (app, client, message))
            """,
            """
            CREATE TABLE reply (
                key bigserial UNIQUE, token \(text) NOT NULL, path \(text) NOT NULL, name \(text) NOT NULL,
                digest bytea NOT NULL, status int8 NOT NULL, body bytea NOT NULL, entity_tag \(text), at int8 NOT NULL,
                app \(text), client_id \(text), user_id \(text), run \(text), PRIMARY KEY (token, path, name))
            """,
            """
            CREATE TABLE small (
                kind \(text) NOT NULL, app \(text) NOT NULL, name \(text) NOT NULL, version int8 NOT NULL,
                body bytea NOT NULL, client_id \(text), PRIMARY KEY (kind, app, name)) WITH (fillfactor = 75)
            """,
            """
            CREATE TABLE outbox (
                key bigserial UNIQUE, id \(text) PRIMARY KEY, version int8 NOT NULL, app \(text) NOT NULL,
                url \(text) NOT NULL, host \(text) NOT NULL, secret_name \(text), body bytea NOT NULL,
                client_id \(text), user_id \(text), created_at int8 NOT NULL, attempts int8 NOT NULL DEFAULT 0,
                next_attempt int8 NOT NULL, owner \(text), dead_at int8, last_failure \(text))
            """,
        ]
    }

    private static var runs: [String] {
        [
            """
            CREATE TABLE run (
                app \(text) NOT NULL, id \(text) NOT NULL, version int8 NOT NULL, slug \(text) NOT NULL,
                user_id \(text), client_id \(text), merged_user \(text), status \(text) NOT NULL, is_dev int8 NOT NULL,
                created_at int8 NOT NULL, updated_at int8 NOT NULL, submitted_at int8, deleted_at int8,
                body bytea NOT NULL, PRIMARY KEY (app, id))
            """,
            """
            CREATE TABLE current_run (
                app \(text) NOT NULL, slug \(text) NOT NULL, respondent \(text) NOT NULL, version int8 NOT NULL,
                run \(text), PRIMARY KEY (app, slug, respondent))
            """,
            """
            CREATE TABLE file (
                app \(text) NOT NULL, sha256 \(text) NOT NULL, type \(text) NOT NULL, content bytea NOT NULL,
                PRIMARY KEY (app, sha256))
            """,
            """
            CREATE TABLE run_file (
                app \(text) NOT NULL, run \(text) NOT NULL, sha256 \(text) NOT NULL,
                PRIMARY KEY (app, run, sha256),
                FOREIGN KEY (app, run) REFERENCES run ON DELETE CASCADE,
                FOREIGN KEY (app, sha256) REFERENCES file)
            """,
        ]
    }

    private static var logs: [String] {
        [
            """
            CREATE TABLE telemetry (
                cursor int8 PRIMARY KEY, app \(text) NOT NULL, received_at int8 NOT NULL, at int8 NOT NULL,
                client_id \(text) NOT NULL, category \(text) NOT NULL, name \(text) NOT NULL, extra \(text) NOT NULL,
                experiment \(text), branch \(text), message \(text))
            """,
            "CREATE TABLE cursor_range (key bigserial PRIMARY KEY, start int8 NOT NULL, database int8 NOT NULL)",
            "CREATE TABLE audit (sequence int8 PRIMARY KEY, text bytea NOT NULL, hash bytea NOT NULL)",
            """
            CREATE FUNCTION audit_is_kept() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'a record of the audit is never changed or deleted'; END $$
            """,
            """
            CREATE TRIGGER audit_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
            FOR EACH STATEMENT EXECUTE FUNCTION audit_is_kept()
            """,
        ]
    }

    /// Table `document` contains manifests, whose locale is empty, and strings. Table `draft` contains the drafts of
    /// both.
    private static var catalog: [String] {
        ["document", "draft"].map { table in
            """
            CREATE TABLE \(table) (
                app \(text) NOT NULL, locale \(text) NOT NULL, revision int8 NOT NULL, source \(text) NOT NULL,
                text bytea NOT NULL, published_at int8 NOT NULL, author \(text) NOT NULL, PRIMARY KEY (app, locale))
            """
        } + [
            """
            CREATE TABLE recipe (
                app \(text) NOT NULL, slug \(text) NOT NULL, state \(text) NOT NULL, revision int8 NOT NULL,
                in_force int8, state_since int8, PRIMARY KEY (app, slug))
            """,
            """
            CREATE TABLE revision (
                app \(text) NOT NULL, slug \(text) NOT NULL, revision int8 NOT NULL, source \(text) NOT NULL,
                text bytea NOT NULL, published_at int8 NOT NULL, author \(text) NOT NULL,
                PRIMARY KEY (app, slug, revision))
            """,
            """
            CREATE TABLE message (
                app \(text) NOT NULL, key \(text) NOT NULL, revision int8 NOT NULL, text bytea NOT NULL,
                PRIMARY KEY (app, key, revision))
            """,
            """
            CREATE TABLE record (
                app \(text) NOT NULL, collection \(text) NOT NULL, id \(text) NOT NULL, last_modified int8 NOT NULL,
                slug \(text), revision int8 NOT NULL, paused int8 NOT NULL, PRIMARY KEY (app, collection, id))
            """,
        ]
    }

    private static var indexes: [String] {
        [
            "event_id_at ON event_id (at)",
            "answer_message ON answer (app, message)",
            "reply_at ON reply (at)",
            "reply_client ON reply (app, client_id) WHERE client_id IS NOT NULL",
            "reply_user ON reply (app, user_id) WHERE user_id IS NOT NULL",
            "reply_run ON reply (app, run) WHERE run IS NOT NULL",
            "small_client ON small (app, client_id) WHERE client_id IS NOT NULL",
            "outbox_due ON outbox (next_attempt, key) WHERE dead_at IS NULL",
            "outbox_dead ON outbox (dead_at) WHERE dead_at IS NOT NULL",
            "outbox_app ON outbox (app, created_at, id)",
            "outbox_client ON outbox (app, client_id) WHERE client_id IS NOT NULL",
            "outbox_user ON outbox (app, user_id) WHERE user_id IS NOT NULL",
            "run_list ON run (app, slug, created_at, id)",
            "run_client ON run (app, client_id) WHERE client_id IS NOT NULL",
            "run_user ON run (app, user_id) WHERE user_id IS NOT NULL",
            "run_merged ON run (app, merged_user) WHERE merged_user IS NOT NULL",
            "run_draft ON run (updated_at) WHERE status = 'draft' AND deleted_at IS NULL",
            "run_deleted ON run (deleted_at) WHERE deleted_at IS NOT NULL",
            "current_run_respondent ON current_run (app, respondent)",
            "run_file_file ON run_file (app, sha256)",
            "telemetry_app ON telemetry (app, cursor)",
            "telemetry_message ON telemetry (app, message, cursor) WHERE message IS NOT NULL",
            """
            telemetry_enrollment ON telemetry (app, experiment, cursor)
                WHERE category = 'nimbus_events' AND name = 'enrollment'
            """,
            "batch_at ON batch (at)",
        ].map { "CREATE INDEX \($0)" }
    }
}
