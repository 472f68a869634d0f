-- From Kafka to ClickHouse: a table that reads the topic of a sink, the table of the records, and the view that moves
-- each record from the one to the other. This file was not run: it is a sample.
-- A sink writes each record at least once, so a record may come twice. ReplacingMergeTree keeps one for each cursor, which
-- is unique; `FINAL` leaves out the others that are not merged yet.

CREATE TABLE events_queue (line String)
ENGINE = Kafka
SETTINGS
    kafka_broker_list = 'broker:9092',
    kafka_topic_list = 'bellwether.trail-notes',
    kafka_group_name = 'clickhouse',
    kafka_format = 'JSONAsString';

CREATE TABLE events
(
    app LowCardinality(String),
    cursor String,
    event_at DateTime64(3, 'UTC'),
    client_id String,
    category LowCardinality(String),
    name LowCardinality(String),
    experiment Nullable(String),
    branch Nullable(String),
    extra String
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(event_at)
ORDER BY (app, category, name, event_at, cursor);

CREATE MATERIALIZED VIEW events_move TO events AS
SELECT
    replaceOne(_topic, 'bellwether.', '') AS app,
    JSONExtractString(line, 'cursor') AS cursor,
    parseDateTime64BestEffort(JSONExtractString(line, 'at'), 3, 'UTC') AS event_at,
    JSONExtractString(line, 'client_id') AS client_id,
    JSONExtractString(line, 'category') AS category,
    JSONExtractString(line, 'name') AS name,
    JSONExtract(line, 'experiment', 'Nullable(String)') AS experiment,
    JSONExtract(line, 'branch', 'Nullable(String)') AS branch,
    JSONExtractRaw(line, 'extra') AS extra
FROM events_queue;

-- The clients who clicked, by branch:
-- SELECT experiment, branch, uniqExactIf(client_id, name = 'shown') AS saw,
--     uniqExactIf(client_id, name = 'clicked') AS clicked
-- FROM events FINAL WHERE category = 'messaging' AND experiment IS NOT NULL GROUP BY ALL;
