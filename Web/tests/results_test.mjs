// Tests the queries that pages of answers send to the daemon, the files that they write, and the recipe of an
// experiment after a variant has won.
import assert from "node:assert/strict";
import { test } from "node:test";
import { filtersOf, firstDay, periodOf, responsesQuery, resultsQuery } from "../console/answers-query.js";
import { binned, grouped } from "../console/charts/columns.js";
import { line, responseLines as table } from "../console/csv.js";
import { rolledOut, rolledOutAnew } from "../console/document/rollout.js";
import { eventOf, fragment, questionOf, readFragment, suggestions } from "../console/views/explain-question.js";

const now = Date.parse("2026-11-25T12:00:00Z");

test("goal 38: filters mean the same for results and responses", () => {
  const query = new URLSearchParams(
    "from=2026-11-01&to=2026-11-21&branch=toolbar/left&drafts=no&attr.plan=pro&q=x&by=plan",
  );
  const results = Object.fromEntries(resultsQuery(query, "questionnaire"));
  const responses = Object.fromEntries(responsesQuery(query, "questionnaire"));
  assert.deepEqual(results, {
    from: "2026-11-01",
    to: "2026-11-21",
    branch: "toolbar/left",
    submitted_only: "true",
    "attr.plan": "pro",
    by: "plan",
  });
  assert.deepEqual(responses, {
    from: "2026-11-01",
    to: "2026-11-21",
    experiment: "toolbar",
    branch: "left",
    submitted_only: "true",
    "attr.plan": "pro",
    q: "x",
    // The default of results.
    data_mode: "production",
  });
  for (const data of ["development", "all"]) {
    const one = new URLSearchParams({ data });
    assert.equal(resultsQuery(one, "flow").get("data_mode"), data);
    assert.equal(responsesQuery(one, "flow").get("data_mode"), data);
  }
  assert.equal(resultsQuery(new URLSearchParams(), "experiment").get("enrollment"), "true");
  assert.equal(String(filtersOf(query)), "from=2026-11-01&to=2026-11-21&branch=toolbar%2Fleft&drafts=no&attr.plan=pro");
});

test("a period that ends today is told as such", () => {
  assert.equal(firstDay(7, now), "2026-11-19");
  assert.equal(periodOf(new URLSearchParams("from=2026-11-19"), now), "7");
  assert.equal(periodOf(new URLSearchParams("from=2026-11-19&to=2026-11-20"), now), "own");
  assert.equal(periodOf(new URLSearchParams(), now), "");
});

test("goal 13: a text that a spreadsheet would run has an apostrophe in front", () => {
  for (const text of ["=1+1", "+1", "-1", "@a", "\t=1", "\r=1", "\n=1"]) {
    assert.match(line([text]), /^"?'/, JSON.stringify(text));
  }
  assert.equal(line([-1, "a", null, "", 'say "no", please', undefined]), '-1,a,,"","say ""no"", please",\r\n');
});

test("goal 38: a file of responses has the answers of the list, and the notes", () => {
  const item = (/** @type {any} */ more) => ({
    id: "r1",
    status: "new",
    created_at: "2026-11-25T10:00:00Z",
    submitted_at: null,
    client_id: "anna",
    user_id: null,
    revision: 2,
    is_dev: false,
    texts: [{ id: "use", question: "What?", answer: "Maps" }],
    ...more,
  });
  const comments = [{ author: "Ben", created_at: "2026-11-25T11:00:00Z", body: "=ask" }];
  const flow = { step_id: "goal", id: "selected", question: "Q", answer: "Hike" };
  const rows = table([item({ comments, attributes: { plan: "pro" } }), item({ id: "r2", texts: [flow] })]);
  assert.equal(
    rows[0],
    "id,status,created_at,submitted_at,client_id,user_id,revision,message,experiment,branch,is_dev,attribute.plan,use,goal/selected,notes\r\n",
  );
  assert.equal(
    rows[1],
    'r1,new,2026-11-25T10:00:00Z,,anna,,2,,,,false,pro,Maps,,"Ben, 2026-11-25T11:00:00Z: =ask"\r\n',
  );
  assert.equal(rows[2], 'r2,new,2026-11-25T10:00:00Z,,anna,,2,,,,false,,,Hike,""\r\n');
});

test("days without an answer are gaps, ninety days and more are weeks, and the running one is marked", () => {
  const day = (/** @type {string} */ text, /** @type {number} */ started) => ({ day: text, started, submitted: 1 });
  const few = grouped([day("2026-11-20", 3), day("2026-11-23", 2)], now);
  assert.deepEqual(few.map(({ started }) => started), [3, 0, 0, 2, 0, 0]);
  assert.deepEqual(few.map(({ isRunning }) => isRunning), [false, false, false, false, false, true]);
  const many = grouped([day("2026-08-01", 5), day("2026-08-03", 2), day("2026-11-24", 4)], now);
  assert.equal(many[0].started, 7);
  assert.equal(many.length, 17);
  assert.deepEqual(grouped([], now), []);
});

test("many numbers share columns, and none is lost", () => {
  const buckets = Array.from({ length: 80 }, (_, place) => ({ value: 1950 + place, count: 1 }));
  const bins = binned(buckets, "number");
  assert.ok(bins.length <= 24);
  assert.equal(bins.reduce((sum, { count }) => sum + (count ?? 0), 0), 80);
  assert.equal(bins[0].label, "1950");
  assert.deepEqual(binned([{ value: "2026-01", count: null }], "month"), [{ label: "2026-01", count: null }]);
});

test("goal 15: whom a question is about, and what is supposed, stand behind the #", () => {
  const parts = {
    client: "a b/c",
    supposed: [{ sort: "attribute", name: "plan", value: '"pro"' }, { sort: "event", name: "x.y", value: "2" }],
  };
  assert.deepEqual(readFragment(`#${fragment(parts)}`), parts);
  assert.deepEqual(readFragment("#client=c&other.x=1&plan=2"), { client: "c", supposed: [] });
});

test("goal 36: an address becomes the question that it says", () => {
  const persona = {
    context: { plan: "free", days: 3 },
    now: "2026-11-01T00:00:00Z",
    events: [{ name: "a", at: "2026-10-01T00:00:00Z" }],
  };
  const supposed = [
    { sort: "attribute", name: "plan", value: '"pro"' },
    { sort: "attribute", name: "team", value: "blue" },
    { sort: "event", name: "page_viewed", value: "2" },
    { sort: "display", name: "card", value: "0" },
    { sort: "branch", name: "toolbar", value: "left" },
    { sort: "branch", name: "gone", value: "" },
  ];
  const enrolled = [
    { slug: "gone", status: "Enrolled", branch: "a" },
    { slug: "other", status: "Enrolled", branch: "b" },
    { slug: "never", status: "NotEnrolled", branch: null },
  ];
  assert.deepEqual(questionOf({ surface: "home", client: "c", locale: "de", persona, supposed }, enrolled), {
    surface: "home",
    client_id: "c",
    now: "2026-11-01T00:00:00Z",
    context: { plan: "pro", days: 3, locale: "de", team: "blue" },
    events: [{ name: "a", at: "2026-10-01T00:00:00Z" }, { name: "page_viewed", at: "2026-11-01T00:00:00Z", count: 2 }],
    ledger: { card: { display_count: 0 } },
    enrollments: { other: "b", toolbar: "left" },
  });
  assert.deepEqual(questionOf({ surface: "home", supposed: [] }), { surface: "home" });
});

test("what would open a part of an expression is suggested", () => {
  const events = "'page_viewed'|eventSum('Years', 1, 0)";
  assert.equal(eventOf(events), "page_viewed");
  assert.deepEqual(suggestions({ expression: `${events} >= 2`, values: { [events]: 1 } }), [{
    sort: "event",
    name: "page_viewed",
    value: "1",
  }]);
  assert.deepEqual(suggestions({ expression: "plan == 'pro'", values: { plan: "free" } }), [{
    sort: "attribute",
    name: "plan",
    value: '"pro"',
  }]);
  assert.deepEqual(suggestions({ expression: "days > week", undefined: ["days"] }), [{
    sort: "attribute",
    name: "days",
    value: undefined,
  }]);
  assert.deepEqual(suggestions({ expression: "trips >= 3", undefined: ["trips"] }), [{
    sort: "attribute",
    name: "trips",
    value: "3",
  }]);
});

const experiment = `{
  "schemaVersion": "1.12.0",
  "slug": "toolbar",   "isRollout": false,
  "isEnrollmentPaused": true, "endDate": "2026-12-01",
  "referenceBranch": "control",
  "bucketConfig": {"randomizationUnit": "nimbus_id", "namespace": "toolbar", "start": 100, "count": 4000, "total": 10000},
  "branches": [
    {"slug": "control", "ratio": 1, "features": [{"featureId": "bar", "value": {"place": "top"}}]},
    {"slug": "left", "ratio": 3, "features": [{"featureId": "bar", "value": {"place": "left"}}]},
    {"slug": "old", "ratio": 1, "feature": {"featureId": "bar", "value": {"place": "old"}}}
  ],
  "own": 1.0
}
`;

test("an experiment becomes a rollout in which every branch sets what the winner sets", () => {
  const text = rolledOut(experiment, "left", true);
  const document = JSON.parse(text);
  const winner = [{ featureId: "bar", value: { place: "left" } }];
  assert.equal(document.isRollout, true);
  assert.equal(document.isEnrollmentPaused, false);
  assert.equal(document.endDate, null);
  assert.equal(document.referenceBranch, "left");
  assert.deepEqual([document.bucketConfig.start, document.bucketConfig.count], [0, 10_000]);
  assert.deepEqual(document.branches, [
    { slug: "control", ratio: 0, features: winner },
    { slug: "left", ratio: 1, features: winner },
    { slug: "old", ratio: 0, features: winner },
  ]);
  assert.match(text, /"own": 1\.0\n/);
  const same = JSON.parse(rolledOut(experiment, "control", false));
  assert.deepEqual([same.bucketConfig.start, same.bucketConfig.count], [100, 4000]);
  assert.deepEqual(same.branches.map(({ ratio }) => ratio), [1, 0, 0]);
  const anew = JSON.parse(rolledOutAnew(experiment, "left", false, "shop-rollout"));
  assert.deepEqual(anew.branches, [{ slug: "left", ratio: 1, features: winner }]);
  assert.deepEqual([anew.slug ?? "shop-rollout", anew.isRollout, anew.endDate], ["shop-rollout", true, null]);
});
