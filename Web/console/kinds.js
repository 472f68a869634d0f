// The kinds of recipes, and how they differ. The forms of kinds are in forms/kinds.js.

/**
 * @typedef {{collection: string, responses: string, end: "submitted" | "completed", hasDrafts: boolean,
 *   origins: string[]}} Run what a respondent does: the parts of the address of its responses, the step at its end,
 *   whether drafts count, and what results can be divided by
 * @typedef {{icon: string, run?: Run, isTall?: boolean, enrolls?: boolean, hasWinner?: boolean, questions?: string,
 *   typeKey?: string, hasLabels?: boolean, isRequired?: boolean,
 *   schema?: string, isNamed?: boolean}} Kind `isNamed`: recipes of other kinds read it by its slug; `isTall`: a step fills its page; `questions` is the pointer
 *   of the questions, `typeKey` the key of their types, `hasLabels`: options have labels, `isRequired`: by default, `schema`: the kind
 * whose format the recipes have
 */

/** @param {string} collection @returns {Run} */
const answers = (collection) => ({
  collection,
  responses: "responses",
  end: "submitted",
  hasDrafts: true,
  origins: [],
});

/** In the order in which new recipes are offered. @type {Record<string, Kind>} */
const kinds = {
  messages: { icon: "message" },
  questionnaire: {
    icon: "question",
    run: answers("questionnaires"),
    questions: "/schema/questions",
    typeKey: "type",
    hasLabels: true,
  },
  survey: {
    icon: "survey",
    run: answers("surveys"),
    questions: "/questions",
    typeKey: "question_type",
    isRequired: true,
  },
  flow: {
    icon: "flow",
    isTall: true,
    run: {
      collection: "flows",
      responses: "runs",
      end: "completed",
      hasDrafts: false,
      origins: ["source", "campaign", "referrer"],
    },
  },
  experiment: { icon: "flask", enrolls: true, hasWinner: true },
  rollout: { icon: "rollout", enrolls: true, schema: "experiment" },
  segment: { icon: "person", isNamed: true },
};

export const kindNames = Object.keys(kinds);

/** A kind by its name; any other name means messages. @param {string | undefined} name @returns {Kind} */
export const kindNamed = (name) => kinds[name && Object.hasOwn(kinds, name) ? name : "messages"];

/** The kind of schema for a kind of document. @param {string} name */
export const schemaOf = (name) => Object.hasOwn(kinds, name) ? kinds[name].schema ?? name : name;

/** What a respondent does with a recipe of a kind. @param {string | undefined} name */
export const runOf = (name) => kindNamed(name).run;

/** Whether a document says its kind. @param {string | undefined} name */
export const isDeclared = (name) => isRun(name) || kindNamed(name).isNamed === true;

/** Whether people respond to recipes of a kind. @param {string | undefined} name */
export const isRun = (name) => runOf(name) !== undefined;
