// Differences in sentences.
import assert from "node:assert/strict";
import { test } from "node:test";
import { difference } from "../console/document/difference.js";
import { JSONDocument } from "../console/document/document.js";
import { changeInWords, placeInWords, valueInWords } from "../console/language/changes.js";
import { lasting, t } from "../console/texts.js";

/** The places of all changes. @param {any} before @param {any} after */
const places = (before, after) =>
  difference(before, after).map(({ kind, pointer }) => placeInWords(pointer, kind === "removed" ? before : after));

test("a change names the thing that changed, and then its member", () => {
  const question = (title, ...options) => ({ id: "first", title, options });
  const asked = (...questions) => ({ kind: "questionnaire", schema: { version: 1, questions } });
  const [a, b] = [{ id: "a", label: "A" }, { id: "b", label: "B" }];
  assert.deepEqual(places(asked(question("Old", a)), asked(question("New", a, b))), [
    "Question “New”: title",
    "Question “New”, answer “B”",
  ]);
  assert.deepEqual(places(asked(question("Q", a, b)), asked(question("Q", { ...a, label: "C" }))), [
    "Question “Q”, answer “C”: label",
    "Question “Q”, answer “B”",
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
  assert.deepEqual(places(step("x"), step("y")), ["Step “y”: title"]);
  assert.deepEqual(places({ theme: { dark: { accent: "#fff" } } }, { theme: { dark: { accent: "#eee" } } }), [
    "Theme, dark colours, accent colour",
  ]);
  assert.deepEqual(places({ messages: { a: {} } }, { messages: { a: { "trigger-if-all": ["ALWAYS"] } } }), [
    "Message “a”: audience",
  ]);
});

/** The sentences of all changes. @param {any} before @param {any} after @param {any} [known] */
const sentences = (before, after, known) =>
  difference(before, after).map((change) => {
    const { key, what, was, is } = changeInWords(change, after, before, known);
    return t(key, { what, was, is });
  });

test("a text by which a thing is known became another one", () => {
  const question = (title, label, help) => ({
    kind: "questionnaire",
    schema: { questions: [{ id: "use", title, label: help, options: [{ id: "a", label }] }] },
  });
  const long = "What do you use on the days on which you are out in the hills?";
  assert.deepEqual(sentences(question("What do you use?", "Maps", "x"), question(long, "A map", "y")), [
    `Question “What do you use?” became “${long}”`,
    "Question “What do you use on the days on which you are ou…”: label changed from “x” to “y”",
    "Question “What do you use on the days on which you are ou…”, answer “Maps” became “A map”",
  ]);
  const flow = (title, text) => ({ kind: "flow", steps: [{ id: "hello", config: { title, text } }] });
  assert.deepEqual(sentences(flow("x", "a"), flow("y", "b")), [
    "Step “x” became “y”",
    "Step “y”: text changed from “a” to “b”",
  ]);
  const textOf = (id) => ({ "Ask/use": "What do you use?" })[id];
  assert.deepEqual(sentences(question("What?", "a"), question("Ask/use", "a"), { textOf }), [
    "Question “What?” became “What do you use?”",
  ]);
  assert.equal(
    sentences(question("What do you use?", "a"), question("Ask/use", "a"), { textOf })[0],
    "Question “What do you use?”: title: “What do you use?” has the id “Ask/use” now, and can be translated",
  );
});

test("an audience, its share, its branches and its stages are told in words", () => {
  const at = "2026-12-08T08:00:00Z";
  const document = (targeting, count, stages, ratios = [1, 1]) => ({
    ...(targeting && { targeting }),
    bucketConfig: { count, total: 10_000 },
    branches: ratios.map((ratio, place) => ({ slug: `b${place}`, ratio })),
    ...(stages && { stages }),
  });
  assert.deepEqual(sentences(document(undefined, 500), document("plan == 'pro' && (a || trips > 3)", 2500)), [
    "Audience: everybody so far, then plan is “pro” and (a is true or trips is more than 3)",
    "Share of the audience: 5% so far, then 25%",
  ]);
  const stages = [{ count: 2_500, at }, { count: 10_000 }];
  assert.deepEqual(sentences(document("true", 500), document("true", 500, stages, [3, 1])), [
    "Branch “b0”: share: 50% so far, then 75%",
    "Stages: none so far, then 5% now, 25% from 8 Dec 2026 08:00 UTC, 100% by hand",
  ]);
  const guarded = [{ count: 2_500, guards: true }, { count: 10_000, at, guards: true }];
  assert.deepEqual(sentences(document("true", 500, stages), document("true", 500, guarded)), [
    "Stages: 5% now, 25% from 8 Dec 2026 08:00 UTC, 100% by hand so far, then " +
    "5% now, 25% when all guards hold, 100% when all guards hold, from 8 Dec 2026 08:00 UTC at the earliest",
  ]);
  assert.deepEqual(sentences({ bucketConfig: { count: 5, total: 100 } }, { bucketConfig: { count: 5, total: 10 } }), [
    "Drawing of participants, buckets in all: 100 (5%) so far, then 10 (50%)",
  ]);
  assert.deepEqual(sentences({ expression: "list.vips" }, { expression: "list.vips && plan == 'pro'" }), [
    "Who is in it: in the list vips so far, then in the list vips and plan is “pro”",
  ]);
  // The same condition in another spelling.
  assert.deepEqual(sentences({ targeting: "a" }, { targeting: "(a)" }), ["Audience changed from “a” to “(a)”"]);
});

test("triggers are told by their conditions", () => {
  const message = (names, triggers) => ({
    messages: { sale: { "trigger-if-all": names } },
    ...(triggers && { triggers }),
  });
  const known = { triggers: { PRO: "plan == 'pro'" } };
  assert.deepEqual(sentences(message(["ALWAYS"]), message(["PRO", "OWN"], { OWN: "list.vips" }), known), [
    "Message “sale”: audience: everybody so far, then plan is “pro” and in the list vips",
    "Triggers was added",
  ]);
  assert.deepEqual(sentences(message(["OWN"], { OWN: "list.a" }), message(["OWN"], { OWN: "list.b", X: "list.c" })), [
    "Trigger “OWN”: in the list a so far, then in the list b",
    "Trigger “X” is new: in the list c",
  ]);
});

test("a value has a line for each member, and no JSON", () => {
  const question = {
    id: "way",
    type: "single_choice",
    title: "Which way?",
    config: { label: "x" },
    options: [
      { id: "a", label: "By bike" },
      { id: "b", label: "On foot" },
    ],
    when: { day: 1 },
  };
  assert.equal(
    valueInWords(question),
    [
      "id: “way”".replace(/“|”/g, ""),
      "type: single_choice",
      "title: Which way?",
      "label: x",
      "answers: “By bike” and “On foot”",
      "condition:",
      "  “day”: 1",
    ].join("\n"),
  );
  assert.equal(valueInWords({ "trigger-if-all": ["ALWAYS"] }, {}, "/offer", {}), "audience: everybody");
  assert.equal(valueInWords([]), "nothing");
  assert.equal(valueInWords([1, true, "a"]), "1, yes, and “a”");
});

test("a list of texts, an unknown member and the whole document have words, too", () => {
  assert.deepEqual(
    placeInWords("/messages/a/trigger-if-all/0", { messages: { a: { "trigger-if-all": ["PRO"] } } }),
    "Message “a”, trigger “PRO”",
  );
  assert.equal(placeInWords("/x-own", {}), "“x-own”");
  assert.equal(placeInWords("/questions/1/title", { questions: [{}, { title: "x" }] }), "Question “x”: title");
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
