// When one person is asked by a recipe that asks again, and the sentence that says so.

import assert from "node:assert/strict";
import { test } from "node:test";
import { askings, wordsOf } from "../console/forms/askings.js";
import { addTexts } from "../console/texts.js";
import texts from "../console/texts/en_questions.js";

addTexts(texts);
const day = 86_400_000;
const now = Date.UTC(2027, 2, 1);
const offer = { surface: "home", text: "Hello" };
const daysOf = (times) => times.map((time) => (time - now) / day);

test("who answers is asked after each wait, for two years, and at most so often", () => {
  const quarterly = askings({ repeat: { days: 90, unanswered_days: 30, rounds: 8 }, offer }, now);
  assert.deepEqual(daysOf(quarterly.answering), [0, 90, 180, 270, 360, 450, 540, 630]);
  assert.equal(quarterly.dismissing.length, 25);
  assert.equal(daysOf(quarterly.dismissing)[24], 720);
  const unlimited = askings({ repeat: { days: 90 }, offer }, now);
  assert.deepEqual(daysOf(unlimited.answering).at(-1), 720);
  assert.deepEqual(unlimited.dismissing, unlimited.answering);
  assert.equal(askings({ repeat: { days: 1000 }, offer }, now).answering.length, 1);
});

test("a fraction of a day is a wait, and no wait is at any time", () => {
  assert.deepEqual(daysOf(askings({ repeat: { days: 0.75, rounds: 3 } }, now).answering), [0, 0.75, 1.5]);
  const always = askings({ repeat: { days: 0 } }, now);
  assert.deepEqual([always.isAlways, always.dismissing], [true, null]);
});

test("pauses and dates of the offer hold beside the waits", () => {
  const pacing = { cooldown_seconds: 7 * 86_400, start: "2027-03-11", end: "2027-04-01T00:00:00Z" };
  const paced = askings({ repeat: { days: 1 }, offer: { ...offer, pacing } }, now);
  assert.deepEqual(daysOf(paced.answering), [10, 17, 24, 31]);
  assert.equal(paced.isAlways, false);
  const over = askings({ repeat: { days: 1 }, offer: { ...offer, pacing: { end: "2027-01-01" } } }, now);
  assert.deepEqual(over.answering, []);
});

test("a recipe without a wait asks once", () => {
  for (const repeat of [undefined, null, {}, { rounds: 2 }, { days: "90" }, { days: -1 }, 7]) {
    assert.equal(askings({ repeat, offer }, now), null);
  }
});

test("the form says the waits in words", () => {
  const words = (repeat, other = offer) => wordsOf({ repeat, offer: other });
  assert.equal(
    words({ days: 90, unanswered_days: 30, rounds: 8 }),
    "Again 90 days after the last answer, 30 days after a dismissal, at most 8 times.",
  );
  assert.equal(
    words({ days: 1, rounds: 1 }),
    "Again 1 day after the last answer, 1 day after a dismissal, at most once.",
  );
  assert.match(words({ days: 0 }, null), /^A person may answer at any time\. No message offers it/);
  assert.equal(
    words({ days: 7, unanswered_days: 0 }),
    "Again 7 days after the last answer, at once after a dismissal.",
  );
  assert.equal(words(undefined), "A person answers once.");
});
