// The review of a draft, in this order: what people will see of it, its changes, the daemon's findings, the clients it
// reaches, when it goes live and who puts it live, and at the end its JSON.

import { consult, get, path, Problem, readText, write, writeText } from "../api.js";
import { AppTexts } from "../ask/app-texts.js";
import { difference } from "../document/difference.js";
import { JSONDocument } from "../document/document.js";
import { sentenceOf } from "../elements/expression.js";
import { button, sectionHead, status, time } from "../elements/parts.js";
import { toast } from "../elements/toast.js";
import { findingsOf } from "../forms/findings.js";
import { icon } from "../icons.js";
import { changeLine, placeInWords } from "../language/changes.js";
import { setPageKeys } from "../keys.js";
import * as recipes from "../recipes.js";
import { can, refusal, session } from "../session.js";
import { addTexts, later, t } from "../texts.js";
import questionTexts from "../texts/en_questions.js";
import reviewTexts from "../texts/en_review.js";
import { isRun, kindNamed } from "../kinds.js";
import { h, setAttribute, uniqueId } from "../../shared/dom.js";
import { correctionWords, sizeWords } from "./forecast-words.js";
import { discard, sendBack } from "./review-actions.js";
import { reviewContent } from "./review-content.js";
import { dateFields } from "./review-dates.js";
import { checkList, rivals, sentBackNote, stayChoice, texts } from "./review-parts.js";
import { segmentsRead } from "./review-segments.js";

addTexts(questionTexts);
addTexts(reviewTexts);

/**
 * @typedef {import("../recipes.js").Recipe} Recipe
 * @typedef {{text: string, etag: string}} Stored
 * @typedef {import("../forms/findings.js").Finding} Finding
 */

/** @param {import("../router.js").Context} context @param {import("../main.js").Shell} shell @returns {Promise<import("../router.js").View>} */
export async function review(context, shell) {
  const { app, slug } = context.parameters;
  const { signal } = context;
  const all = await recipes.reload(app, signal);
  const recipe = all.find((other) => other.slug === slug);
  if (!recipe) throw new Problem(404, { detail: t("recipe.gone", { slug, app }) });
  const address = path("apps", app, "recipes", slug);
  const earlier = context.query.get("revision");
  const [live, draft, newest, facts] = await Promise.all([
    recipe.in_force ? readText(`${address}?state=live`, signal) : undefined,
    recipe.draft ? readText(`${address}?state=draft`, signal) : undefined,
    earlier ? readText(`${address}/revisions/${encodeURIComponent(earlier)}`, signal) : undefined,
    get(path("apps", app, "manifest"), { signal }).then(
      async (manifest) => ({
        names: await AppTexts.load(app, manifest, signal),
        triggers: manifest.messaging?.triggers,
      }),
      () => undefined,
    ),
  ]);
  const nameOf = (/** @type {string} */ id) => facts?.names?.textOf(id);
  const page = new ReviewPage({
    app,
    recipe,
    all,
    address,
    live,
    coming: newest ?? draft,
    earlier,
    nameOf,
    triggers: facts?.triggers,
    shell,
    signal,
  });
  page.start();
  setPageKeys({});
  return { element: page.element, title: `${recipes.nameOf(recipe)} · ${t("review.title")}` };
}

/** Whether a draft is put live by somebody else than its author: everywhere, or for who may only review. */
const needsApproval = () => isRule() || !can("publish");
const isRule = () => !!session().settings?.require_approval;

class ReviewPage {
  /**
   * @param {{app: string, recipe: Recipe, all: Recipe[], address: string, live: Stored | undefined,
   *   coming: Stored | undefined, earlier: string | null, nameOf: (id: string) => string | undefined, triggers?: Record<string, unknown>, shell: import("../main.js").Shell, signal: AbortSignal}} options
   *   `earlier` is the revision to restore; `triggers` are those of the manifest
   */
  constructor(options) {
    this.options = options;
    this.document = new JSONDocument(options.coming?.text ?? options.live?.text ?? "{}");
    /** @type {Finding[] | undefined} */
    this.findings = undefined;
    this.isBusy = false;
    this.changes = h("section", {});
    this.raw = h("section", {});
    this.checks = h("section", {});
    this.reach = h("p", { class: "empty" }, t("review.asking"));
    this.size = h("div", { class: "panel", hidden: true });
    this.problem = h("div", { class: "notices" });
    this.staysPaused = options.recipe.state === "paused" && !needsApproval();
    /** The idempotency key of the publish, so that a repetition creates no second revision. */
    this.key = crypto.randomUUID();
  }

  get isOwnDraft() {
    const { recipe, earlier } = this.options;
    return !earlier && recipe.draft?.author === session().name && needsApproval();
  }

  /** Whether the person may put it live, apart from what is in the way at the moment. */
  get mayPut() {
    return can("publish") || (can("review") && !this.options.earlier);
  }

  get hasEnded() {
    return this.options.recipe.state === "ended";
  }

  /** Whether there is a document to publish. */
  get isSomething() {
    return this.options.coming !== undefined;
  }

  start() {
    const { app, recipe, earlier } = this.options;
    this.publish = button(this.label(), "check", () => void this.put(), "primary");
    this.why = h("span", { class: "muted", id: uniqueId("why") });
    this.publish.setAttribute("aria-describedby", this.why.id);
    this.element = h(
      "div",
      { class: "review" },
      h(
        "div",
        { class: "page-head" },
        h("h1", { tabindex: "-1" }, t(earlier ? "review.back" : "review.of", { name: recipes.nameOf(recipe) })),
        h(
          "div",
          { class: "page-facts" },
          recipe.in_force
            ? status(recipes.shownState(recipe), `${t(`state.${recipes.shownState(recipe)}`)} r${recipe.in_force}`)
            : status("draft"),
          earlier ? h("span", {}, t("review.from", { revision: earlier })) : this.author(),
          h("div", { class: "actions" }, this.actions(), this.why, this.isSomething && this.mayPut && this.publish),
        ),
      ),
      this.problem,
      recipe.sent_back && !earlier && sentBackNote(recipe.sent_back),
      this.isSomething ? this.body() : h("p", { class: "panel empty" }, t("review.nothing"), " ", this.editLink(app)),
    );
    if (!this.isSomething) return;
    void this.check();
    if (kindNamed(recipe.kind).enrolls) void this.sizes();
  }

  /** Adds the form of how many clients a goal takes. @private */
  async sizes() {
    const { app, signal } = this.options;
    const { sizeForm } = await later(() => import("./size.js"), "goals");
    this.size.replaceChildren(sizeForm(app, this.document.get("") ?? {}, signal));
    this.size.hidden = false;
  }

  /** @private */
  body() {
    const { app, recipe, all, signal } = this.options;
    const content = reviewContent({ app, slug: recipe.slug, document: this.document, signal });
    this.content = content;
    this.showChanges();
    this.tell();
    const section = (/** @type {string} */ title, /** @type {(Node | null)[]} */ ...content) =>
      h("section", {}, sectionHead(t(title)), h("div", { class: "panel" }, content));
    const beside = (/** @type {(Node | null)[]} */ left, /** @type {(Node | null)[]} */ right) =>
      h("div", { class: "recipe-grid" }, h("div", { class: "stack" }, left), h("div", { class: "stack" }, right));
    return h(
      "div",
      { class: "stack" },
      beside([content.words, content.questions], [content.preview]),
      beside([this.changes, segmentsRead({ app, all, document: this.document, signal }), this.checks], [
        section("review.reach", this.reach),
        this.size,
        rivals(this.options),
        section("review.when", this.when(), this.stay()),
        section("review.who", h("p", {}, this.who())),
      ]),
      this.raw,
    );
  }

  /** @private A second person can only resume: a publish that stays paused would be a draft again. */
  stay() {
    return needsApproval() ? null : stayChoice(this.options, (stays) => this.staysPaused = stays);
  }

  /** @private */
  label() {
    const { recipe, earlier } = this.options;
    if (earlier) return t("review.bring");
    if (this.isOwnDraft) return t("review.waits");
    if (isRule()) return t("review.approve");
    return t(recipe.in_force && can("publish") ? "review.publish" : "review.first");
  }

  /** @private */
  author() {
    const { draft } = this.options.recipe;
    return draft ? h("span", { class: "muted" }, t("review.draft", draft), " ", time(draft.at)) : null;
  }

  /** @private @param {string} app */
  editLink(app) {
    const { recipe } = this.options;
    return h("a", { href: recipes.recipeLink(app, recipe.slug, "edit") }, t("action.edit"));
  }

  /** @private */
  actions() {
    const { app, recipe, earlier } = this.options;
    if (!this.mayPut || recipe.read_only) return null;
    const isOthers = recipe.draft && recipe.draft.author !== session().name;
    const back = isOthers && button(t("review.sendback"), "undo", () => void sendBack(this.options));
    const drop = button(
      t("review.discard"),
      "trash",
      () => void discard(this.options, (error) => this.tellProblem(error)),
      "danger",
    );
    if (!can("publish")) return isOthers ? [back, drop] : null;
    const edit = this.hasEnded
      ? h("a", { class: "button", href: recipes.copyLink(app, recipe.slug) }, icon("copy"), t("recipe.copy"))
      : h(
        "a",
        { class: "button", href: recipes.recipeLink(app, recipe.slug, "edit") },
        icon("pencil"),
        t("action.edit"),
      );
    return earlier || !recipe.draft ? [edit] : [edit, back, drop];
  }

  /** @private */
  who() {
    const { recipe, earlier } = this.options;
    if (!this.mayPut) return refusal(earlier ? "publish" : "review");
    if (!needsApproval()) return t("review.who.one");
    if (earlier) return t("review.who.back");
    return t(this.isOwnDraft ? "review.who.own" : "review.who.other", { author: recipe.draft?.author ?? "" });
  }

  // The changes.

  /** @private */
  showChanges() {
    const { live, app, recipe, nameOf, triggers } = this.options;
    const value = this.document.get("");
    const before = live && JSON.parse(live.text);
    const changes = live ? difference(before, value) : [];
    const link = (/** @type {string} */ pointer) =>
      `${recipes.recipeLink(app, recipe.slug, "edit")}?at=${encodeURIComponent(pointer)}`;
    const content = !live
      ? h("p", {}, t("review.new"))
      : changes.length === 0
      ? h("p", { class: "empty" }, t("history.same"))
      : h(
        "ul",
        { class: "changes" },
        changes.map((change) => changeLine(change, value, before, { link, textOf: nameOf, triggers })),
      );
    this.changes.replaceChildren(
      sectionHead(t("review.changes"), changes.length),
      h("div", { class: "panel" }, content),
    );
    const raw = h("details", { class: "review-json" }, h("summary", {}, t("change.json")), texts(live, this.document));
    this.raw.replaceChildren(h("div", { class: "panel" }, raw));
  }

  // The daemon's findings.

  /** @private */
  async check() {
    const { app, recipe, signal } = this.options;
    const query = `?slug=${encodeURIComponent(recipe.slug)}`;
    const ask = (/** @type {string} */ verb) =>
      consult(path("apps", app, "recipes", verb) + query, this.document.text, signal);
    try {
      const { warnings, notes = [] } = await ask("validate");
      this.findings = findingsOf({ warnings: [...warnings, ...notes] });
    } catch (error) {
      if (signal.aborted) return;
      const body = error instanceof Problem && error.status === 422 ? error.body : undefined;
      this.findings = body ? findingsOf(body) : [];
      if (!body) this.tellProblem(error);
    }
    this.showChecks();
    this.tell();
    if (this.hasEnded) return this.reach.replaceChildren(t("recipe.over"));
    try {
      const forecast = await ask("forecast");
      this.reach.className = "";
      this.reach.textContent = [reachOf(forecast, recipe), correctionWords(forecast.correction)].filter(Boolean).join(
        " ",
      );
    } catch {
      if (!signal.aborted) this.reach.textContent = t("review.noreach");
    }
  }

  /** @private */
  get faults() {
    return (this.findings ?? []).filter(({ isWarning }) => !isWarning);
  }

  /** @private */
  showChecks() {
    const value = this.document.get("");
    const placeOf = (/** @type {string} */ pointer) => placeInWords(pointer, value, this.options.nameOf);
    this.checks.replaceChildren(...checkList(this.options, this.findings ?? [], placeOf));
  }

  // The dates.

  /** @private */
  when() {
    const { earlier } = this.options;
    // A date that the second person chooses would make a draft of their own, which they cannot approve.
    const isReader = earlier !== null || needsApproval();
    return dateFields(this.document, isReader, () => {
      this.key = crypto.randomUUID();
      this.showChanges();
      void this.content?.update();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.check(), 300);
    });
  }

  // The publish.

  /** @private The reason why the draft cannot be published now; empty if it can. */
  obstacle() {
    if (!this.mayPut) return t("review.scope");
    if (this.options.recipe.read_only) return t("recipe.file");
    if (this.hasEnded) return t("review.ended");
    if (this.isOwnDraft) return t("review.second");
    if (this.findings === undefined) return t("review.asking");
    return this.faults.length > 0 ? t("review.faults", { count: this.faults.length }) : "";
  }

  /** @private */
  tell() {
    const obstacle = this.obstacle();
    if (!this.publish || !this.why) return;
    this.publish.setAttribute("aria-disabled", String(obstacle !== "" || this.isBusy));
    setAttribute(this.publish, "aria-busy", this.isBusy ? "true" : null);
    this.why.textContent = this.isBusy ? "" : obstacle;
  }

  /** @private */
  async put() {
    if (this.isBusy || this.obstacle() !== "") return;
    const { recipe, app, shell } = this.options;
    this.isBusy = true;
    this.problem.replaceChildren();
    this.tell();
    const slow = setTimeout(() => this.why && (this.why.textContent = t("review.slow")), 3000);
    try {
      const answer = await this.send();
      toast(t("review.done", { name: recipes.nameOf(recipe), revision: answer.revision }));
      recipes.changed(app);
      shell.go(recipes.recipeLink(app, recipe.slug));
    } catch (error) {
      this.tellProblem(error);
    } finally {
      clearTimeout(slow);
      this.isBusy = false;
      this.tell();
    }
  }

  /** @private @returns {Promise<any>} */
  async send() {
    const { recipe, address, earlier, coming } = this.options;
    const key = (/** @type {string} */ step) => ({ "Idempotency-Key": `${this.key}-${step}` });
    if (earlier) return write("POST", `${address}/rollback`, { revision: Number(earlier) }, key("back"));
    const { text } = this.document;
    if (recipe.state === "paused" && this.staysPaused) {
      /** @type {Record<string, string>} */
      const match = coming?.etag ? { "If-Match": coming.etag } : {};
      return (await writeText("PUT", address, text, { ...match, ...key("paused") })).body;
    }
    let revision = recipe.draft?.revision;
    if (coming && text !== coming.text) {
      // The dates that were chosen here are part of the published draft.
      const saved = await writeText("PUT", `${address}?state=draft`, text, { "If-Match": coming.etag, ...key("save") });
      revision = saved.body.revision;
      this.options.coming = { text, etag: saved.etag };
    }
    return write("POST", `${address}/state`, { state: "live", revision }, key("live"));
  }

  /** @private @param {unknown} error */
  tellProblem(error) {
    if (error instanceof Problem && error.status === 422) {
      this.findings = findingsOf(error.body);
      this.showChecks();
      return this.tell();
    }
    const isMoved = error instanceof Problem && error.status === 412;
    const words = isMoved ? t("review.moved") : recipes.sentence(error);
    const again = isMoved && button(t("review.reload"), "redo", () => this.options.shell.go(location.href));
    this.problem.replaceChildren(
      h(
        "div",
        { class: "notice is-fault", role: "alert" },
        icon("fault"),
        h("p", {}, words, " ", t("review.safe")),
        again,
      ),
    );
  }
}

/**
 * Whom a recipe reaches. Without a message no poll tells it: respondents come by a link, or the recipe sets features.
 * @param {any} forecast
 * @param {import("../recipes.js").Recipe} recipe
 */
function reachOf(forecast, { kind }) {
  if (forecast.gate) return t("review.gate", { gate: forecast.gate });
  if (forecast.size) return Object.values(sizeWords(forecast.size)).flat().join(" ");
  if (forecast.messages.length > 0) return sentenceOf(forecast, "eligible");
  return isRun(kind) ? t("review.link") : sentenceOf(forecast, "enrolled");
}
