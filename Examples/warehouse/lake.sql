-- The tables of Bellwether as views, for DuckDB: duckdb -init Examples/warehouse/lake.sql
-- The folder `lake` is in the current folder. It is the target of a sink, or of `bellwether export --output lake/`.

-- Days and weeks are those of UTC, whatever the time zone of this machine.
SET TimeZone = 'UTC';

-- `day` is the day of receipt, from the name of the folder. A condition on it skips the other folders.
CREATE OR REPLACE VIEW events AS
SELECT * FROM read_parquet('lake/events/v1/*/day=*/*.parquet', hive_partitioning = true);

CREATE OR REPLACE VIEW responses AS
SELECT * FROM read_parquet('lake/responses/v1/*/*/data.parquet', hive_partitioning = false);

-- The answers that `bellwether results` counts: not those of development, not previews, not those that were screened
-- out. Drafts count.
CREATE OR REPLACE VIEW answers AS
SELECT * FROM read_parquet('lake/answers/v1/*/*/data.parquet', hive_partitioning = false)
WHERE NOT is_dev AND status NOT IN ('preview', 'screened_out');
