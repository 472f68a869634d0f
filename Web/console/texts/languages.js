// The languages other than English. Each has a module for the shell, and one for each page with its own texts:
// `de_review.js` next to `en_review.js`. A test compares them.

/** @typedef {() => Promise<{default: Record<string, string>}>} LoadTexts */

/** @type {Record<string, Record<string, LoadTexts>>} The loaders of texts, by language and then by page. */
export const languages = {
  de: {
    shell: () => import("./de.js"),
    access: () => import("./de_access.js"),
    answers: () => import("./de_answers.js"),
    begin: () => import("./de_begin.js"),
    changes: () => import("./de_changes.js"),
    conditions: () => import("./de_conditions.js"),
    editor: () => import("./de_editor.js"),
    explain: () => import("./de_explain.js"),
    findings: () => import("./de_findings.js"),
    goals: () => import("./de_goals.js"),
    keys: () => import("./de_keys.js"),
    questions: () => import("./de_questions.js"),
    responses: () => import("./de_responses.js"),
    results: () => import("./de_results.js"),
    review: () => import("./de_review.js"),
    run: () => import("./de_run.js"),
    texts: () => import("./de_texts.js"),
  },
};
