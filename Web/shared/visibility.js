// The visible questions of a questionnaire or survey (docs/reference/surveys.md#which-questions-are-shown).
import { compileShowIf } from "./conditions/show_if.js";

/**
 * @param {{questions: API.Question[], hidden_answers?: string}} definition
 * @param {"keep" | "drop"} policy the default if the definition names none
 * @returns {(answers: any) => {visible: string[], answers: any}} the ids in order, and the effective answers
 */
export function compileVisibleQuestions(definition, policy) {
  const drops = (definition.hidden_answers ?? policy) === "drop";
  const always = () => true;
  const rows = definition.questions.flatMap((question) => [
    { id: question.id, parent: undefined, holds: question.show_if ? compileShowIf(question.show_if) : always },
    ...(question.sub_questions ?? []).map((below) => ({
      id: below.id,
      parent: question.id,
      holds: below.show_if ? compileShowIf(below.show_if) : always,
    })),
  ]);
  return (given) => {
    const answers = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== null && value !== undefined),
    );
    /** @type {string[]} */
    const visible = [];
    for (const { id, parent, holds } of rows) {
      const isShown = (parent === undefined || visible.includes(parent)) && holds({ answers });
      if (isShown) visible.push(id);
      else if (drops) delete answers[id];
    }
    return { visible, answers };
  };
}

/** Whether a condition has a predicate, which only the daemon can decide. @param {any} value @returns {boolean} */
export function asksPredicate(value) {
  if (Array.isArray(value)) return value.some(asksPredicate);
  if (typeof value !== "object" || value === null) return false;
  return (value.operation === "custom" && value.id === undefined) || Object.values(value).some(asksPredicate);
}
