/// The schema, step by step, from the first release on. A released step never changes; a later change is a new step.
///
/// Times are milliseconds since 1970 unless a column says otherwise. `app` and `client` columns hold the numbers of
/// those tables' rows.
enum SchemaHistory {
    static let steps: [(name: String, sql: String)] = [
        ("1 clients", clients),
        ("2 telemetry", telemetry),
        ("3 catalog", catalog),
        ("4 recipe lifecycle", recipeLifecycle),
        ("4 records", records),
        ("4 consumers", consumers),
        ("4 tokens and audit", tokensAndAudit),
        ("4 results", results),
        ("5 restored", restored),
        ("6 cursor ranges", cursorRanges),
        ("6 expired until", expiredUntil),
        ("6 entity tags", "ALTER TABLE idempotency ADD COLUMN entity_tag TEXT"),
        ("6 drafts", drafts),
        ("6 recipe state times", recipeStateTimes),
        ("7 counters", counters),
        ("8 outbox", outbox),
        ("9 runs", runs),
        ("10 web tokens", "ALTER TABLE token ADD COLUMN web INTEGER NOT NULL DEFAULT 0"),
        ("11 shared rows", shared),
        ("12 files", files),
        ("13 erasure", erasure),
        ("14 merged runs", mergedRuns),
        ("15 states of flows", statesOfFlows),
        ("16 rules above the store", rulesAboveTheStore),
        ("17 counts of results", countsOfResults),
        ("18 enrollments", enrollments),
        ("19 end of the audit", endOfTheAudit),
        ("20 series of answers", seriesOfAnswers),
        ("21 traces of webhooks", "ALTER TABLE outbox ADD COLUMN trace TEXT"),
    ]

    /// `event_id.at` is in seconds, and retention uses its index. `probe` is always empty: see `SQLiteStore.status`.
    private static let clients = """
        CREATE TABLE app (
            key INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            revision INTEGER NOT NULL DEFAULT 0,
            expired_cursor INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE client (
            key INTEGER PRIMARY KEY,
            app INTEGER NOT NULL,
            id TEXT NOT NULL,
            version INTEGER NOT NULL,
            state BLOB NOT NULL,
            UNIQUE (app, id)
        ) STRICT;
        CREATE TABLE event_id (
            client INTEGER NOT NULL,
            id BLOB NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (client, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX event_id_at ON event_id (at);
        CREATE TABLE response (
            key INTEGER PRIMARY KEY,
            app INTEGER NOT NULL,
            client INTEGER NOT NULL,
            message TEXT NOT NULL,
            id TEXT NOT NULL,
            request_id TEXT,
            option_index INTEGER NOT NULL,
            option_string_id TEXT NOT NULL,
            text TEXT NOT NULL,
            locale TEXT NOT NULL,
            revision INTEGER NOT NULL,
            submitted_at INTEGER NOT NULL,
            UNIQUE (app, message, client)
        ) STRICT;
        CREATE TABLE idempotency (
            key INTEGER PRIMARY KEY,
            token TEXT NOT NULL,
            path TEXT NOT NULL,
            name TEXT NOT NULL,
            digest BLOB NOT NULL,
            status INTEGER NOT NULL,
            body BLOB NOT NULL,
            at INTEGER NOT NULL,
            UNIQUE (token, path, name)
        ) STRICT;
        CREATE INDEX idempotency_at ON idempotency (at);
        CREATE TABLE probe (bytes BLOB NOT NULL) STRICT;
        """

    /// AUTOINCREMENT never gives a cursor twice, even after the newest record was deleted.
    private static let telemetry = """
        CREATE TABLE telemetry (
            cursor INTEGER PRIMARY KEY AUTOINCREMENT,
            app INTEGER NOT NULL,
            received_at INTEGER NOT NULL,
            at INTEGER NOT NULL,
            client_id TEXT NOT NULL,
            category TEXT NOT NULL,
            name TEXT NOT NULL,
            extra TEXT NOT NULL,
            experiment TEXT,
            branch TEXT
        ) STRICT;
        CREATE INDEX telemetry_app ON telemetry (app, cursor);
        """

    /// `recipe.in_force` is the revision in force where the newest is a draft beside it.
    private static let recipeLifecycle = """
        ALTER TABLE recipe ADD COLUMN in_force INTEGER;
        ALTER TABLE recipe_revision ADD COLUMN author TEXT NOT NULL DEFAULT '';
        """

    /// `recipe.state_since` is when the recipe entered its state; null where an earlier version did not store it.
    private static let recipeStateTimes = "ALTER TABLE recipe ADD COLUMN state_since INTEGER"

    /// `recipe` stores the state and the number of the newest revision; the documents are in `recipe_revision`.
    private static let catalog = """
        CREATE TABLE manifest (
            app INTEGER PRIMARY KEY,
            revision INTEGER NOT NULL,
            source TEXT NOT NULL,
            text TEXT NOT NULL,
            published_at INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE strings (
            app INTEGER NOT NULL,
            locale TEXT NOT NULL,
            revision INTEGER NOT NULL,
            source TEXT NOT NULL,
            text TEXT NOT NULL,
            published_at INTEGER NOT NULL,
            UNIQUE (app, locale)
        ) STRICT;
        CREATE TABLE recipe (
            app INTEGER NOT NULL,
            slug TEXT NOT NULL,
            state TEXT NOT NULL,
            revision INTEGER NOT NULL,
            PRIMARY KEY (app, slug)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE recipe_revision (
            app INTEGER NOT NULL,
            slug TEXT NOT NULL,
            revision INTEGER NOT NULL,
            source TEXT NOT NULL,
            text TEXT NOT NULL,
            published_at INTEGER NOT NULL,
            UNIQUE (app, slug, revision)
        ) STRICT;
        CREATE TABLE message (
            app INTEGER NOT NULL,
            key TEXT NOT NULL,
            revision INTEGER NOT NULL,
            text TEXT NOT NULL,
            UNIQUE (app, key, revision)
        ) STRICT;
        """

    /// `locale` is empty for the draft of the manifest.
    private static let drafts = """
        CREATE TABLE draft (
            app INTEGER NOT NULL,
            locale TEXT NOT NULL,
            revision INTEGER NOT NULL,
            source TEXT NOT NULL,
            text TEXT NOT NULL,
            published_at INTEGER NOT NULL,
            author TEXT NOT NULL,
            UNIQUE (app, locale)
        ) STRICT;
        """

    /// `response_client` serves the erasure of a client.
    private static let consumers = """
        CREATE TABLE consumer (
            app INTEGER NOT NULL,
            name TEXT NOT NULL,
            cursor INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            PRIMARY KEY (app, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX response_client ON response (client);
        """

    /// `cursorRanges` drops this table.
    private static let restored = """
        CREATE TABLE restored (
            cursor INTEGER PRIMARY KEY,
            at INTEGER NOT NULL
        ) STRICT;
        """

    /// See `CursorRangeRows`.
    private static let cursorRanges = """
        DROP TABLE restored;
        CREATE TABLE cursor_range (
            key INTEGER PRIMARY KEY,
            start INTEGER NOT NULL,
            database INTEGER NOT NULL
        ) STRICT;
        """

    /// See `CounterRows`.
    private static let counters = """
        CREATE TABLE counter (
            name TEXT PRIMARY KEY,
            value INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// See `RunRows`. `user` has the columns of `client`. `current_run.run` is null if the run was deleted.
    private static let shared = """
        CREATE TABLE shared (
            kind TEXT NOT NULL,
            app INTEGER NOT NULL,
            name TEXT NOT NULL,
            version INTEGER NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (kind, app, name)
        ) STRICT, WITHOUT ROWID;
        """

    private static let runs = """
        CREATE TABLE user (
            key INTEGER PRIMARY KEY,
            app INTEGER NOT NULL,
            id TEXT NOT NULL,
            version INTEGER NOT NULL,
            state BLOB NOT NULL,
            UNIQUE (app, id)
        ) STRICT;
        CREATE TABLE run (
            key INTEGER PRIMARY KEY,
            app INTEGER NOT NULL,
            id TEXT NOT NULL,
            version INTEGER NOT NULL,
            slug TEXT NOT NULL,
            user_id TEXT,
            client_id TEXT,
            status TEXT NOT NULL,
            is_dev INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            submitted_at INTEGER,
            deleted_at INTEGER,
            body BLOB NOT NULL,
            UNIQUE (app, id)
        ) STRICT;
        CREATE INDEX run_list ON run (app, slug, created_at, id);
        CREATE INDEX run_client ON run (app, client_id) WHERE client_id IS NOT NULL;
        CREATE INDEX run_user ON run (app, user_id) WHERE user_id IS NOT NULL;
        CREATE INDEX run_draft ON run (updated_at) WHERE status = 'draft' AND deleted_at IS NULL;
        CREATE INDEX run_deleted ON run (deleted_at) WHERE deleted_at IS NOT NULL;
        CREATE TABLE current_run (
            app INTEGER NOT NULL,
            slug TEXT NOT NULL,
            respondent TEXT NOT NULL,
            version INTEGER NOT NULL,
            run TEXT,
            PRIMARY KEY (app, slug, respondent)
        ) STRICT, WITHOUT ROWID;
        """

    /// See `FileRows`. `run_file` has the keys of `run` and `file`.
    private static let files = """
        CREATE TABLE file (
            key INTEGER PRIMARY KEY,
            app INTEGER NOT NULL,
            sha256 TEXT NOT NULL,
            type TEXT NOT NULL,
            content BLOB NOT NULL,
            UNIQUE (app, sha256)
        ) STRICT;
        CREATE TABLE run_file (
            run INTEGER NOT NULL,
            file INTEGER NOT NULL,
            PRIMARY KEY (run, file)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX run_file_file ON run_file (file);
        CREATE TRIGGER run_delete AFTER DELETE ON run
        BEGIN DELETE FROM run_file WHERE run = OLD.key; END;
        CREATE TRIGGER run_file_delete AFTER DELETE ON run_file
        WHEN NOT EXISTS (SELECT 1 FROM run_file WHERE file = OLD.file)
        BEGIN DELETE FROM file WHERE key = OLD.file; END;
        """

    /// See `IdempotencyRows`. An earlier reply has its person or run in its path: `/v1/apps/APP/runs/RUN/ACTION`, or
    /// after a `#`. Earlier versions kept rows of respondents without a run, and stored runs without the id of their
    /// client.
    private static let erasure = """
        ALTER TABLE idempotency ADD COLUMN app INTEGER;
        ALTER TABLE idempotency ADD COLUMN client_id TEXT;
        ALTER TABLE idempotency ADD COLUMN user_id TEXT;
        ALTER TABLE idempotency ADD COLUMN run TEXT;
        UPDATE idempotency SET app = app.key FROM app
            WHERE substr(path, 1, length(app.name) + 10) = '/v1/apps/' || app.name || '/';
        UPDATE idempotency SET (client_id, user_id) =
            (substr(path, instr(path, '#') + 1), substr(path, instr(path, '#') + 1))
            WHERE app IS NOT NULL AND instr(path, '#') > 0;
        UPDATE idempotency SET run = substr(rest, 1, instr(rest, '/') - 1)
            FROM (SELECT key AS reply, substr(path, instr(path, '/runs/') + 6) AS rest FROM idempotency
                WHERE app IS NOT NULL AND instr(path, '/runs/') > 0)
            WHERE key = reply AND instr(rest, '/') > 0;
        DELETE FROM current_run WHERE run IS NULL;
        DELETE FROM shared WHERE kind = 'runs' AND body = CAST('{"runs":[]}' AS BLOB);
        UPDATE run SET client_id = CAST(body AS TEXT) ->> '$.client' WHERE client_id IS NULL AND user_id IS NULL;
        """

    /// A response that a merge dropped, when its client was identified as a user, is found by that user.
    private static let mergedRuns = """
        ALTER TABLE run ADD COLUMN merged_user TEXT;
        CREATE INDEX run_merged ON run (app, merged_user) WHERE merged_user IS NOT NULL;
        """

    /// A flow that was stored as live, but that its document's status held back, becomes a draft
    /// (docs/decisions/archive/0074-the-state-of-a-recipe-decides-whether-a-flow-is-delivered.md).
    private static let statesOfFlows = """
        UPDATE recipe SET state = 'draft', in_force = NULL, state_since = NULL
        WHERE state = 'live' AND EXISTS (
            SELECT 1 FROM recipe_revision AS served
            WHERE served.app = recipe.app AND served.slug = recipe.slug
                AND served.revision = coalesce(recipe.in_force, recipe.revision)
                AND CASE WHEN json_valid(served.text) THEN
                    served.text ->> '$.kind' = 'flow' AND json_type(served.text, '$.status') = 'text'
                    AND served.text ->> '$.status' NOT IN ('published', 'active', 'live') END);
        """

    /// See `OutboxRows`. `dead_at` is null for rows that are still to be sent. `outbox_due` has all columns that a
    /// lease reads.
    private static let outbox = """
        CREATE TABLE outbox (
            key INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            app INTEGER NOT NULL,
            url TEXT NOT NULL,
            host TEXT NOT NULL,
            secret_name TEXT,
            body BLOB NOT NULL,
            client_id TEXT,
            user_id TEXT,
            created_at INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            next_attempt INTEGER NOT NULL,
            owner TEXT,
            dead_at INTEGER,
            last_failure TEXT
        ) STRICT;
        CREATE INDEX outbox_due ON outbox (next_attempt, host, owner, dead_at) WHERE dead_at IS NULL;
        CREATE INDEX outbox_dead ON outbox (dead_at) WHERE dead_at IS NOT NULL;
        CREATE INDEX outbox_app ON outbox (app, created_at, id);
        CREATE INDEX outbox_client ON outbox (app, client_id) WHERE client_id IS NOT NULL;
        CREATE INDEX outbox_user ON outbox (app, user_id) WHERE user_id IS NOT NULL;
        """

    /// The time at which the newest record that retention deleted was received; null if retention deleted none since
    /// this step.
    private static let expiredUntil = "ALTER TABLE app ADD COLUMN expired_until INTEGER"

    /// A record without a slug is a tombstone.
    private static let records = """
        CREATE TABLE record (
            app INTEGER NOT NULL,
            collection TEXT NOT NULL,
            id TEXT NOT NULL,
            last_modified INTEGER NOT NULL,
            slug TEXT,
            revision INTEGER NOT NULL,
            paused INTEGER NOT NULL,
            PRIMARY KEY (app, collection, id)
        ) STRICT, WITHOUT ROWID;
        """
}

extension SchemaHistory {
    /// The columns by which results are read: the message that a record is about, and the branch in which the client
    /// answered.
    ///
    /// Answers outlive the log, so they store their branch themselves. The branch of an earlier answer comes from the
    /// log.
    private static let results = """
        ALTER TABLE telemetry ADD COLUMN message TEXT;
        UPDATE telemetry SET message = coalesce(extra ->> '$.message_key', extra ->> '$.survey_id')
            WHERE category IN ('messaging', 'microsurvey') AND json_valid(extra);
        CREATE INDEX telemetry_message ON telemetry (app, message) WHERE message IS NOT NULL;
        ALTER TABLE response ADD COLUMN experiment TEXT;
        ALTER TABLE response ADD COLUMN branch TEXT;
        CREATE TABLE answered (
            app INTEGER NOT NULL,
            message TEXT NOT NULL,
            client TEXT NOT NULL,
            experiment TEXT NOT NULL,
            branch TEXT,
            PRIMARY KEY (app, message, client)
        ) STRICT, WITHOUT ROWID;
        INSERT OR IGNORE INTO answered
            SELECT app, message, client_id, experiment, branch FROM telemetry
            WHERE category = 'microsurvey' AND name = 'submit_button_tapped' AND message IS NOT NULL
                AND experiment IS NOT NULL;
        UPDATE response SET (experiment, branch) = (
            SELECT answered.experiment, answered.branch FROM answered JOIN client ON client.id = answered.client
            WHERE client.key = response.client AND answered.app = response.app
                AND answered.message = response.message);
        DROP TABLE answered;
        """
}

extension SchemaHistory {
    /// `audit` only accepts records at its end, and deletes none. Even `INSERT OR REPLACE` fails, which fires no DELETE
    /// trigger. AUTOINCREMENT keeps the highest number outside the table, which reveals missing records at its end.
    private static let tokensAndAudit = """
        CREATE TABLE token (
            key INTEGER PRIMARY KEY,
            digest BLOB NOT NULL UNIQUE,
            name TEXT NOT NULL,
            scope TEXT NOT NULL,
            app TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER,
            last_used_at INTEGER,
            revoked_at INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX token_living ON token (name) WHERE revoked_at IS NULL;
        CREATE TABLE audit (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            text TEXT NOT NULL,
            hash BLOB NOT NULL
        ) STRICT;
        CREATE TRIGGER audit_insert BEFORE INSERT ON audit
        WHEN NEW.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM audit)
        BEGIN SELECT RAISE(ABORT, 'the audit takes records at its end only'); END;
        CREATE TRIGGER audit_update BEFORE UPDATE ON audit
        BEGIN SELECT RAISE(ABORT, 'a record of the audit is never changed'); END;
        CREATE TRIGGER audit_delete BEFORE DELETE ON audit
        BEGIN SELECT RAISE(ABORT, 'a record of the audit is never deleted'); END;
        """
}

extension SchemaHistory {
    /// Consumers and tokens become small rows (`SharedRows`), webhooks get versions, and the rows that an erasure looks
    /// for get indexes.
    private static let rulesAboveTheStore = """
        INSERT INTO shared (kind, app, name, version, body)
            SELECT 'consumer', app, name, 1, CAST(json_object('cursor', cursor, 'updated_at', updated_at) AS BLOB)
            FROM consumer;
        DROP TABLE consumer;
        INSERT INTO shared (kind, app, name, version, body)
            SELECT 'token', 0, lower(hex(digest)), 1, CAST(json_patch(
                json_object('number', key, 'digest', lower(hex(digest)), 'name', name, 'scope', scope, 'app', app,
                    'web', json(iif(web, 'true', 'false')), 'created_at', created_at),
                json_object('expires_at', expires_at, 'last_used_at', last_used_at, 'revoked_at', revoked_at)) AS BLOB)
            FROM token;
        DROP TABLE token;
        ALTER TABLE shared ADD COLUMN client_id TEXT;
        UPDATE shared SET client_id = substr(name, instr(name, char(31)) + 1) WHERE kind = 'alias';
        CREATE INDEX shared_client ON shared (app, client_id) WHERE client_id IS NOT NULL;
        ALTER TABLE outbox ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
        CREATE INDEX idempotency_client ON idempotency (app, client_id) WHERE client_id IS NOT NULL;
        CREATE INDEX idempotency_user ON idempotency (app, user_id) WHERE user_id IS NOT NULL;
        CREATE INDEX idempotency_run ON idempotency (app, run) WHERE run IS NOT NULL;
        CREATE INDEX current_run_respondent ON current_run (app, respondent);
        """
}

extension SchemaHistory {
    /// The recipes whose runs are not yet counted (`EarlierRuns`). Results read the newest runs of a recipe.
    private static let countsOfResults = """
        INSERT INTO shared (kind, app, name, version, body)
            SELECT DISTINCT 'counts', app, char(31) || slug, 1, CAST('{"":{"runs":1}}' AS BLOB) FROM run;
        """

    /// The counts of these runs do not name the types and scales of questions (`EarlierRuns`).
    private static let seriesOfAnswers = """
        INSERT OR IGNORE INTO shared (kind, app, name, version, body)
            SELECT DISTINCT 'counts', app, char(31) || slug, 1, CAST('{"":{"runs":1}}' AS BLOB) FROM run;
        """

    /// A new record of the audit follows the highest number that was ever given, even if records at the end were
    /// removed.
    private static let endOfTheAudit = """
        DROP TRIGGER audit_insert;
        CREATE TRIGGER audit_insert BEFORE INSERT ON audit
        WHEN NEW.sequence IS NOT (
            SELECT max(coalesce(max(audit.sequence), 0), coalesce(
                (SELECT seq FROM sqlite_sequence WHERE name = 'audit'), 0)) + 1 FROM audit)
        BEGIN SELECT RAISE(ABORT, 'the audit takes records at its end only'); END;
        """

    /// Results count the clients that enrolled in a branch.
    private static let enrollments = """
        CREATE INDEX telemetry_enrollment ON telemetry (app, experiment)
            WHERE category = 'nimbus_events' AND name = 'enrollment';
        """
}
