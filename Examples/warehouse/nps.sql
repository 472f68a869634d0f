-- The net promoter score by the week in which the responses began: the share of 9 and 10 less the share of 0 to 6.
-- A question of this kind has answers from 0 to 10. Ratings have numbers, too: choose the question.

CREATE OR REPLACE VIEW nps AS
SELECT
    app, slug, question_id,
    date_trunc('week', created_at)::DATE AS week,
    count(*) AS total,
    count(*) FILTER (number >= 9) AS promoters,
    count(*) FILTER (number <= 6) AS detractors,
    floor(100 * (promoters - detractors) / total + 0.5)::INT AS score
FROM answers
WHERE number BETWEEN 0 AND 10 AND part IS NULL
GROUP BY ALL;
