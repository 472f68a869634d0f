// The facts about the app for a form: names to choose from, and the types that its manifest declares.

import { isRun, kindNamed } from "../kinds.js";
import { h, uniqueId } from "../../shared/dom.js";
import { namesOf } from "../ask/audience-subjects.js";
import { questionsBefore } from "../ask/subjects.js";
import { keysOf, pointerOf } from "../document/pointers.js";

/** @typedef {import("../document/document.js").JSONDocument} JSONDocument */

/** The values under `messaging` that every app has. */
const builtIn = { triggers: ["ALWAYS", "NEVER"], styles: ["DEFAULT"], actions: [] };

/**
 * Fills the lists of names to choose from; fields refer to a list by its id.
 * @param {any} manifest @param {import("../recipes.js").Recipe[]} all @param {JSONDocument} document
 */
export function suggestionLists(manifest, all, document) {
  /** @param {"triggers" | "styles" | "actions"} name */
  const messaging = (name) => [
    ...document.keys(`/${name}`),
    ...Object.keys(manifest?.messaging?.[name] ?? {}),
    ...builtIn[name],
  ];
  /** @type {Record<string, () => string[]>} */
  const sources = {
    attributes: () => Object.keys(manifest?.attributes ?? {}),
    questions: () => questionsBefore(document.get("")).map(({ id }) => id),
    surfaces: () => [...(manifest?.surfaces ?? []), ...all.flatMap(({ surfaces }) => surfaces)],
    triggers: () => messaging("triggers"),
    styles: () => messaging("styles"),
    actions: () => messaging("actions"),
    features: () => [...Object.keys(manifest?.features ?? {}), "messaging"],
    presentable: () => all.filter(({ kind }) => isRun(kind)).map(({ slug }) => slug),
    branches: () => document.keys("/branches").map((place) => String(document.get(`/branches/${place}/slug`) ?? "")),
  };
  /** @type {Map<string, HTMLElement>} */
  const lists = new Map(Object.keys(sources).map((name) => [name, h("datalist", { id: uniqueId(name) })]));
  return {
    elements: [...lists.values()],
    idOf: (/** @type {string} */ name) => lists.get(name)?.id,
    update() {
      for (const [name, element] of lists) {
        const names = [...new Set(sources[name]())];
        element.replaceChildren(...names.map((value) => h("option", { value })));
      }
    },
  };
}

/** @type {Record<string, string>} */
const fieldOfType = { string: "text", boolean: "switch", int: "number", number: "number", json: "json" };

/**
 * The field for a value whose type is declared: a variable's default by the type next to it, a branch's value by the
 * manifest's features.
 * @param {any} manifest @param {JSONDocument} document @param {string} pointer
 * @returns {string | undefined}
 */
function declaredType(manifest, document, pointer) {
  const keys = keysOf(pointer);
  const outer = (/** @type {number} */ count) => pointerOf(keys.slice(0, keys.length - count));
  if (keys.at(-1) === "default") return fieldOfType[String(document.get(`${outer(1)}/type`))];
  if (keys.at(-1) === "value" && keys.at(-3) === "features") return "map";
  if (keys.at(-2) !== "value") return undefined;
  const feature = String(document.get(`${outer(2)}/featureId`) ?? "");
  return fieldOfType[manifest?.features?.[feature]?.variables?.[keys.at(-1) ?? ""]?.type];
}

/** The facts and actions for the fields of an editor's form. @param {import("./page.js").EditorPage} page @returns {import("./fields.js").FormContext} */
export function formContext(page) {
  const { document, slug } = page.editing;
  const { app, all, lists, manifest, texts, vocabulary } = page.options;
  const isNamed = (/** @type {string} */ kind) => kindNamed(kind).isNamed === true;
  return {
    document,
    vocabulary,
    suggestions: (name) => page.lists.idOf(name),
    typeOf: (pointer) => declaredType(manifest, document, pointer),
    openJSON: (pointer) => page.openJSON(pointer),
    announce: (text) => page.live.textContent = text,
    open: (pointer) => page.go(pointer, false, { first: true }),
    nameOf: (text) => texts?.textOf(text) ?? text,
    texts,
    // A segment cannot read itself.
    names: () => namesOf({ all: all.filter((one) => one.slug !== slug), isNamed, manifest, lists, vocabulary }),
    walk: {
      app,
      slug,
      personas: manifest?.personas ?? {},
      follow: (/** @type {string | undefined} */ pointer) => page.follow(pointer),
    },
  };
}
