// Tests the parts of a form that follow from descriptions and documents.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { JSONDocument } from "../console/document/document.js";
import { decided, merge } from "../console/document/merge.js";
import { patched } from "../console/document/patch.js";
import { Visited } from "../console/forms/findings.js";
import { renameSlug, slugFor, slugOf } from "../console/document/slug.js";
import { useSchema } from "../console/forms/formats.js";
import { blank, formOf, kindOf } from "../console/forms/kinds.js";
import { kindNames } from "../console/kinds.js";
import { expand, pathTo, placeOf } from "../console/forms/sections.js";
import { addTexts, t } from "../console/texts.js";
import texts from "../console/texts/en_editor.js";
import conditionTexts from "../console/texts/en_conditions.js";
import questionTexts from "../console/texts/en_questions.js";
import { dialects } from "../console/ask/dialects.js";

addTexts(texts);
addTexts(questionTexts);
addTexts(conditionTexts);
for (const kind of ["experiment", "flow", "manifest", "messages", "questionnaire", "segment", "survey"]) {
  const place = new URL(`../../docs/schemas/${kind}.schema.json`, import.meta.url);
  useSchema(kind, JSON.parse(readFileSync(place, "utf8")));
}
const plain = (value) => JSON.parse(JSON.stringify(value));

function* samples(folder = new URL("../../recipes/", import.meta.url)) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* samples(new URL(`${entry.name}/`, folder));
    else if (entry.name.endsWith(".json")) yield [entry.name, readFileSync(new URL(entry.name, folder), "utf8")];
  }
}

test("each text that a form names is there", () => {
  const missing = new Set();
  const look = (key) => t(key) === key && missing.add(key);
  const field = ({ label, hint, key, of = [], field: type, literal, item, dialect, options = [], textsOf }) => {
    if (!literal) look(`field.${label}`);
    if (hint) look(`hint.${hint}`);
    if (key) look(`field.${key}`);
    if (!literal && (type === "names" || type === "rows")) look(`item.${item ?? label}`);
    if (type === "type") options.forEach((option) => assert.ok(textsOf(option).sentence, option));
    if (type === "conditions") {
      for (const text of ["always", "nothing", "lead"]) look(`when.${text}.${dialect}`);
      for (const comparison of Object.values(dialects[dialect].offers).flat()) {
        look(`when.is.${comparison}`);
        look(`when.words.${comparison}`);
      }
    }
    if (type === "map") look(`item.${key}`);
    of.forEach(field);
  };
  const seen = new Set();
  const listed = (fields) => typeof fields === "function" ? fields(undefined) : fields;
  const section = (one) => {
    if (seen.has(one)) return;
    seen.add(one);
    const { label, items, fields = [], each = [], sections = [], key } = one;
    look(`section.${label}`);
    if (items) look(`item.${label}`);
    if (items === "map") look(`field.${key}`);
    [...listed(fields), ...listed(each)].forEach(field);
    sections.forEach(section);
  };
  for (const kind of [...kindNames, "manifest"]) formOf(kind).forEach(section);
  for (const kind of kindNames) look(`new.${kind}`), look(`new.${kind}.what`);
  assert.deepEqual([...missing], []);
});

test("every item of a sample has a place, and every place leads to itself", () => {
  for (const [name, text] of samples()) {
    const document = new JSONDocument(text);
    const places = expand(formOf(kindOf(JSON.parse(text))), document);
    assert.equal(new Set(places.map(({ at }) => at)).size, places.length, name);
    for (const place of places) {
      assert.equal(placeOf(places, place.at), place, `${name} ${place.at}`);
      assert.equal(pathTo(places, place).length, place.depth, `${name} ${place.at}`);
      for (const field of place.pointers) assert.equal(placeOf(places, `${field}/inner`), place, `${name} ${field}`);
    }
    assert.equal(placeOf(places, "/nowhere/at/all"), places[0]);
  }
});

test("a new recipe of each kind is of that kind", () => {
  for (const kind of kindNames) {
    const document = blank(kind, "new-one", "New one", { app_name: "shop", surfaces: ["home"] });
    assert.equal(kindOf(document), kind);
    assert.ok(expand(formOf(kind), new JSONDocument(JSON.stringify(document))).length >= 2);
  }
  assert.equal(slugOf("  Wie gefällt’s dir? 2! "), "wie-gefallt-s-dir-2");
});

test("what is merged is written with the fewest edits", () => {
  const mine = '{\n  "a": 1.0,\n  "list": [{"id": "x", "v": 1e1}, {"id": "y"}],\n  "z": {"k": true}\n}\n';
  const value = { a: 1, list: [{ id: "x", v: 10 }, { id: "y", w: "new" }], z: { k: false } };
  assert.equal(
    patched(mine, value),
    mine.replace('{"id": "y"}', '{"id": "y", "w": "new"}').replace("true", "false"),
  );
  const other = { list: [{ id: "y" }, { id: "n" }, { id: "x" }], b: null };
  assert.deepEqual(JSON.parse(patched(mine, other)), other);
});

test("a choice at each place where both met decides it", () => {
  const base = { a: 1, b: 1, list: [{ id: "x", v: 1 }, { id: "y", v: 1 }] };
  const mine = { a: 2, b: 1, c: "mine", list: [{ id: "x", v: 2 }] };
  const theirs = { a: 3, b: 4, c: "theirs", list: [{ id: "x", v: 3 }, { id: "y", v: 5 }] };
  const { value, meetings } = merge(base, mine, theirs);
  assert.equal(meetings.length, 4);
  const all = (isTheirs) => decided(value, meetings, new Map(meetings.map((meeting) => [meeting, isTheirs])));
  assert.deepEqual(plain(all(true)), theirs);
  assert.deepEqual(plain(all(false)), { ...mine, b: 4 });
});

test("the fault of an empty field is hidden until the field was left", () => {
  const document = new JSONDocument('{"name": "", "questions": [{"title": "", "scale": 99}]}');
  const fault = (pointer, isWarning = false) => ({ pointer, code: "length", message: "expected", isWarning });
  const all = [
    fault("/name"),
    fault("/questions/0/title"),
    fault("/questions/0/options"),
    fault("/questions/0/scale"),
    fault("/offer", true),
  ];
  const visited = new Visited(document);
  const shown = () => visited.shown(all).map(({ pointer }) => pointer);
  assert.deepEqual(shown(), ["/questions/0/scale", "/offer"]);
  visited.leave("/questions/0/title");
  assert.deepEqual(shown(), ["/questions/0/title", "/questions/0/scale", "/offer"]);
  document.set("/name", "x");
  assert.deepEqual(shown(), ["/name", "/questions/0/title", "/questions/0/scale", "/offer"]);
  visited.leave("");
  assert.equal(shown().length, 5);
});

test("the slug of a new document follows its name, and stands in all of its places", () => {
  assert.equal(slugFor("ask-one-question-2", "Ask one question", ["ask-one-question"]), "ask-one-question-2");
  assert.equal(slugFor("ask-after-a-week", "Your first week", ["other"]), "your-first-week");
  assert.equal(slugFor("ask-after-a-week", "Your first week", ["your-first-week"]), "your-first-week-2");
  assert.equal(slugFor("old", "", []), "old");
  const message = { surface: "home", text: "old", experiment: "old" };
  const feature = (key, member) => ({
    featureId: "messaging",
    value: { messages: { [key]: { ...message, experiment: member } } },
  });
  const made = (slug) => ({
    slug,
    id: slug,
    bucketConfig: { namespace: slug, start: 0 },
    branches: [{ slug: "old", features: [feature(slug, slug)] }],
  });
  const document = new JSONDocument(JSON.stringify(made("old")));
  renameSlug(document, "old", "new");
  assert.deepEqual(plain(document.get("")), made("new"));
  const messages = new JSONDocument(JSON.stringify({ messages: { old: { text: "old" } } }));
  renameSlug(messages, "old", "new");
  assert.deepEqual(plain(messages.get("")), { messages: { new: { text: "old" } } });
});
