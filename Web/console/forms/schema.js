// Forms that are made from the schema of a kind (docs/reference/schemas.md): the fields of an object follow from its
// definition, its type and its value. Without a page.

import { isObject } from "../../shared/comparison.js";
import { addTexts, t } from "../texts.js";
import texts from "../texts/en_keys.js";

addTexts(texts);

/**
 * @typedef {import("./message.js").Field} Field
 * @typedef {{[key: string]: any}} Schema a schema, or a part of it
 */

/** Definitions with a control of their own: the dialect of their conditions. @type {Record<string, string>} */
const dialects = { visibility_condition: "visibility", depends_on: "depends_on" };
/** Definitions whose lists are places of the outline, and not fields. */
const places = ["block", "field"];
/** The groups in the order of a form. */
const groups = [
  "",
  "answer",
  "webhook",
  "turns",
  "look",
  "spacing",
  "animation",
  "condition",
  "preview",
  "more",
  "others",
];

/** A text of the current language, or else the text of the schema. @param {string} key @param {string} own */
function spoken(key, own) {
  const text = t(key);
  return text === key ? own : text;
}

/** The words for a value of a choice. @param {string} word */
export const wordOf = (word) => spoken(`word.${word}`, word.replaceAll("_", " "));

/** @param {string} text */
const sentence = (text) => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "");

/** @param {Schema | undefined} part @returns {string} the name of a definition; empty for any other schema */
const definitionOf = (part) => String(part?.$ref ?? "").replace("#/$defs/", "");

/** The schema of a kind, and the fields that it describes. */
export class Format {
  /** @param {Schema} schema */
  constructor(schema) {
    this.schema = schema;
  }

  /** The types of a definition. @param {string} name @returns {string[]} */
  types(name) {
    const type = this.schema.$defs[name].properties.type;
    return (type.enum ?? type.anyOf[0].enum).map(String);
  }

  /** The types of a definition whose objects have a key. @param {string} name @param {string} key */
  typesWith(name, key) {
    return this.types(name).filter((type) => key in this.properties(name, { type }));
  }

  /**
   * The keys that an object may have, with their schemas.
   * @param {string} name of a definition @param {unknown} value
   * @returns {Record<string, Schema>}
   */
  properties(name, value) {
    return this.propertiesOf(this.schema.$defs[name], value);
  }

  /** @private @param {Schema} part @param {any} value @returns {Record<string, Schema>} */
  propertiesOf(part, value) {
    if (part.$ref) return this.properties(definitionOf(part), value);
    let found = { ...part.properties };
    for (const { if: test, then, ...other } of part.allOf ?? []) {
      const [[key, { const: wanted }]] = test ? Object.entries(test.properties) : [["", { const: undefined }]];
      if (!test || value?.[key] === wanted) found = { ...found, ...this.propertiesOf(then ?? other, value) };
    }
    return found;
  }

  /** The keys of every type, for values that have keys of another type. @private @param {string} name */
  everything(name) {
    const style = name === "block" || name === "field" ? this.properties("text_style", {}) : {};
    return this.types(name).reduce((all, type) => {
      const { config, ...own } = this.properties(name, { type });
      return { ...this.properties(definitionOf(config) || "choice", {}), ...own, ...all };
    }, style);
  }

  /**
   * The fields of an object.
   * @param {string} name of its definition @param {unknown} value @param {string} [at] the object's pointer
   * @returns {Field[]}
   */
  fields(name, value, at = "") {
    const properties = this.properties(name, value);
    const fields = this.own(properties, value, at);
    const order = (/** @type {Field} */ { group = "" }) => groups.indexOf(group);
    return [...fields, ...this.others(name, value, properties, at)].sort((left, right) => order(left) - order(right));
  }

  /** @private @param {Record<string, Schema>} properties @param {any} value @param {string} at @returns {Field[]} */
  own(properties, value, at) {
    return Object.entries(properties).flatMap(([key, part]) => {
      const table = definitionOf(part);
      // The keys of a field's type stand in its `config`, or beside it.
      if (key === "config" && table.startsWith("field.")) return this.config(this.properties(table, {}), value, at);
      return places.includes(definitionOf(part.items)) ? [] : [this.field(key, part, value, at)];
    });
  }

  /** @private @param {Record<string, Schema>} properties @param {any} value @param {string} at @returns {Field[]} */
  config(properties, value, at) {
    return Object.entries(properties).map(([key, part]) => {
      const isBeside = namesOf(key, part).some((name) => value?.[name] !== undefined);
      return isBeside ? this.field(key, part, value, at) : this.field(key, part, value?.config, `${at}/config`);
    });
  }

  /**
   * The fields of keys that the value has and its type does not read.
   * @private
   * @param {string} name @param {any} value @param {Record<string, Schema>} properties @param {string} at
   * @returns {Field[]}
   */
  others(name, value, properties, at) {
    if (!isObject(value) || !("type" in properties) || !this.schema.$defs[name].allOf) return [];
    const known = new Set(Object.entries(properties).flatMap(([key, part]) => namesOf(key, part)));
    const { config } = properties;
    for (const [key, part] of Object.entries(config?.$ref ? this.properties(definitionOf(config), {}) : {})) {
      namesOf(key, part).forEach((name) => known.add(name));
    }
    const all = Object.entries(this.everything(name)).flatMap(([key, part]) =>
      namesOf(key, part).map((name) => /** @type {const} */ ([name, part]))
    );
    const byName = new Map(all);
    return Object.keys(value).filter((key) => !known.has(key)).flatMap((key) => {
      const part = byName.get(key);
      if (!part || places.includes(definitionOf(part.items))) return [];
      return [{ ...this.field(key, { ...part, "x-names": [] }, value, at), group: "others" }];
    });
  }

  /**
   * The field of a key, under the name that the object uses for it.
   * @private
   * @param {string} key @param {Schema} part @param {any} value @param {string} at
   * @returns {Field}
   */
  field(key, part, value, at) {
    const name = namesOf(key, part).find((name) => value?.[name] !== undefined) ?? key;
    const text = spoken(`says.${part.description}`, sentence(String(part.description ?? "")));
    return {
      pointer: `${at}/${name}`,
      label: key,
      literal: spoken(`key.${key}`, String(part.title)),
      // A value at the beginning keeps its case.
      help: /^`/.test(part.description) ? text : text.charAt(0).toUpperCase() + text.slice(1),
      isOptional: true,
      default: part.default,
      group: part["x-group"],
      isTranslatable: part["x-translatable"],
      ...this.control(part, value?.[name]),
    };
  }

  /** @private @param {Schema} part @param {unknown} value @returns {Pick<Field, "field"> & Partial<Field>} */
  control(part, value) {
    const either = part.anyOf?.[0]?.$ref && part.anyOf;
    if (either) return this.control(isObject(value) ? either[0] : either[1], value);
    const table = definitionOf(part);
    const words = part.enum ?? part.anyOf?.[0]?.enum;
    if (dialects[table]) return { field: "conditions", dialect: dialects[table] };
    if (table) return { field: "object", make: (value) => this.fields(table, value) };
    if (words) return { field: "choice", options: words, wordOf, isHalf: true };
    if (part.type === "boolean") return { field: "switch" };
    if (part.type === "number") return numberControl(part);
    if (part.type === "array") return this.list(part.items ?? {}, value);
    if (part.type === "object") {
      return { field: "map", key: "entry", of: [{ pointer: "", field: "value", label: "value" }] };
    }
    if (part.format === "color") return { field: "color", isHalf: true };
    if (part.format === "date") return { field: "date", isHalf: true };
    if (part.type === "string") return { field: part["x-lines"] ? "long" : "text" };
    return { field: "scalar" };
  }

  /** @private @param {Schema} items @param {unknown} value @returns {Pick<Field, "field"> & Partial<Field>} */
  list(items, value) {
    const table = definitionOf(items.anyOf?.[0] ?? items);
    const plain = items.anyOf?.[1] ?? items;
    const isPlain = !table || (items.anyOf && Array.isArray(value) && value.length > 0 && !value.some(isObject));
    if (isPlain) {
      const { field } = this.control(plain, undefined);
      return { field: "names", blank: field === "number" ? 0 : "", of: [{ pointer: "", field, label: "value" }] };
    }
    const columns = this.fields(table, undefined).map((field) => ({ ...field, isRare: field.group === "more" }));
    const isCards = columns.filter(({ isRare }) => !isRare).length > 2;
    const names = ["/title", "/label", "/text", "/content", "/type"].find((name) =>
      columns.some(({ pointer }) => pointer === name)
    );
    return {
      field: "rows",
      of: columns,
      isCards,
      title: names,
      blank: isCards ? {} : { id: "", label: "" },
      make: (row) => this.columns(table, plain, row),
    };
  }

  /** The control of a list of objects of a definition. @param {string} table */
  rows(table) {
    return this.list({ anyOf: [{ $ref: `#/$defs/${table}` }, { type: "string" }] }, []);
  }

  /** The fields of a row, which may be a value instead of an object. @private @param {string} table @param {Schema} plain @param {unknown} row @returns {Field[]} */
  columns(table, plain, row) {
    if (row !== undefined && !isObject(row)) {
      return [{ pointer: "", label: "value", ...this.control(plain, row) }];
    }
    return this.fields(table, row).map((field) => ({ ...field, isRare: field.group === "more", group: undefined }));
  }

  /**
   * An object of another type: keys that both types have stay, and keys that no type has.
   * @param {string} name of its definition @param {any} value @param {string} type
   * @returns {{value: any, lost: string[]}} `lost` are the removed keys
   */
  retyped(name, value, type) {
    const all = new Set(namesIn(this.everything(name)));
    const own = this.properties(name, { type });
    const inner = new Set(namesIn(own.config?.$ref ? this.properties(definitionOf(own.config), {}) : {}));
    const kept = new Set([...namesIn(own), ...inner]);
    const isLost = (/** @type {string} */ key) => all.has(key) && !kept.has(key);
    const isLostInside = (/** @type {string} */ key) => all.has(key) && !inner.has(key) && name === "field";
    const lost = Object.keys(value).filter(isLost);
    const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !isLost(key)));
    if (isObject(rest.config)) {
      lost.push(...Object.keys(rest.config).filter(isLostInside));
      rest.config = Object.fromEntries(Object.entries(rest.config).filter(([key]) => !isLostInside(key)));
    }
    return { value: { ...rest, type }, lost };
  }
}

/** All names of a key. @param {string} key @param {Schema} part @returns {string[]} */
const namesOf = (key, part) => [key, ...(part["x-names"] ?? [])];

/** @param {Record<string, Schema>} properties */
const namesIn = (properties) => Object.entries(properties).flatMap(([key, part]) => namesOf(key, part));

/** @param {Schema} part @returns {Pick<Field, "field"> & Partial<Field>} */
const numberControl = (part) => ({
  field: "number",
  unit: part["x-unit"],
  low: part.minimum,
  high: part.maximum,
  isHalf: true,
});

/** The group of a field; rare fields are in the group "more". @param {Field} field */
const groupOf = ({ group, isRare }) => group ?? (isRare ? "more" : "");

/**
 * Fields by group, in the order of the fields.
 * @param {Field[]} fields @returns {Map<string, Field[]>}
 */
export function grouped(fields) {
  /** @type {Map<string, Field[]>} */
  const map = new Map();
  for (const field of fields) map.set(groupOf(field), [...map.get(groupOf(field)) ?? [], field]);
  return map;
}
