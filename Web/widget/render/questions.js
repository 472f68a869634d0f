// One control for each type of question, of questionnaires and of surveys (docs/reference/surveys.md#questionnaires).
import { h } from "../../shared/dom.js";
import { today } from "../../shared/numbers.js";
import { button } from "./elements.js";
import { choices, group, selectField, textField, written } from "./controls.js";

/** @typedef {import("./controls.js").Control} Control */
/** @typedef {import("./controls.js").Caption} Caption */
/** @typedef {import("../../shared/i18n.js").Texts} Texts */
/** @typedef {{question: API.Question, caption: Caption, value: any, texts: Texts, onChange: () => void}} Context */

/** @param {number} from @param {number} to */
const numbers = (from, to) =>
  Array.from(
    { length: Math.max(0, to - from + 1) },
    (_, index) => ({ value: from + index, label: String(from + index) }),
  );

/** @type {{[type: string]: (context: Context) => Control}} */
const types = {
  text: ({ question, caption, value, onChange }) =>
    textField(caption, {
      value,
      isMultiline: question.multiline,
      placeholder: question.placeholder,
      isRequired: question.required,
    }, onChange),
  single_choice: ({ question, caption, value, onChange }) =>
    choices(caption, { choices: labelledOptions(question), value, isRequired: question.required }, onChange),
  multi_choice: ({ question, caption, value, onChange }) =>
    choices(caption, { choices: labelledOptions(question), value, isMultiple: true }, onChange),
  rating: ({ question, caption, value, onChange }) =>
    choices(
      caption,
      {
        choices: numbers(1, question.scale ?? 5),
        value,
        look: question.display === "numbers" || question.scale > 5 ? "scale" : "stars",
        isRequired: question.required,
      },
      onChange,
    ),
  nps: ({ question, caption, value, texts, onChange }) =>
    choices(caption, {
      choices: numbers(0, 10),
      value,
      look: "scale",
      ends: [texts.get("npsLowLabel"), texts.get("npsHighLabel")],
      isRequired: question.required,
    }, onChange),

  single_select: ({ question, caption, value, onChange }) =>
    choices(caption, { choices: surveyOptions(question), value }, onChange),
  multi_select: ({ question, caption, value, onChange }) =>
    choices(caption, { choices: surveyOptions(question), value, isMultiple: true }, onChange),
  segment_select: ({ question, caption, value, onChange }) =>
    choices(caption, {
      choices: question.values.map((/** @type {string} */ text) => ({ value: text, label: text })),
      value,
      look: "scale",
      ends: question.low_tag || question.high_tag ? [question.low_tag ?? "", question.high_tag ?? ""] : undefined,
    }, onChange),
  year_picker: yearPicker,
  date_picker: datePicker,
  single_text_field: singleText,
  single_text_area: singleText,
  multi_text_field: multiText,
  dynamic_label_text_field: dynamicLabels,
  add_text_field: addText,
  table_select: table,
};

/** @param {API.Question} question */
const labelledOptions = (question) => question.options.map((option) => ({ value: option.id, label: option.label }));

/** @param {API.Question} question */
const surveyOptions = (question) =>
  question.options.map((option) =>
    typeof option === "string"
      ? { value: option, label: option }
      : { value: option.title, label: option.title, isFree: true, isNumber: option.type === "number" }
  );

/** @param {any} definition */
const inputMode = (definition) => definition.input_type === "number" ? "decimal" : undefined;

/** @param {Context} context */
function singleText({ question, caption, value, onChange }) {
  const isMultiline = question.question_type === "single_text_area";
  return textField(
    { ...caption, [isMultiline ? "hint" : "unit"]: question.label },
    { value, isMultiline, inputMode: inputMode(question), maximum: Number(question.max_chars) },
    onChange,
  );
}

/** @param {Context} context */
function yearPicker({ question, caption, value, texts, onChange }) {
  const years = numbers(Number(question.range.min), Number(question.range.max)).map(({ label }) => ({
    value: label,
    label,
  }));
  if (question.sort_order === "DESC") years.reverse();
  const start = value ?? question.range.initial;
  return selectField(caption, { choices: years, value: start, empty: texts.get("chooseYear") }, onChange);
}

/** @param {Context} context */
function datePicker({ question, caption, value, onChange }) {
  const { min = "", max = "", initial } = question.range ?? {};
  let start = initial ?? today();
  if (max && start > max) start = max;
  if (min && start < min) start = min;
  const control = textField(caption, { type: "date", value: value ?? start }, onChange);
  const input = /** @type {HTMLInputElement} */ (control.element.querySelector("input"));
  [input.min, input.max] = [min ?? "", max ?? ""];
  return control;
}

/**
 * Text fields with labels in one fieldset.
 * @param {Caption} caption
 * @param {{label: string, value?: string, inputMode?: string, maximum?: number}[]} fields
 * @param {() => void} onChange
 */
function labelledTexts(caption, fields, onChange) {
  const controls = fields.map((field) => textField({ title: field.label }, field, onChange));
  const frame = group(caption, [h("div", { class: "fields" }, controls.map(({ element }) => element))]);
  const read = () => Object.fromEntries(fields.map((field, index) => [field.label, controls[index].read() ?? ""]));
  return { ...frame, read };
}

/** @param {Context} context */
function multiText({ question, caption, value, onChange }) {
  const fields = question.fields.map((field) => ({
    label: field.label,
    value: value?.[field.label],
    inputMode: inputMode(field),
    maximum: Number(field.max_chars ?? question.max_chars),
  }));
  const control = labelledTexts(caption, fields, onChange);
  const read = () => {
    const texts = Object.entries(control.read()).filter(([, text]) => text !== "");
    return texts.length > 0 ? Object.fromEntries(texts) : undefined;
  };
  return { ...control, read };
}

/**
 * @typedef {object} Units of the answer to a question
 * @property {string | undefined} id questions with the same id share their units
 * @property {() => string | undefined} chosen their type, such as `metric`
 * @property {(other: Units) => void} offer takes over the units of another question until the respondent chooses here
 */

/** One of several sets of labels, such as metric and imperial units. @param {Context} context */
function dynamicLabels({ question, caption, value, texts, onChange }) {
  /** @type {string[][]} */
  const sets = question.label_options.map((/** @type {string | string[]} */ set) => Array.isArray(set) ? set : [set]);
  const known = sets.findIndex((set) => value && set.every((label) => label in value));
  let chosen = known < 0 ? question.preselected ?? 0 : known;
  let isChosen = false;
  const place = h("div", { class: "fields" });
  let control = labelledTexts({ title: "" }, [], onChange);
  const fill = (/** @type {any} */ values) => {
    control = labelledTexts(
      { title: "" },
      sets[chosen].map((label) => ({ label, value: values?.[label], inputMode: inputMode(question) })),
      onChange,
    );
    place.replaceChildren(...control.element.querySelectorAll(".fields > .question"));
  };
  fill(value);
  const options = sets.map((set, index) => ({ value: String(index), label: set.join(" + ") }));
  const units = choices(
    { title: texts.get("units"), isHidden: true },
    { choices: options, value: String(chosen), look: "joined" },
    () => {
      isChosen = true;
      chosen = Number(units.read());
      fill(undefined);
      onChange();
    },
  );
  const frame = group(caption, sets.length > 1 ? [units.element, place] : [place]);
  const read = () => {
    const answer = control.read();
    return Object.values(answer).every((text) => text === "") ? undefined : answer;
  };
  const focus = () => (place.querySelector("input"))?.focus();
  const { id, types = [] } = question.options_metadata ?? {};
  const offer = (/** @type {Units} */ other) => {
    const index = types.indexOf(other.chosen());
    if (!id || other.id !== id || isChosen || read() || index < 0 || index >= sets.length) return;
    chosen = index;
    fill(undefined);
    units.element.querySelectorAll("input")[index].checked = true;
  };
  return { ...frame, read, focus, units: { id, chosen: () => types[chosen], offer } };
}

/** Any number of texts. @param {Context} context */
function addText({ question, caption, value, texts, onChange }) {
  const list = h("div");
  const add = (/** @type {string} */ text) => {
    const input = h("input", {
      type: "text",
      inputmode: inputMode(question),
      enterkeyhint: "next",
      value: text,
      "aria-label": caption.title,
      oninput: onChange,
      part: "input",
    });
    const remove = button("×", "close", () => {
      row.remove();
      onChange();
      more.focus();
    });
    remove.setAttribute("aria-label", texts.get("removeText"));
    const row = h("div", { class: "row" }, input, remove);
    list.append(row);
    return input;
  };
  for (const text of value?.length > 0 ? value : [""]) add(text);
  const more = button(texts.get("addText"), "", () => add("").focus());
  const frame = group(caption, [list, h("p", { class: "more" }, more)]);
  const read = () => {
    const texts = Array.from(list.querySelectorAll("input"), written).filter((text) => text !== "");
    return texts.length > 0 ? texts : undefined;
  };
  return { ...frame, read };
}

/** A row of radios for each question of the table. @param {Context} context */
function table({ question, caption, value, onChange }) {
  /** @type {{id: string, inputs: HTMLInputElement[]}[]} */
  const rows = [];
  const body = question.table_questions.map((row) => {
    const name = `${row.id}-${Math.random()}`;
    const inputs = question.options.map((/** @type {string} */ option) =>
      h("input", {
        type: "radio",
        name,
        "aria-label": `${row.title}: ${option}`,
        checked: value?.[row.id] === option,
        onchange: onChange,
      })
    );
    rows.push({ id: row.id, inputs });
    const cells = inputs.map((/** @type {Node} */ input) => h("td", {}, h("span", { class: "cell" }, input)));
    return h("tr", {}, h("th", { scope: "row", class: "bidi" }, row.title), cells);
  });
  const titles = question.options.map((/** @type {string} */ option) =>
    h("th", { scope: "col", class: "bidi" }, option)
  );
  const frame = group(caption, [h("table", {}, h("thead", {}, h("tr", {}, h("td"), titles)), h("tbody", {}, body))]);
  const read = () => {
    const answered = rows.flatMap(({ id, inputs }) => {
      const index = inputs.findIndex((input) => input.checked);
      return index < 0 ? [] : [[id, question.options[index]]];
    });
    return answered.length > 0 ? Object.fromEntries(answered) : undefined;
  };
  return { ...frame, read };
}

/**
 * @param {Context} context
 * @returns {Control}
 */
export function questionControl(context) {
  const type = context.question.type ?? context.question.question_type;
  return (types[type] ?? types.text)(context);
}

/** The answer for an untouched question of a survey whose type needs no choice. @param {API.Question} question */
export function untouchedAnswer(question) {
  switch (question.question_type) {
    case "multi_select":
    case "add_text_field":
      return [];
    case "multi_text_field":
      return {};
    default:
      return undefined;
  }
}

/** Whether an answer is complete (docs/reference/surveys.md#surveys). @param {API.Question} question @param {any} answer */
export function isComplete(question, answer) {
  if (answer === undefined || answer === null || answer === "") return false;
  switch (question.question_type ?? question.type) {
    case "multi_choice":
      return answer.length > 0;
    case "text":
      return answer.trim() !== "";
    case "single_select":
      return typeof answer === "string" || Object.values(answer).every((text) => text !== "");
    case "dynamic_label_text_field":
      return Object.values(answer).every((text) => text !== "");
    case "table_select":
      return question.table_questions.every((row) => Boolean(answer[row.id]));
    default:
      return true;
  }
}
