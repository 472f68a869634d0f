// The controls of a form. Each shows the value at its pointer and writes typed values at once.

import { h, setAttribute, uniqueId } from "../../shared/dom.js";
import { isSame } from "../document/document.js";
import { button } from "../elements/parts.js";
import { icon } from "../icons.js";
import { t } from "../texts.js";
import { audienceField } from "../ask/audience.js";
import { choicesField, conditionsField, labelsField, targetField } from "../ask/cells.js";
import { textNote } from "../ask/text-note.js";
import { turnInto, typeField } from "../ask/type-menu.js";
import { expressionField } from "../elements/expression.js";
import { share } from "../elements/share.js";
import { listField } from "./lists.js";
import { portions } from "./portion.js";
import { roundsField } from "./rounds.js";
import { colorField, objectField, scalarField } from "./schema-controls.js";

/**
 * @typedef {"text" | "long" | "number" | "choice" | "switch" | "date" | "names" | "map" | "rows" | "expression" | "audience" | "value"
 *   | "json" | "conditions" | "type" | "choices" | "labels" | "target" | "color" | "share" | "rounds" | "portion" | "scalar"
 *   | "object"} FieldType
 * @typedef {{pointer: string, field: FieldType, label: string, hint?: string, when?: When, default?: unknown,
 *   options?: string[], suggest?: string, isOptional?: boolean, of?: Field[], literal?: string, key?: string,
 *   blank?: unknown, dialect?: string, title?: string, item?: string, isRare?: boolean, isHalf?: boolean, isNarrow?: boolean,
 *   isCards?: boolean, isCode?: boolean, unset?: string, isTranslatable?: boolean, help?: string, group?: string,
 *   unit?: string, low?: number, high?: number, hasTime?: boolean, wordOf?: (word: string) => string, make?: (value: unknown) => Field[],
 *   retyped?: (value: unknown, type: string) => {value: unknown, lost: string[]},
 *   textsOf?: (type: unknown) => {title: string, sentence: string}}} Field
 * `label` and `hint` are keys of texts; `literal` is a label that is no text of the console. `suggest` names a list of
 * the app's values. `of` are the fields of each row; in a map, `key` is the label of its keys. Rows are cards
 * (`isCards`) if each field has its label; `title` is the pointer of a row's name in the row, `item` the text for the
 * term of a row. Rare fields are under "More". `unset` is the text of a choice without a value. A translatable text may
 * be an id of the app's string tables. `help` is a hint, and `wordOf` the text of an option, in the reader's language.
 * Fields of a `group` are folded. A number has a `unit` and bounds; a date has a time, or is a day. `make` returns the
 * fields of an object, or of a row,
 * for its value. `retyped` is an object of another type, `textsOf` are the texts of a type.
 * @typedef {{pointer: string, is?: unknown, isNot?: unknown, in?: unknown[]}} When on a value next to the field
 * @typedef {{label: string, icon: string, pointer?: string | ((value: unknown) => string),
 *   fields?: Field[] | ((value: unknown) => Field[]), items?: "list" | "map", title?: string[],
 *   key?: string, blank?: unknown, each?: Field[] | ((value: unknown) => Field[]), sections?: Section[], when?: When,
 *   type?: string, typeName?: (type: unknown) => string, view?: "flow"}} Section
 * `title` are the pointers of an item's name, and `type` is the pointer of its type. A `view` shows the items
 * in another form than a list. Pointers and fields may depend on the value that they are of.
 */

/**
 * @typedef {import("./findings.js").Finding} Finding
 * @typedef {{document: import("../document/document.js").JSONDocument, vocabulary: any, suggestions: (name: string) => string | undefined,
 *   typeOf: (pointer: string) => string | undefined, openJSON: (pointer: string) => void, announce: (text: string) => void,
 *   open: (pointer: string) => void, nameOf: (text: string) => string, texts: import("../ask/app-texts.js").AppTexts | undefined,
 *   names: () => import("../ask/audience-subjects.js").Names, walk: import("../ask/walk.js").WalkContext}} FormContext
 * `suggestions` returns the id of a list of names; `typeOf` the type in the manifest; `nameOf` the text of an id.
 * @typedef {{element: HTMLElement, input: HTMLElement, update: () => void, isGroup?: boolean, cells?: () => Control[],
 *   leave?: () => void, isNested?: boolean, focus?: () => void}} Raw
 * A nested control shows its own label. `focus` is for a control whose input may be hidden.
 * @typedef {{pointer: string, element: HTMLElement, update: () => void, tell: (findings: Finding[]) => void,
 *   focus: () => void, cells: () => Control[], leave: () => void}} Control
 */

/** @type {Record<string, (field: Field, pointer: string, context: FormContext) => Raw>} */
const makers = {
  text: (field, pointer, context) => textField(field, pointer, context, "input"),
  long: (field, pointer, context) => textField(field, pointer, context, "textarea"),
  number: numberField,
  choice: choiceField,
  switch: switchField,
  date: dateField,
  names: listField,
  map: listField,
  rows: listField,
  value: valueField,
  json: jsonField,
  conditions: conditionsField,
  type: typeField,
  choices: choicesField,
  labels: labelsField,
  target: targetField,
  color: colorField,
  share: shareField,
  rounds: roundsField,
  portion: (field, pointer, { document }) => numberField(field, pointer, { document: portions(document) }),
  scalar: scalarField,
  object: objectField,
  audience: (field, pointer, context) => audienceField(labelOf(field), pointer, context),
  expression: (_, pointer, { document, vocabulary }) => {
    const element = expressionField({ document, pointer, vocabulary });
    return { element, input: element.input, update: () => element.update(), leave: () => element.leave() };
  },
};

/** The label of a field. @param {Field} field */
export const labelOf = (field) => {
  const label = field.literal ?? t(`field.${field.label}`);
  return field.unit ? `${label} (${field.unit})` : label;
};

/**
 * A control without its label, for the cells of a row; it has its own accessible name.
 * @param {Field} field @param {string} pointer @param {FormContext} context @param {string} name
 * @returns {Control}
 */
export function cell(field, pointer, context, name) {
  const raw = makers[field.field](field, pointer, context);
  raw.input.setAttribute("aria-label", name);
  const note = h("p", { class: "finding", id: uniqueId("finding") });
  note.hidden = true;
  const element = h("div", { class: "cell", "data-pointer": pointer }, raw.element, note);
  return control(raw, pointer, element, note, []);
}

/**
 * A control with its label, its hint and its finding.
 * @param {Field} field @param {string} pointer @param {FormContext} context
 * @returns {Control}
 */
export function labelled(field, pointer, context) {
  const raw = makers[field.field](field, pointer, context);
  const [id, hintID] = [uniqueId("field"), uniqueId("hint")];
  const note = h("p", { class: "finding", id: uniqueId("finding") });
  note.hidden = true;
  const own = field.isTranslatable ? textNote(pointer, context) : undefined;
  const text = field.help ?? (field.hint && t(`hint.${field.hint}`));
  const hint = text && h("p", { class: "hint", id: hintID }, text);
  const optionalID = uniqueId("optional");
  const optional = field.isOptional && !field.help &&
    h("span", { class: "optional", id: optionalID }, t("edit.optional"));
  const described = [...(optional ? [optionalID] : []), ...(hint ? [hintID] : [])];
  let element;
  // The only field of a section has the section's heading as its label.
  const isWhole = field.label.startsWith("section.");
  if (raw.isNested) {
    element = h("div", { class: "form-field" }, raw.element, note);
  } else if (raw.isGroup) {
    element = h(
      "fieldset",
      { class: "form-field" },
      h("legend", { class: isWhole && "hidden-text" }, labelOf(field), optional),
      hint,
      raw.element,
      note,
    );
  } else {
    raw.input.id = id;
    const label = h("label", { for: id }, labelOf(field));
    const isSwitch = field.field === "switch";
    element = isSwitch
      ? h("div", { class: "form-field form-switch" }, h("div", {}, raw.element, label), hint, note)
      : h(
        "div",
        { class: "form-field" },
        h("div", { class: "form-label" }, label, optional),
        hint,
        raw.element,
        own?.element,
        note,
      );
  }
  element.dataset.pointer = pointer;
  if (field.isHalf) element.classList.add("is-half");
  const made = control(raw, pointer, element, note, described);
  if (own) {
    made.update = () => {
      raw.update();
      own.update();
    };
  }
  return made;
}

/**
 * @param {Raw} raw @param {string} pointer @param {HTMLElement} element @param {HTMLElement} note
 * @param {string[]} described
 * @returns {Control}
 */
function control(raw, pointer, element, note, described) {
  // The control keeps its own description.
  const own = raw.input.getAttribute("aria-describedby")?.split(" ") ?? [];
  let isInvalid = false;
  const describe = (/** @type {string[]} */ ids) =>
    setAttribute(raw.input, "aria-describedby", [...ids, ...own].join(" ") || null);
  describe(described);
  return {
    pointer,
    element,
    update: raw.update,
    focus: () => {
      if (raw.focus) return raw.focus();
      const first = raw.isGroup ? raw.element.querySelector("summary, input, button, select, textarea") : raw.input;
      if (first instanceof HTMLElement) first.focus();
    },
    cells: () => raw.cells?.() ?? [],
    leave: () => {
      raw.leave?.();
      raw.cells?.().forEach((cell) => cell.leave?.());
    },
    tell(findings) {
      const first = findings.find(({ isWarning }) => !isWarning) ?? findings[0];
      note.hidden = !first;
      note.classList.toggle("is-warning", first?.isWarning ?? false);
      note.replaceChildren(...(first ? [icon(first.isWarning ? "warning" : "fault"), first.message] : []));
      const isFault = first !== undefined && !first.isWarning;
      if (!raw.isGroup && isFault !== isInvalid) setAttribute(raw.input, "aria-invalid", isFault ? "true" : null);
      isInvalid = isFault;
      describe(first ? [...described, note.id] : described);
    },
  };
}

/** @param {unknown} value */
const shownText = (value) =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);

/** @param {Field} field @param {string} pointer @param {FormContext} context @param {"input" | "textarea"} tag @returns {Raw} */
function textField(field, pointer, { document, suggestions }, tag) {
  const isCode = field.isCode || /(^|\/)(id|slug|namespace|url|action)$/.test(field.pointer);
  const input = h(tag, {
    class: isCode ? "field code" : "field",
    rows: tag === "textarea" ? 2 : null,
    placeholder: typeof field.default === "string" ? field.default : null,
    list: field.suggest && suggestions(field.suggest),
    autocomplete: "off",
    spellcheck: isCode ? "false" : null,
    oninput: () => document.set(pointer, typed(input.value, document.get(pointer))),
    // An empty optional text is removed when the field loses the focus, so that nothing moves during typing.
    onchange: () => field.isOptional && input.value === "" && document.remove(pointer),
  });
  const update = () => {
    const text = shownText(document.get(pointer));
    if (input.value !== text) input.value = text;
  };
  return { element: input, input, update };
}

const numberPattern = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** A typed text, or a number if the earlier value was a number. @param {string} text @param {unknown} before */
const typed = (text, before) => typeof before === "number" && numberPattern.test(text) ? Number(text) : text;

/**
 * @param {Field} field @param {string} pointer
 * @param {{document: Pick<FormContext["document"], "get" | "set" | "remove">}} context
 * @returns {Raw}
 */
function numberField(field, pointer, { document }) {
  /** @type {unknown} */
  let known = null;
  const note = h("p", { class: "hint", role: "status" });
  const { low = -Infinity, high = Infinity } = field;
  const judge = () => {
    const text = input.value.trim();
    const isInside = text === "" || (Number(text) >= low && Number(text) <= high);
    const isNumber = text === "" || numberPattern.test(text);
    note.textContent = !isNumber ? t("edit.number") : isInside ? "" : t("edit.bounds", { low, high });
  };
  const input = h("input", {
    class: "field number",
    inputmode: "decimal",
    autocomplete: "off",
    placeholder: typeof field.default === "number" ? field.default : null,
    oninput: () => {
      const text = input.value.trim();
      const isNumber = numberPattern.test(text);
      judge();
      if (text === "" && field.isOptional) document.remove(pointer);
      if (isNumber) document.set(pointer, typeof document.get(pointer) === "string" ? text : Number(text));
      known = document.get(pointer);
    },
  });
  const update = () => {
    const value = document.get(pointer);
    // A typed text that is not yet a number stays unchanged.
    if (isSame(value, known)) return;
    known = value;
    input.value = shownText(value);
    judge();
  };
  return { element: h("div", {}, input, note), input, update };
}

/** The address of the recipe's page. @param {Field} _ @param {string} __ @param {FormContext} context @returns {Raw} */
function shareField(_, __, { walk: { app, slug } }) {
  const element = share(app, slug);
  return { element, input: element, isGroup: true, update: () => {} };
}

/** @param {Field} field @param {string} pointer @param {FormContext} context @returns {Raw} */
function choiceField(field, pointer, { document }) {
  const word = (/** @type {string} */ option) => {
    if (field.wordOf) return field.wordOf(option);
    const text = t(`choice.${option}`);
    return text.startsWith("choice.") ? option : text;
  };
  const empty = typeof field.default === "string"
    ? t("edit.default", { value: word(field.default) })
    : t(field.unset ?? "edit.none");
  const select = h(
    "select",
    {
      class: "field",
      onchange: () => {
        if (field.retyped) turnInto(document, pointer, field.retyped, select.value, word(select.value));
        else document.set(pointer, select.value === "" ? undefined : select.value);
      },
    },
    field.isOptional && h("option", { value: "" }, empty),
    (field.options ?? []).map((option) => h("option", { value: option }, word(option))),
  );
  const update = () => {
    const text = shownText(document.get(pointer));
    if (![...select.options].some((/** @type {HTMLOptionElement} */ { value }) => value === text)) {
      select.append(h("option", { value: text }, text === "" ? t("edit.none") : word(text)));
    }
    select.value = text;
  };
  return { element: select, input: select, update };
}

/** @param {Field} field @param {string} pointer @param {FormContext} context @returns {Raw} */
function switchField(field, pointer, { document }) {
  const input = h("input", { type: "checkbox", onchange: () => document.set(pointer, input.checked) });
  const update = () => {
    const value = document.get(pointer);
    input.checked = typeof value === "boolean" ? value : field.default === true;
  };
  return { element: input, input, update };
}

/**
 * A day, or a time that is shown in the reader's time zone and stored in UTC.
 * @param {Field} field
 * @param {string} pointer
 * @param {FormContext} context
 * @returns {Raw}
 */
function dateField(field, pointer, { document }) {
  const isTime = (/** @type {string} */ text) => /T/.test(text) || (text === "" && !!field.hasTime);
  const input = h("input", {
    class: "field date",
    oninput: () => {
      const isLocal = input.type === "datetime-local" && input.value !== "";
      const text = isLocal ? new Date(input.value).toISOString().replace(".000Z", "Z") : input.value;
      document.set(pointer, text === "" ? undefined : text);
      known = document.get(pointer);
    },
  });
  /** @type {unknown} */
  let known = {};
  const update = () => {
    const value = document.get(pointer);
    if (isSame(value, known)) return;
    known = value;
    const text = shownText(value);
    const time = Date.parse(text);
    const isReadable = text === "" || (!Number.isNaN(time) && /^\d{4}-\d\d-\d\d(T|$)/.test(text));
    input.type = !isReadable ? "text" : isTime(text) ? "datetime-local" : "date";
    const offset = new Date(time || 0).getTimezoneOffset() * 60_000;
    input.value = isReadable && isTime(text) && text !== "" ? new Date(time - offset).toISOString().slice(0, 16) : text;
  };
  return { element: input, input, update };
}

/**
 * A value of the type that the manifest declares, or else of its current type.
 * @param {Field} field
 * @param {string} pointer
 * @param {FormContext} context
 * @returns {Raw}
 */
function valueField(field, pointer, context) {
  const place = h("div", {});
  let type = "";
  /** @type {Raw} */
  let inner = { element: place, input: place, update: () => undefined };
  const update = () => {
    const wanted = context.typeOf(pointer) ?? typeName(context.document.get(pointer));
    if (wanted !== type) {
      inner.leave?.();
      const names = ["aria-label", "id"].map((name) => [name, inner.input.getAttribute(name)]);
      type = wanted;
      const of = [{ ...field, pointer: "", label: "value" }];
      /** @type {Field} */
      const wantedField = { ...field, field: /** @type {any} */ (type), isOptional: true, of, key: "variable" };
      inner = makers[type](wantedField, pointer, context);
      for (const [name, text] of names) if (name && text) inner.input.setAttribute(name, text);
      place.replaceChildren(inner.element);
    }
    inner.update();
  };
  update();
  return {
    cells: () => inner.cells?.() ?? [],
    leave: () => inner.leave?.(),
    element: place,
    get input() {
      return inner.input;
    },
    update,
    get isGroup() {
      return inner.isGroup;
    },
  };
}

/** @param {unknown} value */
function typeName(value) {
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "switch";
  if (Array.isArray(value)) return "json";
  return typeof value === "object" && value !== null ? "map" : "text";
}

/**
 * A value that the form cannot edit: an excerpt, and a button that opens the JSON text.
 * @param {Field} _
 * @param {string} pointer
 * @param {FormContext} context
 * @returns {Raw}
 */
function jsonField(_, pointer, { document, openJSON }) {
  const excerpt = h("code", { class: "excerpt" });
  const edit = button(t("edit.asjson"), "pencil", () => openJSON(pointer), "quiet");
  const update = () => {
    const value = document.get(pointer);
    const text = value === undefined ? "" : JSON.stringify(value);
    excerpt.textContent = text.length > 120 ? `${text.slice(0, 120)}…` : text || t("edit.absent");
  };
  return { element: h("div", { class: "json-field" }, excerpt, edit), input: edit, isGroup: true, update };
}
