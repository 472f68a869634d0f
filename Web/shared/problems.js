// Problem documents (RFC 9457) of the daemon, grouped by the question or field of each fault.

/**
 * @typedef {object} Fault
 * @property {string} code
 * @property {string} [pointer]
 * @property {string} [message] the daemon's or the author's words
 * @property {string} [question_id]
 * @property {string} [reason] the key of the daemon's sentence (docs/reference/flows.md#sentences)
 * @property {{[name: string]: any}} [bounds] of valid answers: `min`, `max`, `step`, `types`
 */

/** @param {string} token */
const unescape = (token) => token.replaceAll("~1", "/").replaceAll("~0", "~");

/**
 * Faults by question: `question_id`, else the second part of the pointer (`/answers/q2`, `/response/name`).
 * @param {any} problem
 * @returns {Map<string, Fault>} the first fault of each question; the key "" has a fault without a question
 */
export function faultsByField(problem) {
  const faults = new Map();
  for (const fault of Array.isArray(problem?.errors) ? problem.errors : []) {
    const path = String(fault.pointer ?? "").split("/").slice(1).map(unescape);
    const id = fault.question_id ?? path[1] ?? "";
    if (!faults.has(id)) faults.set(id, fault);
  }
  return faults;
}
