// The places of a form: its sections and the items of its lists, as they occur in a document.

import { below, keysOf, nearest } from "../document/pointers.js";
import { isObject } from "../../shared/comparison.js";
import { t } from "../texts.js";

/**
 * @typedef {import("./fields.js").Section} Section
 * @typedef {import("./fields.js").When} When
 * @typedef {import("./fields.js").Field} Field
 * @typedef {import("../document/document.js").JSONDocument} JSONDocument
 * @typedef {{at: string, base: string, title: string, icon: string, depth: number, section: Section,
 *   kind: "fields" | "items" | "item", fields: Field[], list?: string, pointers: string[], type?: unknown}} Place
 * `at` is its address, `base` the prefix of its fields' pointers; `list` is the pointer of an item's list;
 * `pointers` are the pointers of its fields, `type` the type of its value.
 */

/**
 * @param {Section[]} sections
 * @param {JSONDocument} document
 * @param {string} [base]
 * @param {number} [depth]
 * @returns {Place[]} in the order of the outline
 */
export function expand(sections, document, base = "", depth = 0) {
  return sections.filter(({ when }) => holds(when, document, base)).flatMap((section) => {
    const own = base + (valueOf(section.pointer, document, base) ?? "");
    const fields = valueOf(section.fields, document, own) ?? [];
    const pointers = fields.map(({ pointer }) => own + pointer);
    const title = t(`section.${section.label}`);
    /** @type {Place} */
    const place = {
      at: section.items ? own : pointers[0],
      base: own,
      title,
      icon: section.icon,
      depth,
      section,
      kind: section.items ? "items" : "fields",
      fields,
      pointers,
    };
    if (!section.items) return [place];
    const items = document.keys(own).flatMap((key) => item(section, document, own, key, depth + 1));
    return [place, ...items];
  });
}

/**
 * What a section has, or what it has for the value at a pointer.
 * @template T
 * @param {T | ((value: unknown) => T)} given @param {JSONDocument} document @param {string} pointer
 * @returns {T}
 */
const valueOf = (given, document, pointer) =>
  typeof given === "function" ? /** @type {any} */ (given)(document.get(pointer)) : given;

/** The keys and types in a value, and the types that it names: its fields follow from them. @param {unknown} value @param {string} [key] @param {number} [depth] @returns {string} */
function shapeOf(value, key = "", depth = 3) {
  if (Array.isArray(value)) return `[${value.length > 0} ${value.some(isObject)}]`;
  if (!isObject(value)) return key.endsWith("type") ? String(value) : typeof value;
  const members = depth === 0 ? [] : Object.entries(value);
  return `{${members.map(([key, inner]) => `${key}:${shapeOf(inner, key, depth - 1)}`).join()}}`;
}

/** The fields of items, by the shape of their value: a document may have hundreds of one shape. @type {WeakMap<Section, Map<string, Field[]>>} */
const made = new WeakMap();

/** @param {Section} section @param {unknown} value @returns {Field[]} */
function fieldsOf(section, value) {
  const { each } = section;
  if (typeof each !== "function") return each ?? [];
  const shapes = made.get(section) ?? new Map();
  made.set(section, shapes);
  const shape = shapeOf(value);
  if (!shapes.has(shape)) shapes.set(shape, each(value));
  return shapes.get(shape);
}

/** @param {Section} section @param {JSONDocument} document @param {string} list @param {string} key @param {number} depth @returns {Place[]} */
function item(section, document, list, key, depth) {
  const base = below(list, key);
  const fields = fieldsOf(section, document.get(base));
  /** @type {Place} */
  const place = {
    at: base,
    base,
    title: titleOf(section, document, base),
    icon: section.icon,
    depth,
    section,
    kind: "item",
    fields,
    list,
    pointers: fields.map(({ pointer }) => base + pointer),
    type: document.get(base + (section.type ?? "/type")),
  };
  return [place, ...expand(section.sections ?? [], document, base, depth + 1)];
}

/** The title of an item. @param {Section} section @param {JSONDocument} document @param {string} pointer */
export function titleOf(section, document, pointer) {
  const names = (section.title ?? []).map((title) => document.get(pointer + title));
  const name = names.find((name) => typeof name === "string" && name.trim() !== "");
  const key = keysOf(pointer).at(-1) ?? "";
  return String(name ?? (section.items === "list" ? t("list.nth", { place: Number(key) + 1 }) : key));
}

/** @param {When | undefined} when @param {JSONDocument} document @param {string} base */
export function holds(when, document, base) {
  if (!when) return true;
  const value = document.get(base + when.pointer);
  if (when.in) return when.in.includes(value);
  return "is" in when ? value === when.is : value !== when.isNot;
}

/**
 * The place to which a pointer belongs: that of its field, its item or its section, or else the first place.
 * @param {Place[]} places
 * @param {string} pointer
 */
export function placeOf(places, pointer) {
  /** @type {Map<string, Place>} */
  const known = new Map();
  for (const place of places) {
    if (place.base !== "") known.set(place.base, place);
    known.set(place.at, place);
  }
  for (const place of places) {
    for (const field of place.pointers) if (field !== "" && !known.has(field)) known.set(field, place);
  }
  return known.get(nearest(known.keys(), pointer) ?? "") ?? places[0];
}

/** The keys that are not reported although a form has no field for them. */
const quietKeys = ["kind", "slug", "schemaVersion", "id", "version"];
/** The members whose keys are those of the document. */
const wrappers = ["schema"];

/**
 * The keys of a place that no field shows, as paths in it. Only the first place with the same base reports them.
 * @param {Place} place
 * @param {Place[]} places
 * @param {JSONDocument} document
 * @returns {string[]}
 */
export function unknownKeys({ base, at }, places, document) {
  if (places.find((other) => other.base === base && other.kind !== "items")?.at !== at) return [];
  const near = places.filter((other) => other.base === base || other.base.startsWith(`${base}/`) || base === "");
  const fields = near.flatMap((other) => [
    ...(other.kind === "items" || other.base !== base ? [{ pointer: other.base }] : []),
    ...other.fields.filter(({ when }) => holds(when, document, other.base))
      .map((field) => ({ ...field, pointer: other.base + field.pointer })),
  ]);
  return unknownBelow(base, fields, document)
    .map((pointer) => keysOf(pointer.slice(base.length)))
    .filter((keys) => {
      const [key, ...rest] = wrappers.includes(keys[0]) ? keys.slice(1) : keys;
      return rest.length > 0 || !quietKeys.includes(key);
    })
    .map((keys) => keys.join(" › "));
}

/** @param {string} pointer @param {{pointer: string, of?: Field[], field?: string, make?: Field["make"]}[]} fields @param {JSONDocument} document @returns {string[]} */
function unknownBelow(pointer, fields, document) {
  return document.keys(pointer).flatMap((key) => {
    const inner = below(pointer, key);
    const field = fields.find((field) => field.pointer === inner);
    if (field?.field === "object" && field.make) {
      const members = field.make(document.get(inner)).map((one) => ({ ...one, pointer: inner + one.pointer }));
      return unknownBelow(inner, members, document);
    }
    if (field?.field === "rows" && field.of) {
      return document.keys(inner).flatMap((row) => {
        const at = below(inner, row);
        const columns = (field.make?.(document.get(at)) ?? field.of)?.map((column) => ({
          ...column,
          pointer: at + column.pointer,
        })) ?? [];
        return columns.some((column) => column.pointer === at) ? [] : unknownBelow(at, columns, document);
      });
    }
    if (field) return [];
    const isOuter = fields.some((field) => field.pointer.startsWith(`${inner}/`));
    return isOuter ? unknownBelow(inner, fields, document) : [inner];
  });
}

/** The places above a place, the outermost first. @param {Place[]} places @param {Place} place */
export function pathTo(places, place) {
  const index = places.indexOf(place);
  /** @type {Place[]} */
  const path = [];
  for (let depth = place.depth - 1, at = index; at >= 0; at -= 1) {
    if (places[at].depth === depth) {
      path.unshift(places[at]);
      depth -= 1;
    }
  }
  return path;
}
