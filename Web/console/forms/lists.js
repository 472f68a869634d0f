// Fields that are lists: of names, of small objects, and of the members of an object.

import { ListEditor } from "../elements/list.js";
import { t } from "../texts.js";
import { cell, labelled, labelOf } from "./fields.js";
import { slugOf } from "../document/slug.js";
import { holds } from "./sections.js";

/** @typedef {import("./fields.js").Field} Field */

/** @param {Field} field @param {string} pointer @param {import("./fields.js").FormContext} context @returns {import("./fields.js").Raw} */
export function listField(field, pointer, context) {
  const isMap = field.field === "map";
  /** @type {Field[]} */
  const columns = field.of ?? [{ pointer: "", field: "text", label: field.label, suggest: field.suggest }];
  const main = columns.filter(({ isRare }) => !isRare);
  const name = t(`item.${isMap && field.key ? field.key : field.item ?? field.label}`);
  const list = new ListEditor({
    document: context.document,
    pointer,
    name: name.startsWith("item.") ? t("item") : name,
    isMap,
    hasKeys: isMap,
    keyLabel: field.key && t(`field.${field.key}`),
    isCards: field.isCards,
    cells: (row) => cellsOf(field, field.make?.(context.document.get(row)) ?? columns, row, context),
    nameOf: (row) => nameOf(row, field.title ? [{ ...columns[0], pointer: field.title }] : columns, context, isMap),
    blank: () => field.blank ?? (field.field === "rows" ? {} : ""),
    fromLine: isMap || field.isCards || main.some((column) => column.field !== "text")
      ? undefined
      : (line) => fromLine(line, main),
    announce: context.announce,
    idKey: columns.some((column) => column.pointer === "/id") ? "/id" : undefined,
  });
  return {
    element: list.element,
    input: list.element,
    isGroup: true,
    update: () => list.update(),
    cells: () => /** @type {any} */ (list.cells),
  };
}

/**
 * The fields of a row. Those that are rarely used are folded, each with its label.
 * @param {Field} field @param {Field[]} columns @param {string} row @param {import("./fields.js").FormContext} context
 * @returns {import("./fields.js").Control[]}
 */
function cellsOf(field, columns, row, context) {
  const main = columns.filter(({ isRare }) => !isRare).map((column) => columnCell(field, column, row, context));
  const rare = columns.filter(({ isRare }) => isRare).map((column) => ({ ...column, isRare: false }));
  if (rare.length === 0) return main;
  const make = () => rare;
  const more = labelled({ pointer: "", field: "object", label: "more", literal: t("form.more"), make }, row, context);
  return [...main, more];
}

/**
 * A field of a row; it is shown if its condition holds.
 * @param {Field} field
 * @param {Field} column
 * @param {string} row
 * @param {import("./fields.js").FormContext} context
 */
function columnCell(field, column, row, context) {
  const pointer = row + column.pointer;
  const made = field.isCards
    ? labelled(column, pointer, context)
    : cell({ ...column, isOptional: field.make !== undefined }, pointer, context, labelOf(column));
  if (column.isNarrow) made.element.classList.add("is-narrow");
  if (!column.when) return made;
  const { update } = made;
  made.update = () => {
    made.element.hidden = !holds(column.when, context.document, row);
    update();
  };
  return made;
}

/** @param {string} row @param {Field[]} columns @param {import("./fields.js").FormContext} context @param {boolean} isMap */
function nameOf(row, columns, { document }, isMap) {
  const key = row.slice(row.lastIndexOf("/") + 1).replaceAll("~1", "/").replaceAll("~0", "~");
  if (isMap) return key;
  const texts = columns.filter(({ isRare }) => !isRare).toReversed().map((column) =>
    document.get(row + column.pointer)
  );
  const text = texts.find((text) => typeof text === "string" && text !== "");
  return String(text ?? t("list.nth", { place: Number(key) + 1 }));
}

/** @param {string} line @param {Field[]} columns @returns {unknown} */
function fromLine(line, columns) {
  if (columns[0].pointer === "") return line;
  return Object.fromEntries(
    columns.map(({ pointer }) => [pointer.slice(1), pointer === "/id" ? slugOf(line).replaceAll("-", "_") : line]),
  );
}
