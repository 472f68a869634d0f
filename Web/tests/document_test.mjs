// The console's document: edits by values change only their part of the text, and every edit can be undone.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { parse, position, valueOf } from "../console/document/cst.js";
import { difference } from "../console/document/difference.js";
import { isSame, JSONDocument } from "../console/document/document.js";
import { merge } from "../console/document/merge.js";
import { below, nearest } from "../console/document/pointers.js";

const plain = (value) => JSON.parse(JSON.stringify(value));

/** Every JSON file below recipes/, by its path. */
function* samples(folder = new URL("../../recipes/", import.meta.url)) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* samples(new URL(`${entry.name}/`, folder));
    else if (entry.name.endsWith(".json")) yield [entry.name, readFileSync(new URL(entry.name, folder), "utf8")];
  }
}

/** Every pointer of a value, with the value. */
function* pointers(value, pointer = "") {
  yield [pointer, value];
  if (value === null || typeof value !== "object") return;
  for (const [key, item] of Object.entries(value)) yield* pointers(item, below(pointer, key));
}

test("the tolerant parser reads what JSON.parse reads", () => {
  let count = 0;
  for (const [name, text] of samples()) {
    const { root, faults } = parse(text);
    assert.deepEqual(faults, [], name);
    assert.deepEqual(plain(valueOf(root)), JSON.parse(text), name);
    count += 1;
  }
  assert.ok(count >= 9, `only ${count} samples`);
});

test("each fault has its place, and the rest is read", () => {
  const cases = [
    ['{"a": 1,}', 8, "Nothing follows this comma.", { a: 1 }],
    ['{"a": 1 "b": 2}', 9, "A comma is missing before this.", { a: 1, b: 2 }],
    ['{"a" 1}', 5, "A colon is missing after the key.", { a: 1 }],
    ["{a: 1}", 2, "The key a needs quotes.", { a: 1 }],
    ['{"a": }', 7, "A value is missing.", {}],
    ['["a, 2]', 2, "This text has no closing quote.", ["a, 2]"]],
    ["[1, 2", 1, "This [ is not closed.", [1, 2]],
    ["[yes]", 2, "yes is no value. A text needs quotes.", [null]],
    ["[01]", 2, "01 is no value. A text needs quotes.", [null]],
    ['["\\q"]', 3, "This is no escape.", ["q"]],
    ['{"a": 1, "a": 2}', 10, 'The key "a" stands here twice.', { a: 2 }],
    ["[1] 2", 5, "There is more text after the document's end.", [1]],
    ["", 1, "A value is missing.", undefined],
  ];
  for (const [text, column, message, value] of cases) {
    const { root, faults } = parse(text);
    assert.equal(faults[0]?.message, message, text);
    assert.deepEqual(position(text, faults[0].start), { line: 1, column }, text);
    if (value !== undefined) assert.deepEqual(plain(valueOf(root)), value, text);
  }
});

test("any beginning of a sample, and any sample with a hole, is parsed to its end", () => {
  for (const [, text] of samples()) {
    for (let end = 0; end < text.length; end += 97) {
      assert.notEqual(parse(text.slice(0, end)).faults.length, 0);
      const { root } = parse(text.slice(0, end) + text.slice(end + 5));
      assert.ok(root.end <= text.length);
    }
  }
});

test("a form's edit changes only its lines, and undo returns the same bytes", () => {
  let edits = 0;
  for (const [name, text] of samples()) {
    const all = [...pointers(JSON.parse(text))];
    for (const [pointer, value] of all.filter((_, place) => place % Math.ceil(all.length / 60) === 0)) {
      if (value !== null && typeof value === "object") continue;
      const document = new JSONDocument(text);
      const next = typeof value === "string" ? value + " x" : typeof value === "number" ? value + 1 : "changed";
      document.set(pointer, next, 0);
      assert.deepEqual(document.get(pointer), next, name + pointer);
      const [before, after] = [text.split("\n"), document.text.split("\n")];
      assert.equal(after.length, before.length, name + pointer);
      assert.equal(after.filter((line, place) => line !== before[place]).length, 1, name + pointer);
      document.undo();
      assert.equal(document.text, text, name + pointer);
      document.redo();
      assert.deepEqual(document.get(pointer), next);
      edits += 1;
    }
  }
  assert.ok(edits > 200, `only ${edits} edits`);
});

test("members and items are added, moved and taken out, and undo returns the same bytes", () => {
  for (const [name, text] of samples()) {
    for (const [pointer, value] of pointers(JSON.parse(text))) {
      if (value === null || typeof value !== "object") continue;
      const document = new JSONDocument(text);
      const expected = structuredClone(value);
      if (Array.isArray(value)) {
        document.insert(below(pointer, 0), { id: "new", list: [1, 2] }, 0);
        expected.unshift({ id: "new", list: [1, 2] });
        document.insert(below(pointer, "-"), "last", 10_000);
        expected.push("last");
        document.move(pointer, 0, expected.length - 1, 20_000);
        expected.push(expected.shift());
      } else {
        document.set(below(pointer, "a new/key"), ["x"], 0);
        expected["a new/key"] = ["x"];
        const first = Object.keys(expected)[0];
        document.remove(below(pointer, first), 10_000);
        delete expected[first];
      }
      assert.ok(document.isSound, `${name} ${pointer}: ${document.faults[0]?.message}`);
      assert.deepEqual(plain(document.get(pointer)), expected, name + pointer);
      for (let count = 0; count < 3; count += 1) document.undo();
      assert.equal(document.text, text, name + pointer);
    }
  }
});

test("the spelling of numbers and unknown keys stay", () => {
  const document = new JSONDocument('{"a": 1.0, "x-unknown": {"b": 1e2},\n "c": "é"}\n');
  document.set("/c", "e", 0);
  assert.equal(document.text, '{"a": 1.0, "x-unknown": {"b": 1e2},\n "c": "e"}\n');
  document.set("/a", 1, 0);
  assert.ok(document.text.includes("1.0"), "an equal value changes nothing");
  document.set("/d/e/0", true, 10_000);
  assert.deepEqual(plain(document.get("/d")), { e: [true] });
});

test("typing in one place is one step; broken text keeps the last values, and undo leads back", () => {
  const document = new JSONDocument('{"name": ""}');
  let changes = 0;
  const stop = document.subscribe(() => changes += 1);
  for (const [at, text] of [[0, "M"], [300, "Mo"], [900, "Moo"], [5000, "Mood"]]) document.set("/name", text, at);
  document.undo();
  assert.equal(document.get("/name"), "Moo");
  document.undo();
  assert.equal(document.text, '{"name": ""}');
  document.redo();
  assert.equal(document.get("/name"), "Moo");
  document.replaceText('{"name": "Moo"', 9000);
  assert.ok(!document.isSound);
  assert.equal(document.get("/name"), "Moo");
  document.set("/name", "lost", 9100);
  assert.equal(document.text, '{"name": "Moo"');
  document.undo();
  assert.equal(document.text, '{"name": "Moo"}');
  assert.equal(changes, 9);
  stop();
  document.undo();
  assert.equal(changes, 9);
});

test("a place of the text has its pointer, and a pointer its place", () => {
  const text = '{"questions": [{"id": "a"}, {"id": "b", "title": "T"}]}';
  const document = new JSONDocument(text);
  assert.equal(document.pointerAt(text.indexOf('"T"') + 1), "/questions/1/title");
  assert.equal(document.pointerAt(text.indexOf("title")), "/questions/1/title");
  assert.equal(document.pointerAt(1), "/questions");
  const { start, end } = document.positionOf("/questions/1/id");
  assert.equal(text.slice(start, end), '"b"');
  assert.equal(nearest(["/questions", "/questions/1", "/q"], "/questions/1/options/0"), "/questions/1");
});

test("a difference names every change, and finds items by their ids", () => {
  const before = { a: 1, list: [{ id: "x", v: 1 }, { id: "y", v: 1 }, { id: "z" }], gone: true };
  const after = { a: 2, list: [{ id: "z" }, { id: "new" }, { id: "x", v: 2 }], b: null };
  assert.deepEqual(difference(before, after), [
    { kind: "changed", pointer: "/a", before: 1, after: 2 },
    { kind: "moved", pointer: "/list/0", from: 2, to: 0, after: { id: "z" } },
    { kind: "added", pointer: "/list/1", after: { id: "new" } },
    { kind: "changed", pointer: "/list/2/v", before: 1, after: 2 },
    { kind: "removed", pointer: "/list/1", before: { id: "y", v: 1 } },
    { kind: "added", pointer: "/b", after: null },
    { kind: "removed", pointer: "/gone", before: true },
  ]);
});

test("what does not meet is merged, what meets is asked", () => {
  const base = { name: "Mood", questions: [{ id: "a", t: "A" }, { id: "b", t: "B" }], n: 1 };
  const mine = { name: "Mood", questions: [{ id: "a", t: "A1" }, { id: "b", t: "B" }, { id: "m", t: "M" }], n: 2 };
  const theirs = { name: "Moods", questions: [{ id: "t", t: "T" }, { id: "b", t: "B1" }, { id: "a", t: "A" }], n: 3 };
  const { value, meetings } = merge(base, mine, theirs);
  assert.deepEqual(plain(value), {
    name: "Moods",
    questions: [{ id: "t", t: "T" }, { id: "b", t: "B1" }, { id: "m", t: "M" }, { id: "a", t: "A1" }],
    n: 2,
  });
  assert.deepEqual(meetings, [{ pointer: "/n", base: 1, mine: 2, theirs: 3 }]);
  const deleted = merge({ a: { x: 1 } }, {}, { a: { x: 2 } });
  assert.deepEqual(plain(deleted.value), { a: { x: 2 } });
  assert.equal(deleted.meetings.length, 1);
});

test("random edits of two sides: each change is in the merged document or in a meeting", () => {
  let state = 7;
  const random = (bound) => (state = (state * 1103515245 + 12345) % 2147483648) % bound;
  const change = (value) => {
    const copy = structuredClone(value);
    for (let count = random(4); count >= 0; count -= 1) {
      const item = copy.list[random(Math.max(copy.list.length, 1))];
      const action = random(5);
      if (action === 0) copy.list.splice(random(copy.list.length + 1), 0, { id: `n${random(1000)}`, v: 0 });
      else if (action === 1 && item) copy.list.splice(copy.list.indexOf(item), 1);
      else if (action === 2 && item) item.v = random(100);
      else if (action === 3) copy[`k${random(3)}`] = random(100);
      else delete copy[`k${random(3)}`];
    }
    copy.list = [...new Map(copy.list.map((item) => [item.id, item])).values()];
    return copy;
  };
  for (let round = 0; round < 2000; round += 1) {
    const base = { k0: 0, k1: 0, list: [{ id: "a", v: 1 }, { id: "b", v: 1 }, { id: "c", v: 1 }] };
    const [mine, theirs] = [change(base), change(base)];
    const { value, meetings } = merge(base, mine, theirs);
    const isAsked = (id) => meetings.some(({ mine, theirs }) => [mine, theirs].some((v) => v?.id === id));
    for (const side of [mine, theirs]) {
      for (const key of ["k0", "k1", "k2"]) {
        if (isSame(base[key], side[key])) continue;
        assert.ok(isSame(value[key], side[key]) || meetings.some(({ pointer }) => pointer === `/${key}`));
      }
      for (const item of side.list) {
        const old = base.list.find(({ id }) => id === item.id);
        if (isSame(old, item)) continue;
        const merged = value.list.find(({ id }) => id === item.id);
        const isMet = meetings.some(({ pointer }) => pointer.startsWith("/list/")) || isAsked(item.id);
        assert.ok(isSame(merged, item) || isMet, JSON.stringify({ base, mine, theirs, value, meetings }));
      }
    }
    assert.deepEqual(merge(base, base, theirs), { value: theirs, meetings: [] });
    assert.deepEqual(merge(base, mine, base), { value: mine, meetings: [] });
  }
});
