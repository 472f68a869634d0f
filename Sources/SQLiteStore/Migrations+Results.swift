extension Migrations {
    /// What results are read by: the message that a record is about, and the branch in which an answer was given.
    ///
    /// Answers outlive the log, so they keep their branch themselves; that of earlier ones is taken from the log.
    static let results = """
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
