// The findings in a document: faults of the parser at once, the daemon's findings soon after the last key.

import { consult, path, Problem } from "../api.js";
import { position } from "../document/cst.js";
import { contains } from "../document/pointers.js";
import { findingInWords } from "../language/findings.js";
import { t } from "../texts.js";

/**
 * @typedef {{pointer: string, code: string, message: string, isWarning: boolean, at?: number, isEmpty?: boolean}} Finding
 * `at` is a place of the text; `isEmpty`: the fault of a place without a value
 */

/** The delay of the daemon's check after the last key. */
const checkMilliseconds = 120;

/** The findings of a response or of a refusal. @param {any} body @returns {Finding[]} */
export function findingsOf(body) {
  const read = (/** @type {unknown} */ list, /** @type {boolean} */ isWarning) =>
    (Array.isArray(list) ? list : []).map(({ pointer, code, message }) => ({
      pointer: String(pointer ?? ""),
      code: String(code ?? ""),
      message: findingInWords(String(code ?? ""), String(message ?? "")),
      isWarning,
    }));
  return [...read(body?.errors, false), ...read(body?.warnings, true)];
}

/** @param {import("../document/document.js").JSONDocument} document @returns {Finding[]} */
const faultsOf = (document) =>
  document.faults.map(({ start, message }) => ({
    pointer: document.pointerAt(start),
    code: "json",
    message,
    isWarning: false,
    at: start,
  }));

/** The line of a finding, from 1. @param {import("../document/document.js").JSONDocument} document @param {Finding} finding */
export function lineOf(document, finding) {
  let pointer = finding.pointer;
  let at = finding.at ?? document.positionOf(pointer)?.start;
  // A missing member has no location, so the location of its object is used.
  while (at === undefined && pointer !== "") {
    pointer = pointer.slice(0, pointer.lastIndexOf("/"));
    at = document.positionOf(pointer)?.start;
  }
  return position(document.text, at ?? 0).line;
}

/** The counts of findings, such as "1 fault, 2 warnings". @param {Finding[]} findings */
export function countOf(findings) {
  const warnings = findings.filter(({ isWarning }) => isWarning).length;
  const faults = findings.length - warnings;
  return [faults > 0 && t("edit.faults", { count: faults }), warnings > 0 && t("edit.warnings", { count: warnings })]
    .filter(Boolean).join(", ");
}

/** @param {unknown} value */
const isEmpty = (value) =>
  value === undefined || value === "" ||
  (typeof value === "object" && value !== null && Object.keys(value).length === 0);

/** The fields that a person has left. The fault of an empty field is hidden until then, or until a save is refused. */
export class Visited {
  /** @param {import("../document/document.js").JSONDocument} document */
  constructor(document) {
    this.document = document;
    /** @type {Set<string>} */
    this.left = new Set();
  }

  /** @param {string[]} pointers of fields, or of findings */
  leave(...pointers) {
    for (const pointer of pointers) this.left.add(pointer);
  }

  /** @param {Finding[]} findings @returns {Finding[]} the findings to show */
  shown(findings) {
    const wasLeft = (/** @type {string} */ pointer) => [...this.left].some((left) => contains(left, pointer));
    return findings.flatMap((finding) => {
      const { pointer, isWarning, code } = finding;
      const value = this.document.get(pointer);
      // A warning about what is absent does not ask for a text.
      if (code === "json" || (isWarning ? value !== "" : !isEmpty(value))) return [finding];
      return wasLeft(pointer) ? [{ ...finding, isEmpty: true }] : [];
    });
  }
}

/** The address that checks the document of a recipe. @param {string} app @param {string} slug */
export const checkAddress = (app, slug) =>
  `${path("apps", app, "recipes", "validate")}?slug=${encodeURIComponent(slug)}`;

/** Requests the daemon's findings for a document. */
export class Checker {
  /**
   * @param {string} app
   * @param {string} slug
   * @param {import("../document/document.js").JSONDocument} document
   * @param {() => void} tell called when the findings change
   */
  constructor(app, slug, document, tell) {
    this.address = checkAddress(app, slug);
    this.document = document;
    this.tell = tell;
    /** @type {Finding[]} The newest findings of the daemon. */
    this.found = [];
    /** @type {Problem | undefined} The reason why the daemon could not check the document. */
    this.problem = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.controller = new AbortController();
  }

  /** The findings of the parser, or the daemon's findings if the JSON is valid. @returns {Finding[]} */
  get findings() {
    return this.document.isSound ? this.found : faultsOf(this.document);
  }

  changed() {
    clearTimeout(this.timer);
    this.controller.abort();
    this.controller = new AbortController();
    if (this.document.isSound) this.timer = setTimeout(() => this.check(), checkMilliseconds);
  }

  async check() {
    const { signal } = this.controller;
    try {
      this.found = findingsOf(await consult(this.address, this.document.text, signal));
      this.problem = undefined;
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem)) return;
      const isJudged = error.status === 422 || error.status === 400;
      if (isJudged) this.found = findingsOf(error.body);
      this.problem = isJudged ? undefined : error;
    }
    if (!signal.aborted) this.tell();
  }

  stop() {
    clearTimeout(this.timer);
    this.controller.abort();
  }
}
