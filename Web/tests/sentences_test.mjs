// Recipes in sentences, made from their documents.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parse } from "../console/language/jexl.js";
import { sentences } from "../console/language/sentences.js";
import { audienceInWords, conjuncts, inWords, segmentsIn } from "../console/language/words.js";

const sample = (path) => JSON.parse(readFileSync(new URL(`../../recipes/${path}.json`, import.meta.url), "utf8"));

test("each kind of recipe is told in sentences", () => {
  assert.deepEqual(sentences(sample("trail-notes/first-trips")), [
    "Asks 5 questions, of which 2 need an answer",
    "It has a page of its own, for links and QR codes",
  ]);
  assert.deepEqual(sentences(sample("trail-notes/mood")), [
    "Asks “Feedback/mood” with 3 answers on “microsurvey”, of everybody, once",
  ]);
  assert.deepEqual(sentences(sample("trail-notes/invitation"), { text: () => "Tell us" }), [
    "Offers “first-trips” with “Tell us” on “home” to everybody for whom this holds: “page_viewed” happened at least " +
    "2 times in this year, at most 5 times, until it is answered",
  ]);
  assert.match(sentences(sample("trail-notes/first-steps"))[0], /^Leads through \d+ steps: “Welcome to Trail Notes”/);
});

test("a segment tells who is in it, and an expression whether one is", () => {
  const expression = "segment.paid && list.vips == false && segment.old != true";
  assert.deepEqual(sentences({ kind: "segment", expression }), [
    "In it: in the segment paid, not in the list vips, and not in the segment old",
  ]);
});

test("an experiment tells its branches, its share and whom it targets", () => {
  const messaging = (text) => [{ featureId: "messaging", value: { messages: { m: { text, surface: "home" } } } }];
  const told = sentences({
    targeting: "plan == 'pro' && app_version|versionCompare('128.!') >= 0",
    bucketConfig: { count: 5000, total: 10000 },
    branches: [
      {
        slug: "control",
        ratio: 1,
        features: [{ featureId: "messaging", value: { messages: { m: { "is-control": true } } } }],
      },
      { slug: "short", ratio: 3, features: messaging("Hello") },
    ],
  });
  assert.deepEqual(told, [
    "Compares control (25%) and short (75%) among 50% of those whom the targeting lets in",
    "Targets: plan is “pro” and app_version is at least 128",
    "Sets the features “messaging”",
    "control: A control for everybody: it is counted, and shows nothing",
    "short: Shows “Hello” on “home” to everybody, at most 5 times",
  ]);
});

test("a document with anything in it is told without a failure", () => {
  for (
    const document of [{}, { kind: "flow" }, { kind: "survey", questions: [{}] }, { branches: [{}] }, {
      messages: { a: null, b: {} },
    }]
  ) {
    assert.ok(Array.isArray(sentences(document)));
  }
});

test("an expression in words", () => {
  const words = (text) => conjuncts(parse(text).tree).map(inWords);
  assert.deepEqual(words("plan in ['pro', 'team'] && trips >= 3"), ["plan is “pro” or “team”", "trips is at least 3"]);
  assert.deepEqual(words("3 < trips"), ["trips is more than 3"]);
  assert.deepEqual(words("'x' in tags"), ["tags contains “x”"]);
  assert.deepEqual(words("plan != null"), ["plan is known"]);
  assert.deepEqual(words("'e'|eventSum('Days', 7, 0) > 2"), ["“e” happened more than 2 times in the last 7 days"]);
  assert.deepEqual(words("'e'|eventLastSeen('Days') >= 3"), ["“e” was last seen at least 3 days ago"]);
  assert.deepEqual(words("'e'|eventAgo(259200) && 'e'|eventAgo(0, 3600) && 'e'|eventAgo(60, 90)"), [
    "“e” last happened at least 3 days ago",
    "“e” happened in the last 1 hour",
    "“e” last happened between 1 minute and 90 seconds ago",
  ]);
  assert.deepEqual(words("'b'|eventAfter('a') && 'b'|eventAfter('a') == false"), [
    "“b” happened, and “a” has not happened since",
    "“b” has not happened since “a”",
  ]);
  assert.deepEqual(words("nimbus_id|bucketSample(0, 10, 100)"), ["a sample of 10 in 100"]);
  // A mixed line is one part: its operators bind from the left.
  assert.deepEqual(words("a && b || c"), [undefined]);
});

test("an audience has words for each part of its expression", () => {
  assert.equal(audienceInWords(undefined), "everybody");
  assert.equal(audienceInWords("(true)"), "everybody");
  assert.equal(audienceInWords("a && b && c"), "a is true, b is true, and c is true");
  assert.equal(audienceInWords("a && b || c"), "(a is true and b is true) or c is true");
  assert.equal(audienceInWords("(a || (b && [1] == 2))"), "a is true or (b is true and “[1] == 2”)");
  assert.equal(audienceInWords("a &&"), "“a &&”");
});

test("a recipe reads the segments that its expressions name", () => {
  const text = '{"targeting": "segment.paid && segment.new_users == false || presegment.old", "when": "segment.gone"}';
  assert.deepEqual(segmentsIn(text, ["new_users", "old", "other", "paid"]), ["new_users", "paid"]);
  assert.deepEqual(segmentsIn("", ["paid"]), []);
});

test("an experiment tells the stages of its share", () => {
  const stages = [{ count: 500 }, { count: 2_500, at: "2026-12-08T08:00:00Z" }, { count: 10_000 }];
  const told = sentences({ branches: [{ slug: "a", ratio: 1 }], bucketConfig: { count: 500, total: 10_000 }, stages });
  assert.equal(told[1], "Stages: 5% now, 25% from 8 Dec 2026 08:00 UTC, 100% by hand");
});
