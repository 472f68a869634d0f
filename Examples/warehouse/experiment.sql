-- The branches of experiments: how many clients a message was shown to, and how many clicked on it.
-- Whether one branch is better than the other is a question for the goals of the experiment (docs/did-it-work.md).

CREATE OR REPLACE VIEW branches AS
SELECT
    app, experiment, branch,
    count(DISTINCT client_id) FILTER (name = 'shown') AS saw,
    count(DISTINCT client_id) FILTER (name = 'clicked') AS clicked,
    round(clicked / saw, 3) AS share
FROM events
WHERE category = 'messaging' AND experiment IS NOT NULL
GROUP BY ALL;
