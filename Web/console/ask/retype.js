// A question or step of another type: keys of the new type stay, others are removed and reported.

import { isObject } from "../../shared/comparison.js";

/** @typedef {{keys: Record<string, string[]>, inner?: string}} Kind `keys` are the keys of each type, below `inner` */

const years = ["min_year", "max_year", "num_years", "initial_year", "sort_order"];
const line = ["label", "input_type", "max_chars", "validations"];

/** @type {Record<string, Kind>} The kinds, by the kind of the document and the key of the type. */
const kinds = {
  questionnaire: {
    keys: {
      text: ["placeholder", "multiline"],
      single_choice: ["options"],
      multi_choice: ["options"],
      rating: ["scale", "display"],
      nps: [],
    },
  },
  survey: {
    keys: {
      single_select: ["options"],
      multi_select: ["options"],
      table_select: ["options", "table_questions"],
      segment_select: ["values", "low_tag", "high_tag"],
      year_picker: years,
      date_picker: ["date", "min_date", "max_date", "date_diff"],
      single_text_field: line,
      single_text_area: line,
      multi_text_field: ["input_type", "max_chars", "fields"],
      dynamic_label_text_field: ["label_options", "options_metadata", "input_type", "max_chars", "validations"],
      add_text_field: ["input_type", "label", "max_chars"],
    },
  },
  flow: {
    inner: "config",
    keys: {
      welcome: [],
      custom: [],
      value_prop: ["items"],
      question: ["options", "selection_mode", "display"],
      form: ["fields"],
      interactive_chat: ["chat_config"],
    },
  },
};

/** @param {any} option */
const titleOf = (option) => typeof option === "string" ? option : String(option?.title ?? "");

/**
 * The question with its options under the key and in the format of the new type.
 * @param {any} question
 * @param {string} type
 */
function converted(question, type) {
  const { options, values } = question;
  if (type === "segment_select" && Array.isArray(options) && values === undefined) {
    return { ...question, options: undefined, values: options.map(titleOf) };
  }
  const wantsOptions = ["single_select", "multi_select", "table_select"].includes(type);
  if (wantsOptions && Array.isArray(values) && options === undefined) {
    return { ...question, values: undefined, options: values };
  }
  return type === "table_select" && Array.isArray(options) ? { ...question, options: options.map(titleOf) } : question;
}

/**
 * @param {string} kind the kind of the document
 * @param {any} question
 * @param {string} key the key of the type
 * @param {string} type the new one
 * @returns {{value: any, lost: string[]}} `lost` are the removed keys
 */
export function retyped(kind, question, key, type) {
  const { keys, inner } = kinds[kind] ?? { keys: {} };
  const own = keys[type] ?? [];
  const all = new Set(Object.values(keys).flat());
  const bag = inner ? question[inner] : question;
  if (!isObject(bag)) return { value: { ...question, [key]: type }, lost: [] };
  const made = inner ? bag : converted(bag, type);
  const lost = Object.keys(made).filter((name) =>
    made[name] !== undefined && all.has(name) && !own.includes(name) && name !== key
  );
  const rest = Object.fromEntries(
    Object.entries(made).filter(([name, value]) => value !== undefined && !lost.includes(name)),
  );
  return inner
    ? { value: { ...question, [key]: type, [inner]: rest }, lost }
    : { value: { ...rest, [key]: type }, lost };
}
