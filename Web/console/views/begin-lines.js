// What makes an app ask the daemon: a token, and the lines for its platform.

import { h, setAttribute, uniqueId } from "../../shared/dom.js";
import { path, write } from "../api.js";
import { copied } from "../elements/copy.js";
import { button, sectionHead } from "../elements/parts.js";
import { toast } from "../elements/toast.js";
import { isPlatform, linesOf, platforms } from "../platforms.js";
import * as recipes from "../recipes.js";
import { can, session } from "../session.js";
import { t } from "../texts.js";

/** The address at which apps reach the daemon. */
const origin = () => (session().settings?.public_url ?? location.origin).replace(/\/+$/, "");

export class Connection {
  /**
   * @param {{app: string, locale: string, platform: string, hasPages: boolean,
   *   replace: (values: Record<string, string | undefined>) => void}} of `hasPages`: web pages may ask
   */
  constructor(of) {
    this.of = of;
    /** The token of each kind, once it is made. @type {{web: string, client: string}} */
    this.tokens = { web: "", client: "" };
    this.platform = of.platform;
    this.choice = h("select", {
      class: "field",
      id: "begin-platform",
      onchange: () => of.replace({ platform: this.choice.value }),
    }, Object.keys(platforms).map((name) => h("option", { value: name }, t(`begin.${name}`))));
    this.choice.value = of.platform;
    this.content = h("div", { class: "ask" });
    this.element = h(
      "section",
      {},
      sectionHead(t("start.connect")),
      h(
        "div",
        { class: "panel new-names" },
        h("div", { class: "form-field" }, h("label", { for: this.choice.id }, t("start.platform")), this.choice),
        this.content,
      ),
    );
    this.draw();
  }

  /** Shows the lines of another platform. @param {string} platform */
  turn(platform) {
    if (!isPlatform(platform) || platform === this.platform) return;
    this.platform = this.choice.value = platform;
    this.draw();
  }

  /** @private @returns {"web" | "client"} */
  get kind() {
    return platforms[this.platform].isWeb ? "web" : "client";
  }

  /** @private */
  draw() {
    const { app, locale } = this.of;
    const { kind } = this;
    const token = this.tokens[kind];
    const lines = linesOf(this.platform, { origin: origin(), app, token, locale });
    const isWeb = kind === "web";
    const docs = isWeb ? "web" : "first-hour";
    this.content.replaceChildren(...[
      ...(isWeb && !this.of.hasPages ? [noPages(app)] : []),
      this.tokenPart(),
      ...(isWeb ? [] : [copyField("start.address", origin(), 1)]),
      ...(token && !isWeb ? [copyField("start.token.label", token, 1)] : []),
      copyField(isWeb ? "start.tag" : "start.request", lines, 3, t(isWeb ? "start.tag.hint" : "start.request.hint")),
      h("p", {}, h("a", { href: `/docs/${docs}`, target: "_blank" }, t(`start.docs.${kind}`))),
    ]);
  }

  /** The button that makes the token, or who can make it. @private */
  tokenPart() {
    const { app } = this.of;
    const { kind } = this;
    if (this.tokens[kind]) return h("p", { role: "status" }, t("start.token.once"));
    if (!can("admin", app)) return h("p", {}, t("start.token.who", { scope: kind, app }));
    const make = button(t("start.token"), "key", () => void this.make(make), "primary");
    return h("div", { class: "form-field" }, h("p", {}, t(`start.token.${kind}`)), h("div", {}, make));
  }

  /** @private @param {HTMLButtonElement} make */
  async make(make) {
    if (make.ariaBusy === "true") return;
    const { kind } = this;
    make.setAttribute("aria-busy", "true");
    try {
      const body = { app: this.of.app, scope: "client", ...(kind === "web" ? { web: true } : {}) };
      this.tokens[kind] = (await write("POST", path("tokens"), body)).token;
      this.draw();
      this.content.querySelector("button")?.focus();
    } catch (error) {
      toast(recipes.sentence(error));
    } finally {
      setAttribute(make, "aria-busy", null);
    }
  }
}

/** Says that no web page may ask yet. @param {string} app */
const noPages = (app) =>
  h(
    "p",
    {},
    t("start.noorigin"),
    " ",
    can("publish") && h(
      "a",
      { href: `/console/a/${encodeURIComponent(app)}/app?at=${encodeURIComponent("/web/origins")}` },
      t("start.origins"),
    ),
  );

/** A text to copy. @param {string} key @param {string} text @param {number} rows @param {string} [hint] */
function copyField(key, text, rows, hint = "") {
  const id = uniqueId("copy");
  const field = h("textarea", { class: "field code", id, rows, readonly: true, spellcheck: "false" });
  field.value = text;
  if (hint) field.setAttribute("aria-describedby", `${id}-hint`);
  const copy = button(t("start.copy"), "copy", async () => {
    if (await copied(text)) toast(t("start.copied"));
    else field.select();
  });
  copy.setAttribute("aria-label", `${t("start.copy")}: ${t(key)}`);
  return h(
    "div",
    { class: "form-field" },
    h("label", { for: id }, t(key)),
    hint && h("p", { class: "hint", id: `${id}-hint` }, hint),
    h("div", { class: "json-field" }, field, copy),
  );
}
