// The fault of an answer, as the daemon reports it (docs/reference/surveys.md#faults-of-answers). This module finds
// only the faults that the controls of a page allow; the daemon finds the others.
import { characters } from "./characters.js";
import { areEqual, isObject } from "./comparison.js";
import { greater, greaterOrEqual, less, lessOrEqual } from "./conditions/tests.js";

/** @typedef {import("./problems.js").Fault} Fault */

/** @type {{[name: string]: (text: string, operand: any) => boolean}} */
const operations = {
  equals: (text, operand) => areEqual("auto", text, operand),
  "not equals": (text, operand) => !areEqual("auto", text, operand),
};
for (
  const [name, order] of Object.entries({
    "greater than": greater,
    "greater than or equal to": greaterOrEqual,
    "less than": less,
    "less than or equal to": lessOrEqual,
  })
) operations[name] = (text, operand) => order(text, operand, {}, {});

/**
 * The first rule that one of the texts breaks.
 * @param {any} owner
 * @param {[string | undefined, string][]} texts
 * @param {any} answers
 * @returns {Fault | undefined}
 */
function brokenRule({ validations }, texts, answers) {
  for (const rule of validations ?? []) {
    const { answer_to_question_id: other, for_label: label } = rule;
    const operand = (typeof other === "string" ? answers[other] : rule.value) ?? undefined;
    for (const [of, text] of texts) {
      if (typeof label === "string" && label !== of) continue;
      if (operand === undefined || !operations[rule.operation]?.(text, operand)) {
        return { code: "rule", message: rule.on_fail_message };
      }
    }
  }
  return undefined;
}

/** @param {string} text @param {any} maximum of characters; undefined: no limit @returns {Fault | undefined} */
const tooLong = (text, maximum) =>
  characters(text).length > Number(maximum ?? Infinity)
    ? { code: "too_long", bounds: { max: Number(maximum) } }
    : undefined;

/** @param {any} answer @param {any} range @param {(text: string) => any} value */
function outside(answer, range, value) {
  const isInside = (!range?.min || value(answer) >= value(range.min)) &&
    (!range?.max || value(answer) <= value(range.max));
  return isInside ? undefined : { code: "range", bounds: { min: range.min, max: range.max } };
}

/** @type {{[type: string]: (question: API.Question, answer: any, answers: any) => Fault | undefined}} */
const types = {
  text: (_, answer) => [...answer].length > 4000 ? { code: "too_long", bounds: { max: 4000 } } : undefined,
  single_text_field: (question, answer, answers) =>
    tooLong(answer, question.max_chars) ?? brokenRule(question, [[undefined, answer]], answers),
  multi_text_field: (question, answer) =>
    question.fields.map((field) => tooLong(answer[field.label] ?? "", field.max_chars ?? question.max_chars)).find(
      Boolean,
    ),
  dynamic_label_text_field: (question, answer, answers) => brokenRule(question, Object.entries(answer), answers),
  single_select(question, answer, answers) {
    const [title, text] = Object.entries(answer)[0] ?? [];
    const other = question.options.find((option) => option.title === title);
    return text === "" || !other ? undefined : brokenRule(other, [[undefined, /** @type {string} */ (text)]], answers);
  },
  multi_select(question, answer, answers) {
    const others = question.options.filter((option) => typeof option !== "string");
    for (const [index, text] of answer.entries()) {
      if (answer.indexOf(text) < index) return { code: "duplicate" };
      if (question.options.includes(text)) continue;
      const other = others.shift();
      const fault = other && text !== "" ? brokenRule(other, [[undefined, text]], answers) : undefined;
      if (fault) return fault;
    }
    return undefined;
  },
  year_picker: (question, answer) => outside(answer, question.range, Number),
  date_picker: (question, answer) =>
    answer.length === 10 ? outside(answer, question.range, String) : { code: "pattern" },
};
types.single_text_area = types.single_text_field;

/** The checks of types whose answers are not texts. @type {{[type: string]: (answer: any) => boolean}} */
const shapes = {
  multi_select: Array.isArray,
  multi_text_field: isObject,
  dynamic_label_text_field: isObject,
  single_select: isObject,
};
/** Whether an answer has a text with NUL, at any depth. @param {any} answer @returns {boolean} */
const hasNul = (answer) =>
  typeof answer === "string"
    ? answer.includes("\0")
    : Object.entries(answer ?? {}).some(([key, value]) => key.includes("\0") || hasNul(value));

/** @param {any} answer */
const isText = (answer) => typeof answer === "string" && answer !== "";

/**
 * The first fault of an answer; undefined if this module finds none.
 * @param {API.Question} question
 * @param {any} answer
 * @param {{[id: string]: any}} answers the effective answers
 */
export function faultIn(question, answer, answers) {
  if (hasNul(answer)) return { code: "type" };
  const type = question.question_type ?? question.type;
  return (shapes[type] ?? isText)(answer) ? types[type]?.(question, answer, answers) : undefined;
}
