// Differences between documents, and merges of two authors' changes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { difference, identities } from "../console/document/difference.js";
import { decided, merge } from "../console/document/merge.js";
import { patched } from "../console/document/patch.js";
import { freeSlug, isSlug, slugFor, slugOf } from "../console/document/slug.js";

const item = (id, text = "") => ({ id, text });
const kinds = (before, after) => difference(before, after).map(({ kind, pointer }) => `${kind} ${pointer}`);

test("equal documents have no difference, in whatever order their keys are", () => {
  assert.deepEqual(difference({ a: 1, b: [2] }, { b: [2], a: 1 }), []);
});

test("members are added, removed and changed", () => {
  assert.deepEqual(kinds({ a: 1, b: 2 }, { b: 3, c: 4 }), ["changed /b", "added /c", "removed /a"]);
});

test("a value of another type is one change", () => {
  assert.deepEqual(difference({ a: [1] }, { a: { x: 1 } }), [
    { kind: "changed", pointer: "/a", before: [1], after: { x: 1 } },
  ]);
});

test("items are known by id, slug, feature or key, if each has one of its own", () => {
  assert.deepEqual(identities([item("a"), item("b")]), ["a", "b"]);
  assert.deepEqual(identities([{ slug: "a" }]), ["a"]);
  assert.deepEqual(identities([{ featureId: "f" }]), ["f"]);
  assert.equal(identities([item("a"), item("a")]), undefined);
  assert.equal(identities([item("a"), { slug: "b" }]), undefined);
  assert.equal(identities(["a"]), undefined);
});

test("an item that is inserted before others is one addition", () => {
  assert.deepEqual(kinds([item("b")], [item("a"), item("b")]), ["added /0"]);
});

test("one item that changes its place is one move", () => {
  const [a, b, c] = [item("a"), item("b"), item("c")];
  assert.deepEqual(kinds([a, b, c], [c, a, b]), ["moved /0"]);
  assert.deepEqual(difference([a, b, c], [c, a, b])[0].from, 2);
});

test("a moved item may be changed, too", () => {
  const found = kinds([item("a"), item("b")], [item("b", "new"), item("a")]);
  assert.equal(found.length, 2);
  assert.ok(found.some((one) => one.startsWith("moved")));
  assert.ok(found.includes("changed /0/text"));
});

test("a list without ids is one change", () => {
  assert.deepEqual(kinds({ a: ["x", "y"] }, { a: ["y"] }), ["changed /a"]);
});

test("what only one side changed is taken from it", () => {
  assert.deepEqual(merge({ a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 3 }), {
    value: Object.assign(Object.create(null), { a: 2, b: 3 }),
    meetings: [],
  });
});

test("the same change of both sides is no meeting", () => {
  assert.deepEqual(merge({ a: 1 }, { a: 2 }, { a: 2 }), { value: { a: 2 }, meetings: [] });
});

test("two changes of one value are a meeting, in which mine stands first", () => {
  const { value, meetings } = merge({ a: 1 }, { a: 2 }, { a: 3 });
  assert.equal(value.a, 2);
  assert.deepEqual(meetings, [{ pointer: "/a", base: 1, mine: 2, theirs: 3 }]);
});

test("a removal meets a change of the same value", () => {
  const { meetings } = merge({ a: { b: 1 } }, {}, { a: { b: 2 } });
  assert.equal(meetings.length, 1);
  assert.equal(meetings[0].mine, undefined);
});

test("a removal on one side stays if the other left the value", () => {
  assert.deepEqual({ ...merge({ a: 1, b: 1 }, { b: 1 }, { a: 1, b: 1 }).value }, { b: 1 });
});

test("both sides add items, and each keeps its place", () => {
  const { value, meetings } = merge([item("a")], [item("m"), item("a")], [item("a"), item("t")]);
  assert.deepEqual(value.map(({ id }) => id), ["m", "a", "t"]);
  assert.deepEqual(meetings, []);
});

test("one side moves an item that the other changes", () => {
  const { value, meetings } = merge([item("a"), item("b")], [item("b"), item("a")], [item("a", "new"), item("b")]);
  assert.deepEqual(value.map(({ id, text }) => id + text), ["b", "anew"]);
  assert.deepEqual(meetings, []);
});

test("two different orders of the same items meet", () => {
  const all = ["a", "b", "c"].map((id) => item(id));
  const [a, b, c] = all;
  assert.equal(merge(all, [b, a, c], [a, c, b]).meetings.length, 1);
});

test("a choice of theirs replaces the value, and a removal takes it out", () => {
  const one = merge({ a: 1, b: 1 }, { a: 2, b: 2 }, { a: 3 });
  const choices = new Map(one.meetings.map((meeting) => [meeting, true]));
  assert.deepEqual(decided(one.value, one.meetings, choices), { a: 3 });
  assert.deepEqual(decided(one.value, one.meetings, new Map()), { a: 2, b: 2 });
});

test("a meeting of the whole document is decided, too", () => {
  const one = merge(1, 2, 3);
  assert.equal(decided(one.value, one.meetings, new Map([[one.meetings[0], true]])), 3);
});

test("a merged document keeps the layout of the text outside of its changes", () => {
  const text = '{\n  "a": 1,\n\n  "b": [1,2,  3]\n}\n';
  assert.equal(patched(text, { a: 2, b: [1, 2, 3] }), '{\n  "a": 2,\n\n  "b": [1,2,  3]\n}\n');
});

test("an item in the middle of a list is taken out, and the others keep their text", () => {
  assert.deepEqual(JSON.parse(patched('{"l": [1, 2.0, 3]}', { l: [1, 3] })), { l: [1, 3] });
  assert.match(patched('{"l": [1.0, 2, 3.50]}', { l: [1, 3.5] }), /1\.0.*3\.50/s);
});

test("a slug has only small letters, digits and single hyphens", () => {
  assert.equal(slugOf("Éte à Paris — 2026!"), "ete-a-paris-2026");
  assert.equal(slugOf("  --  "), "");
  assert.equal(slugOf("日本"), "");
  assert.ok(slugOf("x".repeat(100)).length <= 64);
});

test("a slug that begins with a hyphen, has capitals or is too long is none", () => {
  assert.ok(isSlug("a-1"));
  for (const wrong of ["", "-a", "A", "a_b", "x".repeat(65)]) assert.ok(!isSlug(wrong), wrong);
});

test("a taken slug gets the first free number", () => {
  assert.equal(freeSlug("a", []), "a");
  assert.equal(freeSlug("a", ["a"]), "a-2");
  assert.equal(freeSlug("a", ["a", "a-2", "a-3"]), "a-4");
});

test("a slug that already follows its name keeps its number", () => {
  assert.equal(slugFor("feedback-2", "Feedback", ["feedback"]), "feedback-2");
  assert.equal(slugFor("feedback", "Opinions", []), "opinions");
  assert.equal(slugFor("feedback", "", []), "feedback");
});
