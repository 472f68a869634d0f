-- The funnel of an onboarding flow: how many clients came to each step, and how many left it by an answer.
-- `of_start` is the share of those who came to the first step.

CREATE OR REPLACE VIEW funnel AS
WITH steps AS (
    SELECT
        app, flow_id, step_id,
        min((extra->>'step_index')::INT) AS place,
        count(DISTINCT client_id) FILTER (name = 'onboarding_step_viewed') AS came,
        count(DISTINCT client_id) FILTER (name = 'onboarding_step_completed') AS answered,
        count(DISTINCT client_id) FILTER (name = 'onboarding_step_skipped') AS skipped
    FROM events
    WHERE category = 'onboarding' AND name LIKE 'onboarding_step_%'
    GROUP BY ALL)
SELECT *, round(came / max(came) OVER (PARTITION BY app, flow_id), 3) AS of_start
FROM steps;
