// The part of a preview that replaces the daemon's routes for respondents. After each action, the daemon plays a flow
// from its start by its own rules, and stores nothing. The stand-in also replaces hooks and chats
// (docs/reference/http-api.md#simulation).

/** @typedef {{status: number, body: any}} Answer */
/** The function that plays the document: `{actions, chats, locale, attributes, context, now}` of a flow, `{answers, attributes}` of a survey. @typedef {(question: any) => Promise<Answer>} Play */

/** The codes of faults that the state of the run causes, not the answer. */
const conflicts = new Set(["wrong_step", "run_ended", "not_allowed"]);
/** The maximum characters of a picture. A longer picture is replaced by a small one. */
const pictureLength = 2_000;
const picture =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const done = { status: 200, body: {} };

export class StandIn {
  /**
   * @param {Play} play
   * @param {{now?: string, findPlaces?: (query: any) => Promise<Answer>}} [options] `now`: the start of the play
   */
  constructor(play, { now, findPlaces } = {}) {
    const none = () => ({ status: 0, body: null });
    /** @type {Play} */
    this.play = (question) => play(question).catch(none);
    this.findPlaces = async (/** @type {any} */ query) => findPlaces?.(query).catch(none);
    this.began = Date.now();
    this.now = now ? Date.parse(now) : this.began;
    /** The stand-in's behaviour for hooks and chats: `proceed`, `block` or `fail`. */
    this.hook = "proceed";
    /** The facts of the run, which every response of the daemon depends on. @type {any} */
    this.facts = {};
    /** @type {any[]} */
    this.actions = [];
    /** The run in the last response. @type {any} */
    this.run = undefined;
    /** The settings that a browser would keep. @type {Map<string, string>} */
    this.settings = new Map();
    this.queue = {
      /** @param {string} path @param {any} body */
      add: (path, body) => ({ outcome: this.post(path, body).then((answer) => ({ state: "answered", ...answer })) }),
      waiting: async () => undefined,
      flush: async () => undefined,
      close: async () => undefined,
    };
  }

  /** @param {string} path @param {any} [query] @returns {Promise<Answer>} */
  async get(path, query) {
    if (path === "locations") {
      return await this.findPlaces(query) ?? { status: 200, body: { data: { suggestions: [] } } };
    }
    return path.startsWith("runs/") && this.run ? { status: 200, body: this.run } : { status: 404, body: null };
  }

  /** @param {string} path @param {any} body @returns {Promise<Answer>} */
  async post(path, body) {
    if (/^flows\/[^/]+\/runs$/.test(path)) return this.#start(body);
    if (/^(questionnaires|surveys)\//.test(path)) return await this.#judge(path, body);
    const [, what] = /^runs\/[^/]+\/(advance|chat|reveal)$/.exec(path) ?? [];
    const { step_id, action, response, host, text, quick_reply_id, rating } = body ?? {};
    switch (what) {
      case "advance":
        return await this.#take({ step_id, action, response: this.#small(response), host });
      case "chat":
        return await this.#take({ step_id, chat: { text, quick_reply_id, rating } });
      case "reveal":
        return await this.#take({ step_id, action: "reveal" });
      default:
        return done;
    }
  }

  /**
   * The questions that a questionnaire or survey shows, and the faults of a submission.
   * @param {string} path
   * @param {any} body
   */
  async #judge(path, { answers, attributes, is_complete: isComplete }) {
    if (!answers || (isComplete === false && path.endsWith("/responses"))) return done;
    const answer = await this.play({ answers, attributes, now: new Date(this.now).toISOString() });
    if (answer.status !== 200 || path.endsWith("/evaluate")) return answer;
    const { errors } = answer.body;
    return errors.length > 0 ? { status: 422, body: { errors } } : done;
  }

  /** @param {any} body */
  #start({ locale, attributes, context }) {
    this.facts = { locale, attributes, context, now: new Date(this.now).toISOString(), chats: true };
    this.actions = [];
    return this.#ask([]);
  }

  /** @param {any} action */
  #take(action) {
    const at = new Date(this.now + Date.now() - this.began).toISOString();
    return this.#ask([...this.actions, { ...action, hook: this.hook, at }]);
  }

  /**
   * Plays the actions. A refused action is not stored, and is not played again.
   * @param {any[]} actions
   * @returns {Promise<Answer>}
   */
  async #ask(actions) {
    const answer = await this.play({ ...this.facts, actions });
    const last = answer.status === 200 ? answer.body.runs.at(-1) : undefined;
    if (!last) return answer;
    if (last.errors) {
      const isConflict = conflicts.has(last.errors[0]?.code);
      return isConflict
        ? { status: 409, body: { errors: last.errors, run: this.run } }
        : { status: 422, body: { errors: last.errors } };
    }
    this.actions = actions;
    const known = { run_id: "preview", revision: 1 };
    this.run = { ...last.run ?? last, ...known };
    return { status: 200, body: last.run ? { ...last, run: this.run } : this.run };
  }

  /** @param {any} response */
  #small(response) {
    const isLong = (/** @type {unknown} */ value) =>
      typeof value === "string" && value.startsWith("data:") && value.length > pictureLength;
    return response &&
      Object.fromEntries(Object.entries(response).map(([id, value]) => [id, isLong(value) ? picture : value]));
  }
}
