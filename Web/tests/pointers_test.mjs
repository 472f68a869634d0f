// JSON Pointers, and what is found by them: questions, messages, branches.
import assert from "node:assert/strict";
import { test } from "node:test";
import { below, contains, keysOf, nearest, pointerOf, valueAt } from "../console/document/pointers.js";
import { branchAt, idAt, pointerOfId } from "../console/document/places.js";
import { JSONDocument } from "../console/document/document.js";

const open = (value) => new JSONDocument(JSON.stringify(value));

test("the pointer of the whole document has no keys", () => {
  assert.deepEqual(keysOf(""), []);
  assert.equal(pointerOf([]), "");
});

test("a slash and a tilde in a key are escaped, and read again", () => {
  const keys = ["a/b", "~", "~1", "", "0", "é"];
  assert.equal(pointerOf(["a/b", "~"]), "/a~1b/~0");
  assert.deepEqual(keysOf(pointerOf(keys)), keys);
});

test("the pointer of an item has its place", () => {
  assert.equal(below("/questions", 3), "/questions/3");
  assert.equal(below("", "a~b"), "/a~0b");
});

test("a pointer contains itself and what is below, but no longer key", () => {
  assert.ok(contains("/a", "/a"));
  assert.ok(contains("/a", "/a/b"));
  assert.ok(contains("", "/a"));
  assert.ok(!contains("/a", "/ab"));
  assert.ok(!contains("/a/b", "/a"));
});

test("the nearest pointer is the longest that contains another", () => {
  assert.equal(nearest(["/a", "/a/b", "/a/b/c", "/x"], "/a/b/d"), "/a/b");
  assert.equal(nearest(["/a"], "/b"), undefined);
  assert.equal(nearest([], "/b"), undefined);
});

test("the value at a pointer is undefined where a part of the way is missing", () => {
  const document = { a: [{ "b/c": 1 }], n: null };
  assert.equal(valueAt(document, "/a/0/b~1c"), 1);
  assert.equal(valueAt(document, ""), document);
  assert.equal(valueAt(document, "/a/1/b"), undefined);
  assert.equal(valueAt(document, "/n/x"), undefined);
  assert.equal(valueAt(undefined, "/a"), undefined);
});

test("an edit lies in a question of a questionnaire", () => {
  const document = open({ schema: { questions: [{ id: "a" }, { id: "b", options: [{ id: "o" }] }] } });
  assert.equal(idAt(document, "/schema/questions/1/options/0/id"), "b");
  assert.equal(idAt(document, "/schema/version"), undefined);
});

test("an edit lies in the sub-question before it lies in its question", () => {
  const document = open({ questions: [{ id: "a", sub_questions: [{ id: "b" }] }] });
  assert.equal(idAt(document, "/questions/0/sub_questions/0/title"), "b");
  assert.equal(idAt(document, "/questions/0/title"), "a");
});

test("an edit lies in a step, or in a message by its key", () => {
  assert.equal(idAt(open({ steps: [{ id: "hello" }] }), "/steps/0/config/title"), "hello");
  assert.equal(idAt(open({ messages: { "a/b": {} } }), "/messages/a~1b/text"), "a/b");
  assert.equal(idAt(open({ messages: {} }), "/triggers/x"), undefined);
});

test("an edit lies in a branch", () => {
  const document = open({ branches: [{ slug: "control" }, { slug: "treatment" }] });
  assert.equal(branchAt(document, "/branches/1/features/0"), "treatment");
  assert.equal(branchAt(document, "/slug"), undefined);
});

test("an id leads to its question, sub-question or step", () => {
  assert.equal(pointerOfId(open({ schema: { questions: [{ id: "a" }] } }), "a"), "/schema/questions/0");
  assert.equal(
    pointerOfId(open({ questions: [{ id: "a", sub_questions: [{ id: "b" }] }] }), "b"),
    "/questions/0/sub_questions/0",
  );
  assert.equal(pointerOfId(open({ steps: [{ id: "x" }, { id: "y" }] }), "y"), "/steps/1");
  assert.equal(pointerOfId(open({ steps: [] }), "y"), undefined);
});

test("the key of a message leads into the branch that is shown, or else into any", () => {
  const value = (text) => ({ features: [{ value: { messages: { m: { text } } } }] });
  const document = open({ branches: [{ slug: "a", ...value("1") }, { slug: "b", ...value("2") }] });
  assert.equal(pointerOfId(document, "m", "b"), "/branches/1/features/0/value/messages/m");
  assert.equal(pointerOfId(document, "m", "c"), "/branches/0/features/0/value/messages/m");
  assert.equal(
    pointerOfId(open({ branches: [{ feature: { value: { messages: { m: {} } } } }] }), "m"),
    "/branches/0/feature/value/messages/m",
  );
});
