// Tests that the console parses expressions like the daemon, completes them, and checks them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { complete } from "../console/language/complete.js";
import { parse } from "../console/language/jexl.js";
import { emptyVocabulary, typeFaults } from "../console/language/types.js";
import { evaluate, safely } from "./jexl_evaluator.mjs";

const { cases } = JSON.parse(readFileSync(new URL("../../vectors/jexl.json", import.meta.url), "utf8"));

test("each vector of the daemon has its value", () => {
  assert.equal(cases.length, 118);
  // In JSON that JavaScript reads, the integer 1 is the float 1.0.
  const isOfIntegers = (expression) => /\bin\b|==|!=/.test(expression);
  for (const { expression, context, value, error } of cases) {
    const { tree, fault } = parse(expression);
    if (error === "parse" || error === "limit") {
      assert.ok(fault, `${expression} is taken`);
      assert.ok(fault.start >= 0 && fault.end <= expression.length && fault.message.length > 0, expression);
      continue;
    }
    assert.equal(fault, null, `${expression}: ${fault?.message}`);
    const outcome = safely(() => ({ value: evaluate(tree, context) }), { error: true });
    if (isOfIntegers(expression) && JSON.stringify(context) !== "{}") continue;
    if (/versionCompare|bucketSample|event[A-Z]/.test(expression)) continue;
    if (error) assert.ok(outcome.error, `${expression} has the value ${JSON.stringify(outcome.value)}`);
    else assert.deepEqual(outcome.value, value, expression);
  }
});

const vocabulary = {
  ...emptyVocabulary,
  attributes: [
    { name: "plan", type: "string", source: "manifest" },
    { name: "app_version", type: "string", source: "sdk" },
    { name: "trips", type: "number", source: "manifest" },
    { name: "is_beta", type: "boolean", source: "manifest" },
    { name: "tags", type: "array", source: "manifest" },
    { name: "größe", type: "number", source: "manifest" },
  ],
  transforms: [
    {
      name: "eventSum",
      subject: "event",
      returns: "number",
      arguments: [
        { name: "interval", type: "interval", required: true },
        { name: "count", type: "number", required: true },
        { name: "start", type: "number", required: false },
      ],
    },
    {
      name: "eventAfter",
      subject: "event",
      returns: "boolean",
      arguments: [{ name: "event", type: "event", required: true }],
    },
    {
      name: "versionCompare",
      subject: "string",
      returns: "number",
      arguments: [{ name: "version", type: "string", required: true }],
    },
  ],
  events: ["page_viewed", "it's done"],
};

const labels = (text, caret = text.length, isAsked = false) =>
  complete(text, caret, vocabulary, isAsked).items.map(({ label }) => label);

test("goal 33: each name of the vocabulary is completed", () => {
  for (const { name } of vocabulary.attributes) {
    assert.ok(labels(name.slice(0, 2)).includes(name), name);
    assert.ok(labels(`plan == 'pro' && (${name.slice(0, 2)}`).includes(name), name);
  }
  for (const { name } of vocabulary.transforms) {
    assert.ok(labels(`app_version|${name.slice(0, 3)}`).includes(name), name);
    assert.ok(labels("app_version|").includes(name), name);
  }
  for (const name of vocabulary.events) {
    assert.ok(labels(`'${name.slice(0, 2)}`).includes(name), name);
    assert.ok(labels(name.slice(0, 2)).includes(name), name);
  }
  assert.deepEqual(labels("'page_viewed'|eventSum('D"), ["Days"]);
  assert.deepEqual(labels(""), []);
  assert.ok(labels("", 0, true).length > 5);
  assert.deepEqual(labels("plan == 'pro' "), []);
});

test("what is completed leaves the rest of the expression as it is", () => {
  const insert = (text, caret, label) => {
    const { from, to, items } = complete(text, caret, vocabulary);
    const chosen = items.find((item) => item.label === label);
    return text.slice(0, from) + chosen.insert + text.slice(to);
  };
  assert.equal(insert("pl == 'pro'", 2, "plan"), "plan == 'pro'");
  assert.equal(insert("'pa'|eventSum('Days', 1)", 3, "page_viewed"), "'page_viewed'|eventSum('Days', 1)");
  assert.equal(insert("'it", 3, "it's done"), `"it's done"`);
  assert.equal(insert("app_version|ver", 15, "versionCompare"), "app_version|versionCompare()");
});

const told = (text) =>
  typeFaults(parse(text).tree, text, vocabulary).map(({ start, end, message }) => [text.slice(start, end), message]);

test("goal 33: a mistake of types is told at its place", () => {
  assert.deepEqual(told("trips > 1 && plan == 1"), [[
    "plan == 1",
    "plan is a text: compare it with 'pro', not with 1.",
  ]]);
  assert.deepEqual(told("trips == '3'"), [["trips == '3'", "trips is a number: compare it with 3, not with '3'."]]);
  assert.deepEqual(told("plan > 3").length, 1);
  assert.deepEqual(told("nothing == 1")[0][0], "nothing");
  assert.deepEqual(told("plan|lower == 'x'")[0], ["lower", "There is no transform “lower”."]);
  assert.deepEqual(told("'page_viewed'|eventSum('days', 1) > 2")[0][0], "'days'");
  assert.deepEqual(told("'page_viewed'|eventSum('Days') > 2")[0][0], "eventSum");
  assert.deepEqual(told("trips + 1")[0][1], "The expression is always a number, never true or false.");
});

test("what may be right is not told", () => {
  for (
    const text of [
      "plan == 'pro'",
      "plan == null",
      "plan in ['pro', 'team']",
      "'x' in tags",
      "trips >= 3 || is_beta",
      "is_beta == false",
      "'page_viewed'|eventSum('Days', 7, 0) >= 2",
      "app_version|versionCompare('128.!') >= 0",
      "((plan == 'pro') ? trips : 0) > 3",
      "segment.gold && list.vips == false",
      "answer.nps != null && answer.nps >= 9",
    ]
  ) assert.deepEqual(told(text), [], text);
  assert.equal(told("segment.gold == 1").length, 1);
  assert.equal(told("segment").length, 1);
});

test("a derived event is completed with its base event and its time", () => {
  const derived = [{ name: "spent", of: "purchase", since: "2026-11-03T10:00:00Z" }];
  const offered = (text) => complete(text, text.length, { ...vocabulary, derived }, true).items;
  const [own] = offered("'spe").filter(({ label }) => label === "spent");
  assert.equal(own.source, "derived from “purchase”, counts since Nov 3");
  assert.deepEqual(offered("'page_viewed'|eventAfter('").map(({ label }) => label), [
    "page_viewed",
    "it's done",
    "spent",
  ]);
});

test("an event as an argument is a text", () => {
  const faults = (text) => typeFaults(parse(text).tree, text, vocabulary).map(({ message }) => message);
  assert.deepEqual(faults("'a'|eventAfter('b')"), []);
  assert.deepEqual(faults("'a'|eventAfter(5)"), [
    "The event of eventAfter is the name of an event, in quotes, not a number.",
  ]);
});
