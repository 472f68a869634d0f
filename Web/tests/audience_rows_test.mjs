// Expressions as rows: what is read and written is the same text, what is written is read as the same rows, and what
// rows cannot say stays byte for byte.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fresh } from "../console/ask/dialects.js";
import { audienceDialect, isReadable, read, rowsInWords, write } from "../console/language/audience-rows.js";
import { parse } from "../console/language/jexl.js";
import { emptyVocabulary } from "../console/language/types.js";
import { evaluate, fail, safely } from "./jexl_evaluator.mjs";

const vectors = new URL("../../vectors/jexl.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(vectors, "utf8"));
const attributes = {
  plan: "string",
  app_version: "string",
  trips: "number",
  is_beta: "boolean",
  tags: "array",
  device: "object",
  language: "string",
};
const vocabulary = {
  ...emptyVocabulary,
  attributes: Object.entries(attributes).map(([name, type]) => ({ name, type, source: "manifest" })),
};
const { offers } = audienceDialect(vocabulary);

/** Numbers in [0, 1) that are the same in each run. */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

class Random {
  constructor(seed) {
    this.next = randomFrom(seed);
  }

  below(count) {
    return Math.floor(this.next() * count);
  }

  one(items) {
    return items[this.below(items.length)];
  }

  some(make, least, most) {
    return Array.from({ length: least + this.below(most - least + 1) }, make);
  }
}

const words = ["pro", "", "it's", 'a "b"', "\"'", "Größe 12", " spaced ", "x && y", "(", "null", "12", "-3", "e\nf"];
const plainWords = ["pro", "it's", 'a "b"', "x && y", "Größe"];
const numbers = [0, 1, 3.5, -2, 1e21, 1.5e-7, -0.25, 100_000];
const eventNames = ["purchase", "it's done", 'a"b', "", "x|y"];
const units = ["Minutes", "Hours", "Days", "Weeks", "Months", "Years"];
const subjects = {
  text: ["plan", "language"],
  number: ["trips"],
  boolean: ["is_beta"],
  choices: ["tags"],
  version: ["app_version"],
  member: ["segment.gold", "list.vips"],
  event: eventNames.map((name) => `event:${name}`),
  fact: ["answer.nps"],
  share: ["@share"],
};

/** A value that a comparison can have, in the form in which it is read. */
function valueFor(random, kind, comparison) {
  const listed = () => {
    const isNumbers = kind === "fact" && random.below(2) === 0;
    return random.some(() => random.one(isNumbers ? [1, 9, 10] : plainWords), 1, 3);
  };
  const counted = () => ({ length: 1 + random.below(56), unit: random.one(units) });
  const span = () =>
    random.one([{ length: 3, unit: "Days" }, { length: 5, unit: "Hours" }, { length: 7, unit: "Minutes" }]);
  if (comparison === "in" || comparison === "notIn") return listed();
  if (comparison.startsWith("version")) return random.one(["120", "1.2.3", "12b1", "120.*", "it's"]);
  if (comparison.startsWith("times")) {
    // Exactly no time is "never".
    return { count: random.below(4) + (comparison === "timesIs" ? 1 : 0), ...counted() };
  }
  if (comparison === "never" || comparison.startsWith("seen")) return counted();
  if (comparison.startsWith("within") || comparison === "ago") return span();
  if (comparison.startsWith("after")) return random.one(eventNames);
  if (comparison === "share") return random.one([0.01, 1, 12.5, 33.33, 100]);
  if (comparison.startsWith("contains")) return random.one(words);
  if (kind === "number") return random.one(numbers);
  if (kind === "boolean") return random.below(2) === 0;
  return kind === "fact" ? random.one([...words, ...numbers, true, false]) : random.one(words);
}

const more = {
  event: [
    "timesNot",
    "timesAbove",
    "timesBelow",
    "seenLeast",
    "seenMost",
    "seenAbove",
    "seenBelow",
    "withinNot",
    "afterNot",
  ],
  text: ["known", "unknown"],
  version: ["versionNot", "is"],
  fact: ["above", "below", "containsNot"],
};
const valueless = ["inside", "outside", "known", "unknown", "answered", "empty", "happened", "happenedNot"];
const inOrder = ["least", "most", "above", "below"];

function randomRow(random) {
  const kind = random.one(Object.keys(subjects));
  const comparison = random.one([...offers[kind], ...more[kind] ?? []]);
  const row = { kind: "row", subject: random.one(subjects[kind]), comparison };
  if (valueless.includes(comparison)) return row;
  let value = valueFor(random, kind, comparison);
  if (inOrder.includes(comparison) && typeof value === "boolean") value = 9;
  return { ...row, value };
}

const isGuard = ({ comparison }) => comparison === "answered";

/** A group of at least two parts. A check for an answer, which the next row may have of its own, is left out. */
function randomGroup(random, depth) {
  const part = () => depth > 0 && random.below(4) === 0 ? randomGroup(random, depth - 1) : randomRow(random);
  const parts = random.some(part, 2, 4).filter((one) => !isGuard(one));
  return parts.length < 2 ? randomGroup(random, depth) : { kind: "group", join: random.one(["all", "any"]), parts };
}

const withoutRaw = (group) => JSON.parse(JSON.stringify(fresh({ raw: 0, ...group })));

test("rows that are written are read as the same rows", () => {
  const random = new Random(1);
  for (let round = 0; round < 2000; round += 1) {
    const made = randomGroup(random, 1);
    const text = write(made);
    assert.equal(parse(text).fault, null, text);
    assert.deepEqual(withoutRaw(read(text, vocabulary)), made, text);
    assert.equal(write(read(text, vocabulary)), text);
  }
});

test("one row is written and read in each comparison that is offered", () => {
  const random = new Random(2);
  for (const [kind, comparisons] of Object.entries(offers)) {
    for (const comparison of [...comparisons, ...more[kind] ?? []]) {
      const row = { kind: "row", subject: subjects[kind][0], comparison };
      if (!valueless.includes(comparison)) row.value = valueFor(random, kind, comparison);
      if (inOrder.includes(comparison) && kind === "fact") row.value = 9;
      const text = write({ kind: "group", join: "all", parts: [row] });
      assert.deepEqual(withoutRaw(read(text, vocabulary)), { kind: "group", join: "all", parts: [row] }, text);
    }
  }
});

// Random expressions: what rows can say, in all spellings, between what they cannot say.
const leaves = [
  "plan == 'pro'",
  '"pro" == plan',
  '( plan )!="x"',
  "3 <= trips",
  "trips > 0 - 5",
  "is_beta",
  "(is_beta)",
  "is_beta != true",
  "plan in ['a', 'b',]",
  "plan in ['a', 'b'] == false",
  "'x' in tags",
  "app_version|versionCompare('120.!') >= 0",
  "app_version|versionCompare( '9' ) == 0",
  "'purchase'|eventSum('Days', 7, 0) >= 3",
  "'purchase'|eventSum('Days', 7) == 0",
  "'purchase'|eventLastSeen('Days', 0) > 3",
  "'a'|eventAgo(259200)",
  "'b'|eventAfter('a') == false",
  "'a'|eventAgo(0, 3600)",
  "segment.gold",
  "segment.gold != true",
  "list.vips == false",
  "plan in ['a', 'b'] != false",
  "'a'|eventAgo(0, 3600) != true",
  "answer.nps != null",
  "answer.nps >= 9",
  "answer.nps in [9, 10]",
  "nimbus_id|bucketSample(0, 10, 100)",
];
const lockedLeaves = [
  "trips % 2 == 0",
  "plan",
  "device.name == 'x'",
  "trips + 1 > 3",
  "(plan == 'a' ? is_beta : trips > 3)",
  "'purchase'|eventSum('Days', 7, 1) >= 3",
  "'x'|eventAgo(90)",
  "tags[.a == 1]",
  "plan == device",
  "1 == 1",
  "false",
  "nimbus_id|bucketSample(5, 10, 100)",
  "plan in ['a,b']",
  "answer.nps in [9, '10']",
];

function randomExpression(random, depth) {
  const space = () => random.one(["", " ", "  ", "\n\t"]);
  if (depth === 0 || random.below(3) === 0) {
    const leaf = random.one(random.below(3) === 0 ? lockedLeaves : leaves);
    return random.below(6) === 0 ? `(${space()}${leaf}${space()})` : leaf;
  }
  const sign = () => `${space() || " "}${random.one(["&&", "||"])}${space()}`;
  const text = random.some(() => randomExpression(random, depth - 1), 2, 4)
    .reduce((whole, part) => `${whole}${sign()}${part}`);
  return random.below(2) === 0 ? `(${space()}${text}${space()})` : text;
}

const wholeExpression = (random) => random.one(["", " ", "\n"]) + randomExpression(random, 3) + random.one(["", " "]);

test("an expression that is read and written keeps its text", () => {
  const random = new Random(3);
  let said = 0;
  const all = Array.from({ length: 2000 }, () => wholeExpression(random));
  for (const text of [...all, ...cases.map(({ expression }) => expression), "", " ", "true", " true", "plan =="]) {
    const group = read(text, vocabulary);
    assert.equal(write(group), text);
    said += isReadable(group) ? 1 : 0;
  }
  assert.ok(said > 1600, `${said} are rows at least partly`);
  for (const value of [5, null, false, { a: 1 }, undefined]) {
    assert.deepEqual(write(read(value, vocabulary)), value ?? undefined);
  }
});

/** A tree without the positions and brackets of its nodes. */
function shape(node) {
  if (Array.isArray(node)) return node.map(shape);
  if (node === null || typeof node !== "object") return node;
  const places = ["start", "end", "at", "inner"];
  return Object.fromEntries(
    Object.entries(node).filter(([key]) => !places.includes(key)).map(([key, value]) => [key, shape(value)]),
  );
}

/** All rows of a group, and its locked parts. */
const partsOf = (group) => group.parts.flatMap((part) => part.kind === "group" ? partsOf(part) : [part]);

test("an edit of one row leaves each other part byte for byte", () => {
  const random = new Random(4);
  let edits = 0;
  while (edits < 1000) {
    const text = wholeExpression(random);
    const group = read(text, vocabulary);
    const rows = partsOf(group).filter(({ kind }) => kind === "row");
    if (rows.length === 0) continue;
    edits += 1;
    const row = random.one(rows);
    const others = partsOf(group).filter((part) => part !== row).map(({ raw }) => raw.text);
    const [before, after] = text.split(row.raw.text).length === 2 ? text.split(row.raw.text) : [];
    Object.assign(row, { subject: "trips", comparison: "least", value: 4321 });
    const written = write(group);
    if (before !== undefined) assert.equal(written, `${before}trips >= 4321${after}`);
    assert.deepEqual(
      partsOf(read(written, vocabulary)).filter(({ value }) => value !== 4321).map(({ raw }) => raw.text),
      others,
      `${text} became ${written}`,
    );
  }
});

test("rows that are added and removed, and other joins, lose no locked part", () => {
  const random = new Random(5);
  for (let round = 0; round < 1000; round += 1) {
    const group = read(wholeExpression(random), vocabulary);
    const { parts } = group;
    if (random.below(2) === 0) parts.push({ kind: "row", subject: "plan", comparison: "is", value: "added" });
    if (random.below(2) === 0) {
      parts.push({ kind: "group", join: "any", parts: [randomRow(random), randomRow(random)] });
    }
    const place = parts.findIndex(({ kind }) => kind === "row");
    if (place >= 0 && parts.length > 1 && random.below(2) === 0) parts.splice(place, 1);
    for (const one of [group, ...parts]) if (one.kind === "group") one.join = random.one(["all", "any"]);
    const text = write(group);
    assert.equal(parse(text).fault, null, text);
    assert.deepEqual(shape(parse(text).tree), shape(treeOf(group)), text);
    for (const part of partsOf(group)) if (part.kind === "locked") assert.ok(text.includes(part.raw.text), text);
  }
});

/** The tree that a group means, with its parts joined from the left. */
function treeOf(group) {
  const operator = { all: "&&", any: "||" }[group.join];
  const trees = group.parts.flatMap((part) => {
    if (part.kind === "group") return [treeOf(part)];
    const text = write({ kind: "group", join: "all", parts: [part] });
    const { tree } = parse(text);
    // The two comparisons of a guarded row in a conjunction are operands of the conjunction.
    const isPair = part.kind === "row" && tree.operator === "&&" && !tree.inner && group.join === "all";
    return isPair ? [tree.left, tree.right] : [tree];
  });
  return trees.reduce((left, right) => ({ kind: "binary", operator, left, right }));
}

/** Values of transforms that depend on their arguments alone. */
function transform(name, subject, items) {
  if (name === "versionCompare") {
    if (typeof subject !== "string") fail();
    const [own, wanted] = [subject, ...items].map((text) => Number.parseFloat(text) - (text.endsWith(".!") ? 0.1 : 0));
    return Math.sign(own - wanted);
  }
  const isEvent = ["eventSum", "eventLastSeen", "eventAgo", "eventAfter"].includes(name);
  if (!isEvent && name !== "bucketSample") fail();
  const [, , start = 0] = items;
  const key = name === "bucketSample" ? items[1] / items[2] : [items[0], items[1] ?? 0, start, subject].join();
  const hash = [...`${name} ${key}`].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1009, 7);
  return name === "eventSum" || name === "eventLastSeen" ? hash % 5 : hash % 2 === 0;
}

function randomContext(random) {
  const maybe = (value) => random.below(5) === 0 ? null : value;
  return {
    plan: maybe(random.one(["pro", "a", "x"])),
    app_version: maybe(random.one(["119", "120", "9"])),
    trips: maybe(random.one([0, 3, 4, -5])),
    is_beta: maybe(random.below(2) === 0),
    tags: maybe(random.one([["x"], ["y"]])),
    device: { name: "x" },
    nimbus_id: "client",
    segment: { gold: random.below(2) === 0 },
    list: { vips: random.below(2) === 0 },
    answer: { nps: maybe(random.one([3, 9, 10])) },
  };
}

test("rows that are written anew admit the same clients", () => {
  const random = new Random(6);
  const admits = (text, context) => safely(() => evaluate(parse(text).tree, context, transform) === true, false);
  let admitted = 0;
  for (let round = 0; round < 1000; round += 1) {
    const text = wholeExpression(random);
    const group = read(text, vocabulary);
    const anew = write(fresh(group));
    for (let place = 0; place < 5; place += 1) {
      const context = randomContext(random);
      const wanted = admits(text, context);
      assert.equal(admits(anew, context), wanted, `${text} became ${anew} in ${JSON.stringify(context)}`);
      admitted += wanted ? 1 : 0;
    }
  }
  assert.ok(admitted > 500, `${admitted} are admitted`);
});

const said = (text) => {
  const { join, parts } = read(text, vocabulary);
  const one = (part) =>
    part.kind === "group"
      ? [part.join, ...part.parts.map(one)]
      : part.kind === "locked"
      ? part.raw.text
      : [part.subject, part.comparison, part.value].filter((item) => item !== undefined).map(String).join(" ");
  return [join, ...parts.map(one)];
};

test("&& and || have one precedence, from the left", () => {
  assert.deepEqual(said("trips > 1 || trips > 2 && trips > 3"), [
    "all",
    ["any", "trips above 1", "trips above 2"],
    "trips above 3",
  ]);
  assert.deepEqual(said("trips > 1 && trips > 2 || trips > 3"), [
    "any",
    ["all", "trips above 1", "trips above 2"],
    "trips above 3",
  ]);
  assert.deepEqual(said("trips > 1 || (trips > 2 && trips > 3)"), [
    "any",
    "trips above 1",
    ["all", "trips above 2", "trips above 3"],
  ]);
  assert.deepEqual(said("((trips > 1) || trips > 2)"), ["any", "trips above 1", "trips above 2"]);
  assert.deepEqual(said("trips > 1 && (plan == 'a' || trips > 2 && trips > 3)"), [
    "all",
    "trips above 1",
    ["all", "plan == 'a' || trips > 2", "trips above 3"],
  ]);
});

test("a group that was the first operand gets brackets when it needs them", () => {
  const group = read("trips > 1 || trips > 2 && trips > 3", vocabulary);
  group.parts[0].join = "all";
  assert.equal(write(group), "(trips > 1 && trips > 2) && trips > 3");
  assert.equal(write(read("answer.nps >= 9 || plan == 'a'", vocabulary)), "answer.nps >= 9 || plan == 'a'");
});

test("what rows cannot say is told apart from what looks like it", () => {
  for (const text of lockedLeaves) assert.deepEqual(said(text), ["all", text]);
  for (const text of leaves) assert.ok(isReadable(read(text, vocabulary)), text);
});

test("a locked part without brackets gets them at another place", () => {
  const group = read("trips > 1 && (plan == 'a' || trips > 2 && trips > 3)", vocabulary);
  group.parts[1].parts.reverse();
  assert.equal(write(group), "trips > 1 && (trips > 3 && (plan == 'a' || trips > 2))");
});

test("an order of answers asks for an answer first", () => {
  const row = { kind: "row", subject: "answer.nps", comparison: "least", value: 9 };
  const other = { kind: "row", subject: "plan", comparison: "is", value: "pro" };
  const text = (join, ...parts) => write({ kind: "group", join, parts });
  assert.equal(text("all", other, row), "plan == 'pro' && answer.nps != null && answer.nps >= 9");
  assert.equal(text("any", row, other), "(answer.nps != null && answer.nps >= 9) || plan == 'pro'");
  assert.deepEqual(said("answer.nps != null && answer.nps >= 9"), ["all", "answer.nps least 9"]);
  assert.deepEqual(said("answer.nps != null && answer.other >= 9"), [
    "all",
    "answer.nps answered",
    "answer.other least 9",
  ]);
});

test("an attribute of the manifest keeps the name of a scope", () => {
  const own = {
    ...vocabulary,
    attributes: [...vocabulary.attributes, { name: "list", type: "object", source: "manifest" }],
  };
  assert.equal(read("list.vips", own).parts[0].kind, "locked");
  assert.equal(read("list.vips", vocabulary).parts[0].kind, "row");
});

test("rows in words", () => {
  const inWords = (text) => rowsInWords(read(text, vocabulary));
  assert.equal(
    inWords("plan in ['a', 'b'] == false && ('purchase'|eventSum('Days', 7, 0) == 0 || trips > 0 - 5)"),
    "plan is none of “a” or “b” and (“purchase” did not happen in the last 7 days or trips is more than -5)",
  );
  assert.equal(inWords("trips % 2 == 0"), "“trips % 2 == 0”");
  assert.equal(inWords("true"), "");
});
