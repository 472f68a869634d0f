// Expressions of the console: tokens, trees, types, words and completions; and the texts in the reader's language.
import assert from "node:assert/strict";
import { test } from "node:test";
import { binned, grouped } from "../console/charts/columns.js";
import { complete } from "../console/language/complete.js";
import { parse, quoted, tokenize } from "../console/language/jexl.js";
import { emptyVocabulary, typeFaults } from "../console/language/types.js";
import { conjuncts, inWords } from "../console/language/words.js";
import { mean, nps, sizes, wilson } from "../console/statistics.js";
import { addTexts, compare, list, number, t } from "../console/texts.js";

const vocabulary = {
  ...emptyVocabulary,
  attributes: [
    { name: "plan", type: "string", source: "manifest" },
    { name: "launches", type: "number", source: "sdk" },
    { name: "tags", type: "array", source: "manifest" },
  ],
  transforms: [{
    name: "eventSum",
    subject: "event",
    returns: "number",
    arguments: [{ name: "interval", type: "interval", required: true }],
  }],
  events: ["page_viewed"],
};
const treeOf = (text) => parse(text).tree;
const faults = (text) => typeFaults(treeOf(text), text, vocabulary).map(({ message }) => message);
const labels = (text, isAsked = false) =>
  complete(text, text.length, vocabulary, isAsked).items.map(({ label }) => label);

test("tokens have their places, and end with the end", () => {
  const { tokens } = tokenize("a == 'x y'");
  assert.deepEqual(tokens.map(({ kind, start, end }) => [kind, start, end]), [
    ["identifier", 0, 1],
    ["operator", 2, 4],
    ["string", 5, 10],
    ["end", 10, 10],
  ]);
});

test("a text that does not end is a fault at its beginning", () => {
  assert.equal(tokenize("a == 'x").fault.start, 5);
});

test("a comparison binds closer than && and ||, which are read from the left", () => {
  const tree = treeOf("a == 1 || b == 2 && c == 3");
  assert.deepEqual([tree.operator, tree.left.operator, tree.left.left.operator], ["&&", "||", "=="]);
});

test("a condition with a question mark binds closest, and takes a comparison in parentheses only", () => {
  assert.equal(treeOf("(a > 1) ? b : c").kind, "conditional");
  assert.equal(treeOf("a > 1 ? b : c").operator, ">");
});

test("parentheses bind closest", () => {
  assert.equal(treeOf("(a || b) && c").operator, "&&");
});

test("a name is quoted with the quotation mark that it does not have", () => {
  assert.equal(parse(`${quoted("it's")} == a`).fault, null);
  assert.equal(treeOf(`${quoted("it's")} == a`).left.value, "it's");
  assert.equal(treeOf(`${quoted('say "x"')} == a`).left.value, 'say "x"');
});

test("the parts of a conjunction stand in their order", () => {
  assert.deepEqual(conjuncts(treeOf("a && b && c")).map(({ name }) => name), ["a", "b", "c"]);
  assert.equal(conjuncts(treeOf("a || b")).length, 1);
});

test("an unknown attribute is a fault, and so is an order of texts and numbers", () => {
  assert.equal(faults("plam == 'pro'").length, 1);
  assert.equal(faults("plan > 3").length, 1);
  assert.deepEqual(faults("plan == 'pro' && launches >= 3"), []);
});

test("an expression that is never true or false is a fault", () => {
  assert.equal(faults("launches").length, 1);
  assert.equal(faults("'x'").length, 1);
  assert.deepEqual(faults("(launches > 1) ? true : false"), []);
});

test("only a list is filtered, and only an object has members", () => {
  assert.equal(faults("plan.x == 1").length, 1);
});

test("a literal on the left is told from the attribute's side", () => {
  assert.equal(inWords(treeOf("3 < launches")), inWords(treeOf("launches > 3")));
  assert.ok(inWords(treeOf("launches > 3")).includes("launches"));
});

test("a comparison with null asks whether a value is known", () => {
  assert.notEqual(inWords(treeOf("plan == null")), inWords(treeOf("plan != null")));
  assert.ok(!inWords(treeOf("plan == null")).includes("null"));
});

test("what has no words is undefined", () => {
  assert.equal(inWords(treeOf("launches + 1")), undefined);
  assert.equal(inWords(treeOf("plan == launches")), undefined);
});

test("attributes are completed by their beginning, then by their middle", () => {
  assert.deepEqual(labels("la"), ["launches", "plan"]);
  assert.deepEqual(labels("zz"), []);
});

test("nothing is completed before anything is typed, unless it is asked for", () => {
  assert.deepEqual(labels(""), []);
  assert.ok(labels("", true).includes("plan"));
});

test("behind a pipe stand transforms, and in their quotes intervals", () => {
  assert.deepEqual(labels("'page_viewed'|ev"), ["eventSum"]);
  assert.ok(labels("'page_viewed'|eventSum('D").includes("Days"));
  assert.deepEqual(labels("'pa"), ["page_viewed"]);
});

test("a completion of a transform leaves the caret between its parentheses", () => {
  const [one] = complete("'e'|ev", 6, vocabulary).items;
  assert.equal(one.insert.slice(0, one.caret), "eventSum(");
});

test("a plural form follows the number, and the number is written in it", () => {
  addTexts({ "test.count": "{count|# answer|# answers} of {name}" });
  assert.equal(t("test.count", { count: 1, name: "x" }), "1 answer of x");
  assert.equal(t("test.count", { count: 1200, name: "x" }), "1,200 answers of x");
});

test("a text without a value keeps its placeholder, and an unknown key is shown", () => {
  addTexts({ "test.name": "Hello {name}" });
  assert.equal(t("test.name"), "Hello {name}");
  assert.equal(t("test.unknown"), "test.unknown");
});

test("numbers and lists are written in the language", () => {
  assert.equal(number(1234.5), "1,234.5");
  assert.equal(number(0.256, { style: "percent" }), "26%");
  assert.equal(list(["a", "b", "c"]), "a, b, and c");
  assert.equal(list(["a", "b"], "disjunction"), "a or b");
});

test("names are sorted as people sort them", () => {
  assert.deepEqual(["b10", "B2", "a"].sort(compare), ["a", "B2", "b10"]);
});

test("a share without a total, or with more than the total, has no interval", () => {
  for (const [count, total] of [[1, 0], [2, 1], [-1, 3], [NaN, 3]]) assert.equal(wilson(count, total), null);
});

test("the interval of none begins at none, and that of all ends at all", () => {
  assert.equal(wilson(0, 10)[0], 0);
  assert.equal(wilson(10, 10)[1], 1);
  assert.ok(wilson(0, 10)[1] > 0.2 && wilson(0, 1000)[1] < 0.01);
});

test("the mean of one answer has no interval, and that of none is none", () => {
  assert.equal(mean([{ value: 1, count: 0 }]), null);
  assert.equal(mean([{ value: 1, count: 0 }, { value: 5, count: 1 }]).interval, null);
});

test("an interval stays within the scale, and a score from -100 to 100", () => {
  const { interval } = mean([{ value: 1, count: 0 }, { value: 5, count: 2 }]);
  assert.equal(interval[1], 5);
  assert.equal(nps(3, 0, 0).value, 100);
  assert.equal(nps(0, 0, 3).value, -100);
  assert.equal(nps(2, 5, 2).value, 0);
});

test("sizes as planned are likely, and one branch cannot be compared", () => {
  assert.ok(sizes([500, 500], [1, 1]).p > 0.99);
  assert.ok(sizes([900, 100], [1, 1]).p < 0.001);
  assert.ok(sizes([900, 100], [9, 1]).p > 0.99);
  assert.equal(sizes([10], [1]), null);
  assert.equal(sizes([0, 0], [1, 1]), null);
});

test("few days are seven columns, whose running one is today", () => {
  const now = Date.parse("2026-03-07T10:00:00Z");
  const spans = grouped([{ day: "2026-03-05", started: 3, submitted: 1 }], now);
  assert.deepEqual(spans.map(({ started, isRunning }) => [started, isRunning]), [[3, false], [0, false], [0, true]]);
  assert.deepEqual(grouped([], now), []);
});

test("many words keep the last columns, and many numbers share them", () => {
  const words = Array.from({ length: 30 }, (_, place) => ({ value: `w${place}`, count: 1 }));
  assert.equal(binned(words, "text")[0].label, "w6");
  const numbers = Array.from({ length: 100 }, (_, value) => ({ value, count: 1 }));
  const bins = binned(numbers, "number");
  assert.ok(bins.length <= 24);
  assert.equal(bins.reduce((sum, { count }) => sum + count, 0), 100);
});
