// Differences in sentences.
import assert from "node:assert/strict";
import { test } from "node:test";
import { difference } from "../console/document/difference.js";
import { JSONDocument } from "../console/document/document.js";
import { placeInWords } from "../console/language/changes.js";
import { lasting } from "../console/texts.js";

/** The places of all changes. @param {any} before @param {any} after */
const places = (before, after) =>
  difference(before, after).map(({ kind, pointer }) => placeInWords(pointer, kind === "removed" ? before : after));

test("a change names the thing that changed, and then its member", () => {
  const question = (title, ...options) => ({ id: "first", title, options });
  const asked = (...questions) => ({ kind: "questionnaire", schema: { version: 1, questions } });
  const [a, b] = [{ id: "a", label: "A" }, { id: "b", label: "B" }];
  assert.deepEqual(places(asked(question("Old", a)), asked(question("New", a, b))), [
    "Question “first”: title",
    "Question “first”, answer “b”",
  ]);
  assert.deepEqual(places(asked(question("Q", a, b)), asked(question("Q", { ...a, label: "C" }))), [
    "Question “first”, answer “a”: label",
    "Question “first”, answer “b”",
  ]);
  assert.deepEqual(places({ userFacingDescription: "x" }, { userFacingDescription: "y", startDate: "2027-01-01" }), [
    "Description",
    "Start",
  ]);
});

test("messages, branches, steps and colours have their names", () => {
  const branches = (text) => ({
    branches: [{ slug: "left", features: [{ featureId: "messaging", value: { messages: { sale: { text } } } }] }],
  });
  assert.deepEqual(places(branches("x"), branches("y")), [
    "Branch “left”, feature “messaging”, message “sale”: text",
  ]);
  const step = (title) => ({ kind: "flow", steps: [{ id: "hello", config: { title } }] });
  assert.deepEqual(places(step("x"), step("y")), ["Step “hello”: title"]);
  assert.deepEqual(places({ theme: { dark: { accent: "#fff" } } }, { theme: { dark: { accent: "#eee" } } }), [
    "Theme, dark colours, accent colour",
  ]);
  assert.deepEqual(places({ messages: { a: {} } }, { messages: { a: { "trigger-if-all": ["ALWAYS"] } } }), [
    "Message “a”: triggers",
  ]);
});

test("a list of texts, an unknown member and the whole document have words, too", () => {
  assert.deepEqual(
    placeInWords("/messages/a/trigger-if-all/0", { messages: { a: { "trigger-if-all": ["PRO"] } } }),
    "Message “a”, trigger “PRO”",
  );
  assert.equal(placeInWords("/x-own", {}), "“x-own”");
  assert.equal(placeInWords("/questions/1/title", { questions: [{}, { title: "x" }] }), "Question 2: title");
  assert.equal(placeInWords("", {}), "The whole document");
  // The values of an edited document have no prototype.
  const edited = new JSONDocument('{"messages": {"sale": {"text": "x"}}}').get("");
  assert.equal(placeInWords("/messages/sale/text", edited), "Message “sale”: text");
});

test("what lasts has a duration up to a day, and then a date", () => {
  const now = new Date("2027-01-31T12:00:00Z");
  const before = (minutes) => lasting(new Date(now.getTime() - minutes * 60_000), now);
  assert.equal(before(0.5), "for less than a minute");
  assert.equal(before(7), "for 7 minutes");
  assert.equal(before(125), "for 2 hours");
  assert.match(before(3 * 24 * 60), /^since /);
  assert.match(before(-5), /^for less/);
});
