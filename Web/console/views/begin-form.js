// The form of a new app: what it must have, and under "More" what has a default.

import { h, setAttribute } from "../../shared/dom.js";
import { slugOf } from "../document/slug.js";
import { button } from "../elements/parts.js";
import { icon } from "../icons.js";
import { faultsOf, platforms } from "../platforms.js";
import { currentLanguage, t } from "../texts.js";
import { NameRows } from "./begin-rows.js";

/** @typedef {import("../platforms.js").AppValues} AppValues */

const icons = { web: "external", ios: "app", android: "app", server: "flow" };

/** @param {string} name @param {Record<string, unknown>} [more] @returns {HTMLInputElement} */
const input = (name, more = {}) =>
  h("input", { class: "field", id: `begin-${name}`, autocomplete: "off", maxlength: 1000, ...more });

export class AppForm {
  /** @param {(values: AppValues) => Promise<void>} create */
  constructor(create) {
    this.create = create;
    this.isBusy = false;
    this.isOwn = { id: false, surfaces: false, attributes: false };
    this.inputs = {
      name: input("name", { maxlength: 128, required: true, oninput: () => this.follow() }),
      id: input("id", { class: "field code", spellcheck: "false", oninput: () => this.isOwn.id = true }),
      origins: input("origins", { spellcheck: "false", inputmode: "url" }),
      locale: input("locale", { spellcheck: "false" }),
      locales: input("locales", { spellcheck: "false" }),
      surfaces: input("surfaces", { spellcheck: "false", oninput: () => this.isOwn.surfaces = true }),
    };
    this.inputs.locale.value = currentLanguage();
    /** The element of each field's fault. @type {Record<string, HTMLElement>} */
    this.findings = Object.fromEntries(
      [...Object.keys(this.inputs), "attributes", "events"].map((name) => [
        name,
        h("p", { class: "finding", id: `begin-${name}-finding`, role: "alert", hidden: true }),
      ]),
    );
    this.attributes = new NameRows("attributes", this.findings.attributes);
    this.events = new NameRows("events", this.findings.events);
    this.attributes.element.addEventListener("input", () => this.isOwn.attributes = true);
    this.attributes.element.addEventListener("click", () => this.isOwn.attributes = true);
    this.origins = this.field("origins", true);
    this.more = this.drawMore();
    this.platforms = h(
      "fieldset",
      { class: "kinds", onchange: () => this.turn() },
      h("legend", {}, t("begin.platform")),
      Object.keys(platforms).map(platformCard),
    );
    this.platforms.querySelector("input").checked = true;
    this.start = button(t("begin.do"), "plus", () => undefined, "primary");
    this.start.type = "submit";
    this.element = this.draw();
    this.turn();
  }

  /** @private @returns {HTMLElement} */
  draw() {
    const send = (/** @type {Event} */ event) => {
      event.preventDefault();
      void this.submit();
    };
    return h(
      "form",
      { class: "new-recipe", novalidate: true, onsubmit: send },
      h("div", { class: "page-head" }, h("h1", { tabindex: "-1" }, t("begin.title"))),
      h("div", { class: "panel new-names" }, this.field("name", false), this.field("id", true)),
      this.platforms,
      h("div", { class: "panel new-names" }, this.origins, this.more, h("div", {}, this.start)),
    );
  }

  /** @private */
  drawMore() {
    return h(
      "details",
      {},
      h("summary", {}, h("strong", {}, t("begin.more"))),
      h(
        "div",
        { class: "ask" },
        this.field("locale", true),
        this.field("locales", true),
        this.field("surfaces", true),
        this.attributes.element,
        this.events.element,
      ),
    );
  }

  /** @private @param {keyof AppForm["inputs"]} name @param {boolean} hasHint */
  field(name, hasHint) {
    const control = this.inputs[name];
    const finding = this.findings[name];
    const hint = hasHint && h("p", { class: "hint", id: `begin-${name}-hint` }, t(`begin.${name}.hint`));
    control.setAttribute("aria-describedby", hint ? `${hint.id} ${finding.id}` : finding.id);
    return h(
      "div",
      { class: "form-field" },
      h("label", { for: control.id }, t(`begin.${name}`)),
      hint,
      control,
      finding,
    );
  }

  /** The id follows the name until somebody types another one. @private */
  follow() {
    if (!this.isOwn.id) this.inputs.id.value = slugOf(this.inputs.name.value);
  }

  /** @private @returns {string} */
  get platform() {
    return this.platforms.querySelector("input:checked").value;
  }

  /** What nobody has changed follows the platform. @private */
  turn() {
    const { surfaces, attributes, isWeb } = platforms[this.platform];
    if (!this.isOwn.surfaces) this.inputs.surfaces.value = surfaces.join(" ");
    if (!this.isOwn.attributes) this.attributes.set(attributes);
    this.origins.hidden = !isWeb;
  }

  /** @returns {AppValues} */
  get values() {
    const { name, id, origins, locale, locales, surfaces } = this.inputs;
    return {
      name: name.value,
      id: id.value.trim(),
      platform: this.platform,
      origins: origins.value,
      locale: locale.value,
      locales: locales.value,
      surfaces: surfaces.value,
      attributes: this.attributes.values,
      events: this.events.values.map(([event]) => event),
    };
  }

  /** @private */
  async submit() {
    if (this.isBusy) return;
    const { values } = this;
    const faults = faultsOf(values);
    this.tell(Object.fromEntries(Object.entries(faults).map(([field, key]) => [field, t(key)])));
    if (Object.keys(faults).length > 0) return;
    this.isBusy = true;
    this.start.setAttribute("aria-busy", "true");
    try {
      await this.create(values);
    } finally {
      this.isBusy = false;
      this.start.removeAttribute("aria-busy");
    }
  }

  /** Shows faults beside their fields, and leads to the first of them. @param {Record<string, string>} faults */
  tell(faults) {
    for (const [name, finding] of Object.entries(this.findings)) {
      finding.hidden = !faults[name];
      finding.replaceChildren(...(faults[name] ? [icon("fault"), faults[name]] : []));
      const control = Reflect.get(this.inputs, name);
      if (control) setAttribute(control, "aria-invalid", faults[name] ? "true" : null);
    }
    const first = Object.keys(this.findings).find((name) => faults[name]);
    if (!first) return;
    if (this.more.contains(this.findings[first])) this.more.open = true;
    const rows = first === "attributes" ? this.attributes : this.events;
    (Reflect.get(this.inputs, first) ?? rows.rows[0]?.name ?? rows.more).focus();
  }
}

/** @param {string} name */
function platformCard(name) {
  return h(
    "label",
    { class: "panel kind" },
    h("input", { type: "radio", name: "platform", value: name }),
    icon(Reflect.get(icons, name)),
    h("span", {}, h("strong", {}, t(`begin.${name}`)), h("small", {}, t(`begin.${name}.what`))),
  );
}
