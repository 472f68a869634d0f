// Forms that are made from the schema of a kind (docs/reference/schemas.md): the fields of an object follow from its
// definition, its type and its value. Without a page.

import { isObject } from "../../shared/comparison.js";
import { addTexts, t } from "../texts.js";
import texts from "../texts/en_keys.js";

addTexts(texts);

/**
 * @typedef {import("./fields.js").Field} Field
 * @typedef {{[key: string]: any}} Schema a schema, or a part of it
 */

/** Definitions with a control of their own: the dialect of their conditions. @type {Record<string, string>} */
const dialects = {
  visibility_condition: "visibility",
  depends_on: "depends_on",
  show_if: "show_if",
  condition: "core",
  audience_rules: "audience",
};
/** Definitions whose lists are places of the outline, and not fields. */
const places = ["block", "field", "question"];
/** Definitions whose objects may have the keys of other types. */
const mixed = ["block", "field"];
/** The new rows of definitions whose needed keys do not make one. @type {Record<string, unknown>} */
const blanks = {
  quota: { name: "quota", when: true, limit: 100 },
  validations: { operation: "less than", value: 100, on_fail_message: "" },
  options: { id: "", label: "" },
};
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

/** A text of the schema in the current language. @param {unknown} text */
const said = (text) => spoken([`says.${text}`], String(text ?? ""));

/** The first text of the current language that there is, or else another text. @param {string[]} keys @param {string} other */
function spoken(keys, other) {
  const key = keys.find((key) => t(key) !== key);
  return key ? t(key) : other;
}

/**
 * The words for a value of a choice. @param {string} word @param {string} [key] the key that has the value
 * @param {boolean} [isClosed] whether a format has no other values: then a word without a text stays as it is
 */
export const wordOf = (word, key = "", isClosed = false) =>
  spoken([`word.${key}.${word}`, `word.${word}`, `choice.${word}`], isClosed ? word : word.replaceAll("_", " "));

/** @param {string} text */
const sentence = (text) => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "");

/** @param {Schema | undefined} part @returns {string} the name of a definition; empty for any other schema */
const definitionOf = (part) => String(part?.$ref ?? "").replace("#/$defs/", "");

/** The definition of an object, which may be a value instead. @param {Schema | undefined} part */
const tableOf = (part) => definitionOf(part?.anyOf?.[0] ?? part);

/** Where a definition's further keys are decided. @param {Schema} part @returns {string} the key of the type */
const typeKey = (part) => part.allOf?.find((/** @type {Schema} */ { if: test }) => test)?.if.required[0] ?? "type";

/** The schema of a kind, and the fields that it describes. The definition "" is the document itself. */
export class Format {
  /** @param {Schema} schema */
  constructor(schema) {
    this.schema = schema;
  }

  /** @private @param {string} name @returns {Schema} */
  definition(name) {
    return name === "" ? this.schema : this.schema.$defs[name] ?? {};
  }

  /** @param {string} name of a definition */
  has(name) {
    return name in this.schema.$defs;
  }

  /** The key of a definition's type. @param {string} name */
  typeKey(name) {
    return typeKey(this.definition(name));
  }

  /** The types of a definition. @param {string} name @returns {string[]} */
  types(name) {
    const type = this.definition(name).properties[this.typeKey(name)];
    return (type.enum ?? type.anyOf[0].enum).map(String);
  }

  /** What people call the type of a question or step, and a sentence about it. @param {unknown} type */
  typeTexts(type) {
    const { title = type ?? "", description } =
      [`question.${type}`, `step.${type}`].map((name) => this.definition(name))
        .find(({ title }) => title) ?? {};
    return { title: said(title), sentence: said(description) };
  }

  /**
   * What kind of answer a question of a type has: `choice`, `choices`, `number`, `text`, or `date`.
   * @param {unknown} type @returns {string | undefined}
   */
  answerOf(type) {
    return this.definition(`question.${type}`)["x-answer"];
  }

  /** The types of a definition whose objects have a key. @param {string} name @param {string} key */
  typesWith(name, key) {
    return this.types(name).filter((type) => key in this.properties(name, { [this.typeKey(name)]: type }));
  }

  /**
   * The keys that an object may have, with their schemas.
   * @param {string} name of a definition @param {unknown} value
   * @returns {Record<string, Schema>}
   */
  properties(name, value) {
    return this.propertiesOf(this.definition(name), value);
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

  /**
   * The parts of the schema that describe a value: alternatives, and what follows from the type of an object.
   * @param {string[]} keys of the value in the document @param {unknown[]} values above it, and of its own
   * @returns {Schema[]}
   */
  partsAt(keys, values) {
    const parts = keys.reduce(
      (/** @type {Schema[]} */ parts, key, depth) =>
        parts.flatMap((part) => this.described(part, values[depth]))
          .flatMap(({ properties = {}, items, additionalProperties }) => {
            const named = Object.entries(properties).filter(([name, part]) => namesOf(name, part).includes(key));
            return [...named.map(([, part]) => part), items, additionalProperties].filter(isObject);
          }),
      [this.schema],
    );
    return parts.flatMap((part) => this.described(part, values[keys.length]));
  }

  /** A part, its alternatives, and what holds for a value of its type. @private @param {Schema} part @param {any} value @returns {Schema[]} */
  described(part, value) {
    if (part.$ref) return this.described(this.definition(definitionOf(part)), value);
    const further = (part.allOf ?? []).filter((/** @type {Schema} */ { if: test }) =>
      !test || Object.entries(test.properties).every(([key, { const: wanted }]) => value?.[key] === wanted)
    ).map((/** @type {Schema} */ { then, ...other }) => then ?? other);
    return [part, ...[...further, ...part.anyOf ?? []].flatMap((one) => this.described(one, value))];
  }

  /** The sentence about a key. @param {Schema} part */
  sentenceOf(part) {
    return sentence(said(part.description));
  }

  /** The keys of every type, for values that have keys of another type. @private @param {string} name */
  everything(name) {
    const style = mixed.includes(name) ? this.properties("text_style", {}) : {};
    return this.types(name).reduce((all, type) => {
      const { config, ...own } = this.properties(name, { [this.typeKey(name)]: type });
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

  /**
   * The fields at some paths in an object, such as `trigger/launches`.
   * @param {string} name of its definition @param {string} paths @param {any} [value]
   * @returns {Field[]}
   */
  pick(name, paths, value) {
    return paths.split(" ").flatMap((path) => {
      const keys = path.split("/");
      const last = keys.pop() ?? "";
      const [table, inner] = keys.reduce(
        ([table, inner], key) => [tableOf(this.properties(table, inner)[key]), inner?.[key]],
        [name, value],
      );
      const part = this.properties(table, inner)[last];
      return part ? [this.field(last, part, inner, keys.map((key) => `/${key}`).join(""))] : [];
    });
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
    if (!isObject(value) || !mixed.includes(name)) return [];
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
    const text = sentence(said(part.description));
    return {
      pointer: `${at}/${name}`,
      label: key,
      literal: said(part.title),
      // A value at the beginning keeps its case.
      help: /^`/.test(part.description) ? text : text.charAt(0).toUpperCase() + text.slice(1),
      isOptional: !part["x-needed"],
      default: part.default,
      group: part["x-group"],
      isTranslatable: part["x-translatable"],
      ...this.control(part, value?.[name]),
      wordOf: (word) => wordOf(word, key, part.enum !== undefined),
    };
  }

  /** @private @param {Schema} part @param {unknown} value @returns {Pick<Field, "field"> & Partial<Field>} */
  control(part, value) {
    const words = part.enum ?? part.anyOf?.[0]?.enum;
    if (words) return { field: "choice", options: words, isHalf: true };
    const table = tableOf(part);
    if (dialects[table]) return { field: "conditions", dialect: dialects[table] };
    if (part.anyOf?.[0].$ref) return this.control(part.anyOf[isObject(value) ? 0 : 1], value);
    // A number may be written as a text.
    if (part.anyOf?.[0].type === "number") return { field: "text", isHalf: true };
    if (part.anyOf) return this.control(part.anyOf[0], value);
    if (table) return { field: "object", make: (value) => this.fields(table, value) };
    if (part.type === "boolean") return { field: "switch" };
    if (part.type === "number") return numberControl(part);
    if (part.type === "array") return this.list(part.items ?? {}, value);
    if (part.type === "object") return this.map(part.additionalProperties ?? {});
    return textControl(part);
  }

  /** An object of values by name. @private @param {Schema} part @returns {Pick<Field, "field"> & Partial<Field>} */
  map(part) {
    const table = definitionOf(part);
    if (!table) return { field: "map", key: "entry", of: [{ pointer: "", label: "value", ...this.control(part, "") }] };
    return { field: "map", key: "entry", blank: this.blank(table), of: this.fields(table, {}).map(inRow) };
  }

  /** A new object: its needed keys. @private @param {string} table @returns {unknown} */
  blank(table) {
    const needed = Object.entries(this.properties(table, {})).filter(([, part]) => part["x-needed"]);
    return blanks[table] ??
      Object.fromEntries(needed.map(([key, part]) => [key, part.enum?.[0] ?? (part.type === "number" ? 0 : "")]));
  }

  /** @private @param {Schema} items @param {unknown} value @returns {Pick<Field, "field"> & Partial<Field>} */
  list(items, value) {
    const table = tableOf(items);
    const plain = items.anyOf?.[1] ?? items;
    if (table === "option") return { field: "choices", of: this.pick(table, "validations") };
    if (items.anyOf?.[0].type === "array") return { field: "labels" };
    const isPlain = !table || (items.anyOf && Array.isArray(value) && value.length > 0 && !value.some(isObject));
    if (isPlain) {
      const { field, suggest } = this.control(plain, undefined);
      const of = [{ pointer: "", field, label: "value", suggest }];
      return { field: "names", blank: field === "number" ? 0 : "", of };
    }
    const columns = this.fields(table, undefined).map(inRow);
    const isCards = columns.filter(({ isRare }) => !isRare).length > 2;
    const names = ["/title", "/label", "/text", "/content", "/name", "/on_fail_message", "/type"].find((name) =>
      columns.some(({ pointer }) => pointer === name)
    );
    return {
      field: "rows",
      of: columns,
      isCards,
      title: names,
      blank: this.blank(table),
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
    return this.fields(table, row).map(inRow);
  }

  /**
   * An object of another type: keys that both types have stay, and keys that no type has.
   * @param {string} name of its definition @param {any} value @param {string} type
   * @returns {{value: any, lost: string[]}} `lost` are the labels of the removed keys
   */
  retyped(name, value, type) {
    const key = this.typeKey(name);
    const parts = Object.entries(this.everything(name));
    // The usual name of one key may be another name of another key.
    const others = parts.flatMap(([key, part]) =>
      namesOf(key, part).map((name) => /** @type {const} */ ([name, part]))
    );
    const all = new Map([...others, ...parts]);
    const common = new Set(namesIn(this.properties(name, {})));
    const own = this.properties(name, { [key]: type });
    const isInside = this.types(name).some((type) => this.properties(name, { [key]: type }).config?.$ref);
    const inner = new Set(namesIn(isInside ? this.properties(definitionOf(own.config), {}) : {}));
    const kept = new Set([...namesIn(own), ...inner]);
    const isLost = (/** @type {string} */ key) => all.has(key) && !kept.has(key);
    const isLostInside = (/** @type {string} */ key) => isInside && all.has(key) && !inner.has(key) && !common.has(key);
    const lost = Object.keys(value).filter(isLost);
    const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !isLost(key)));
    if (isObject(rest.config)) {
      lost.push(...Object.keys(rest.config).filter(isLostInside));
      rest.config = Object.fromEntries(Object.entries(rest.config).filter(([key]) => !isLostInside(key)));
    }
    return { value: { ...rest, [key]: type }, lost: lost.map((key) => said(all.get(key)?.title)) };
  }
}

/** All names of a key. @param {string} key @param {Schema} part @returns {string[]} */
const namesOf = (key, part) => [key, ...(part["x-names"] ?? [])];

/** @param {Record<string, Schema>} properties */
const namesIn = (properties) => Object.entries(properties).flatMap(([key, part]) => namesOf(key, part));

/** A field of a row, whose rare fields are folded. @param {Field} field @returns {Field} */
const inRow = (field) => ({ ...field, isRare: field.group === "more", group: undefined });

/** @param {Schema} part @returns {Pick<Field, "field"> & Partial<Field>} */
function textControl(part) {
  if (part.format === "color") return { field: "color", isHalf: true };
  if (part.format === "date" || part.format === "date-time") {
    return { field: "date", isHalf: true, hasTime: part.format === "date-time" };
  }
  if (part.format === "jexl") return { field: "expression" };
  if (part["x-name-of"]) return { field: "text", suggest: part["x-name-of"] };
  return part.type === "string" ? { field: part["x-lines"] ? "long" : "text" } : { field: "scalar" };
}

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
