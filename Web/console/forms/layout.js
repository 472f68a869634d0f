// The order of a form, whose fields are made from a schema.

/** @typedef {import("./fields.js").Field} Field */

/**
 * Fields in an order. `*` is the place of the fields that are not named; a field after a `-` is left out.
 * @param {Field[]} fields @param {string} order pointers without their first `/`
 * @returns {Field[]}
 */
export function arranged(fields, order) {
  const names = order.split(" ");
  const named = (/** @type {string} */ name) => fields.filter(({ pointer }) => pointer === `/${name}`);
  const others = fields.filter(({ pointer }) => !names.some((name) => pointer === `/${name.replace(/^-/, "")}`));
  return names.flatMap((name) => name === "*" ? others : named(name));
}

/**
 * Fields, some of which differ from those of the schema.
 * @param {Field[]} fields @param {Record<string, Partial<Field>>} changes by the pointer without its first `/`
 * @returns {Field[]}
 */
export const changed = (fields, changes) => fields.map((field) => ({ ...field, ...changes[field.pointer.slice(1)] }));

/** The field of an object's type, with a drawing of each. @param {import("./schema.js").Format} format @param {string} name @returns {Partial<Field>} */
export const typeMenu = (format, name) => ({
  field: "type",
  help: undefined,
  isHalf: true,
  options: format.types(name),
  textsOf: (type) => format.typeTexts(type),
  retyped: (value, type) => format.retyped(name, value, type),
});
