// One edited document: its text, the daemon's version of it, and the save.

import { path, Problem, readText, writeText } from "../api.js";
import { parse, valueOf } from "../document/cst.js";
import { JSONDocument } from "../document/document.js";
import { draftKey, Keeper } from "../document/drafts.js";
import { merge } from "../document/merge.js";
import { patched } from "../document/patch.js";
import { isSlug, renameSlug, slugFor } from "../document/slug.js";
import { kindNamed } from "../kinds.js";
import { checkAddress, Checker, findingsOf } from "./findings.js";

/**
 * @typedef {{text: string, etag: string}} Base the daemon's version; an empty tag: there is none
 * @typedef {import("../document/merge.js").Meeting} Meeting
 * @typedef {{theirs: Base, value: unknown, meetings: Meeting[]}} Merged
 * @typedef {"saved" | "refused" | "merged" | "meets" | "failed"} Outcome
 */

/** The name of the manifest among the documents that this browser stores; a slug cannot contain a space. */
export const manifestName = "the manifest";

export class Editing {
  /**
   * @param {{app: string, slug: string, base: Base, text?: string, own?: string, taken?: string[]}} what `text` is the
   *   text that this browser stored, `own` the slug that a person chose, and `taken` are the slugs of other recipes
   * @param {() => void} tell called when something other than the text has changed
   */
  constructor({ app, slug, base, text = base.text, own, taken = [] }, tell) {
    this.app = app;
    this.slug = slug;
    this.own = own;
    this.taken = taken;
    this.base = base;
    this.tell = tell;
    this.isManifest = slug === manifestName;
    this.address = this.isManifest ? path("apps", app, "manifest") : path("apps", app, "recipes", slug);
    this.document = new JSONDocument(text);
    this.checker = new Checker(app, slug, this.document, tell);
    /** @type {number | undefined} The time at which this browser stored the text. */
    this.keptAt = undefined;
    this.isStored = true;
    this.keeper = new Keeper(draftKey(app, slug), () => this.draft, (at) => {
      this.isStored = at !== undefined || !this.isChanged;
      this.keptAt = at;
      tell();
    });
    /** @type {Merged | undefined} The merge that needs a decision before the next save. */
    this.merged = undefined;
    /** @type {Problem | undefined} The reason why the last save failed. */
    this.problem = undefined;
    /** @type {{text: string, etag: string, key: string} | undefined} The save without a response. */
    this.unanswered = undefined;
    this.isSaving = false;
    /** @type {string | undefined} The state after the save: a manifest may wait for a second person. */
    this.savedState = undefined;
    this.document.subscribe(() => this.changed());
  }

  get isChanged() {
    return this.document.text !== this.base.text;
  }

  /** Whether the daemon has no version of the document. */
  get isNew() {
    return this.base.etag === "";
  }

  get draft() {
    if (!this.isChanged) return undefined;
    return { text: this.document.text, base: this.base.text, etag: this.base.etag, at: Date.now(), slug: this.own };
  }

  /** The name of the document; empty if it has none. */
  get name() {
    return String(this.document.get("/name") ?? this.document.get("/userFacingName") ?? "");
  }

  /** The slug of the first save: the chosen one, or else one that is made from the name. */
  get wantedSlug() {
    if (!this.isNew) return this.slug;
    return this.own ?? slugFor(this.slug, this.name, this.taken, this.isNamed);
  }

  /** Why the document cannot have the wanted slug, as the key of a text; empty if it can. */
  get slugFault() {
    const { wantedSlug: wanted, isNamed } = this;
    if (!this.isNew) return "";
    if (!isSlug(wanted, isNamed)) return isNamed ? "new.nosegment" : "new.noslug";
    return this.taken.includes(wanted) ? "new.taken" : "";
  }

  /** Whether expressions read the recipe by its slug. @private */
  get isNamed() {
    return kindNamed(this.document.get("/kind")).isNamed === true;
  }

  /** @param {string} slug the slug that a person chose; empty: it is made from the name */
  choose(slug) {
    this.own = slug === "" ? undefined : slug;
    this.keeper.changed();
    this.tell();
  }

  /** Gives a new document its wanted slug. @private */
  rename() {
    const wanted = this.wantedSlug;
    if (wanted === this.slug) return;
    renameSlug(this.document, this.slug, wanted);
    this.slug = wanted;
    this.address = path("apps", this.app, "recipes", wanted);
    this.checker.address = checkAddress(this.app, wanted);
  }

  changed() {
    this.keeper.changed();
    // Only a save checks the manifest, and its findings are valid until the next change.
    if (this.isManifest) this.checker.found = [];
    else this.checker.changed();
  }

  /** @returns {Promise<Outcome>} */
  async save() {
    this.rename();
    const text = this.document.text;
    const { etag } = this.base;
    const isAgain = this.unanswered?.text === text && this.unanswered.etag === etag;
    const key = isAgain && this.unanswered ? this.unanswered.key : crypto.randomUUID();
    this.unanswered = { text, etag, key };
    this.isSaving = true;
    this.problem = undefined;
    this.tell();
    try {
      /** @type {Record<string, string>} */
      const condition = etag === "" ? { "If-None-Match": "*" } : { "If-Match": etag };
      const address = this.isManifest ? this.address : `${this.address}?state=draft`;
      const answer = await writeText("PUT", address, text, { ...condition, "Idempotency-Key": key });
      this.base = { text, etag: answer.etag };
      this.unanswered = undefined;
      this.savedState = answer.body?.state;
      this.checker.found = findingsOf(answer.body);
      this.keeper.changed();
      await this.keeper.flush();
      return "saved";
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return await this.failed(error);
    } finally {
      this.isSaving = false;
      this.tell();
    }
  }

  /** @private @param {Problem} problem @returns {Promise<Outcome>} */
  async failed(problem) {
    if (problem.status === 412) {
      try {
        return await this.meet();
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        problem = error;
      }
    }
    this.problem = problem;
    if (!problem.isPassing) this.unanswered = undefined;
    if (problem.status !== 422) return "failed";
    this.checker.found = findingsOf(problem.body);
    return "refused";
  }

  /** Merges the version that another author has saved meanwhile. @private @returns {Promise<Outcome>} */
  async meet() {
    const theirs = await readText(this.address).catch((error) => {
      if (error instanceof Problem && error.status === 404) return { text: "", etag: "" };
      throw error;
    });
    if (theirs.etag === "") {
      this.base = theirs;
      return "merged";
    }
    const [base, mine, other] = [this.base.text, this.document.text, theirs.text].map(read);
    const { value, meetings } = merge(base, mine, other);
    this.merged = { theirs, value, meetings };
    if (meetings.length > 0) return "meets";
    this.take(value);
    return "merged";
  }

  /** Continues with a merged value, based on the daemon's current version. @param {unknown} value */
  take(value) {
    if (!this.merged) return;
    this.base = this.merged.theirs;
    this.merged = undefined;
    this.document.replaceText(patched(this.document.text, value));
    this.keeper.changed();
    this.tell();
  }

  /** Returns to the daemon's version. Undo reverts that. */
  discard() {
    this.document.replaceText(this.base.text);
  }

  async leave() {
    this.checker.stop();
    await this.keeper.flush();
  }
}

/** @param {string} text */
const read = (text) => valueOf(parse(text).root);
