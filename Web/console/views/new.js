// A new recipe: its kind and its name, or a copy of another. This browser stores it until its first save.

import { kindNamed, kindNames } from "../kinds.js";
import { get, path, readText } from "../api.js";
import { draftKey, keep } from "../document/drafts.js";
import { JSONDocument } from "../document/document.js";
import { isSlug, slugOf } from "../document/slug.js";
import { button, sectionHead } from "../elements/parts.js";
import { templateCards } from "../elements/template-cards.js";
import { blank, kindOf } from "../forms/kinds.js";
import { kindIcon } from "../icons.js";
import { setPageKeys } from "../keys.js";
import * as recipes from "../recipes.js";
import { demand } from "../session.js";
import { h, setAttribute } from "../../shared/dom.js";
import { t } from "../texts.js";

/** @param {import("../router.js").Context} context @param {import("../main.js").Shell} shell @returns {Promise<import("../router.js").View>} */
export async function newRecipe(context, shell) {
  demand("publish");
  const { app } = context.parameters;
  const from = context.query.get("from");
  const [all, manifest, copied] = await Promise.all([
    recipes.reload(app, context.signal),
    get(path("apps", app, "manifest"), { signal: context.signal }).catch(() => ({})),
    from ? readText(path("apps", app, "recipes", from), context.signal) : undefined,
  ]);
  const slugs = all.map(({ slug }) => slug);
  const page = new NewPage(slugs, from, async (kind, slug, name) => {
    const text = copied
      ? copyOf(copied.text, slug, name)
      : JSON.stringify(blank(kind, slug, name, manifest), null, 2) + "\n";
    await keep(draftKey(app, slug), {
      text,
      base: "",
      etag: "",
      at: Date.now(),
      slug: slug === slugOf(name, kindNamed(kind).isNamed) ? undefined : slug,
    });
    shell.go(recipes.recipeLink(app, slug, "edit") + (copied ? "" : firstPlace(kind, slug)));
  });
  const wanted = copied ? kindOf(JSON.parse(copied.text)) : context.query.get("kind") ?? "";
  setPageKeys(undefined);
  page.choose(kindNames.includes(wanted) ? wanted : "questionnaire");
  if (!from) page.element.append(sectionHead(t("template.or")), templateCards(app, shell.go));
  return {
    element: page.element,
    title: from ? t("new.copy", { name: from }) : t("new.title"),
    focus: () => page.focus(from !== null || kindNames.includes(wanted)),
  };
}

/**
 * The place that opens first: the only question of a new questionnaire or survey, the text of a new message.
 * @param {string} kind
 * @param {string} slug
 */
function firstPlace(kind, slug) {
  const places = { questionnaire: "/schema/questions/0", survey: "/questions/0", messages: `/messages/${slug}/text` };
  const at = Reflect.get(places, kind);
  return at ? `?at=${at}` : "";
}

/**
 * The text of a copy: a new slug and name, and everything else unchanged.
 * @param {string} text
 * @param {string} slug
 * @param {string} name
 */
function copyOf(text, slug, name) {
  const document = new JSONDocument(text);
  if (document.get("/slug") !== undefined) document.set("/slug", slug);
  document.set(document.get("/kind") === undefined ? "/userFacingName" : "/name", name);
  return document.text;
}

class NewPage {
  /**
   * @param {string[]} taken the existing slugs
   * @param {string | null} from the slug of the recipe to copy
   * @param {(kind: string, slug: string, name: string) => Promise<void>} create
   */
  constructor(taken, from, create) {
    this.taken = taken;
    this.create = create;
    this.name = h("input", {
      class: "field",
      id: "new-name",
      autocomplete: "off",
      required: true,
      oninput: () => this.named(),
    });
    this.slug = h("input", {
      class: "field code",
      id: "new-slug",
      autocomplete: "off",
      spellcheck: "false",
      "aria-describedby": "new-slug-hint new-finding",
      oninput: () => this.isOwn = true,
    });
    this.isOwn = false;
    this.finding = h("p", { class: "finding", id: "new-finding", role: "alert" });
    const rename = () => this.named();
    this.kinds = h(
      "fieldset",
      { class: "kinds", onchange: rename },
      h("legend", {}, t("new.kind")),
      kindNames.map(kindCard),
    );
    this.kinds.hidden = from !== null;
    this.element = this.draw(from);
  }

  /** @private @param {string | null} from @returns {HTMLElement} */
  draw(from) {
    const field = (/** @type {string} */ key, /** @type {HTMLElement} */ input, /** @type {unknown} */ hint) =>
      h("div", { class: "form-field" }, h("label", { for: input.id }, t(key)), hint, input);
    const start = button(t("new.do"), "pencil", () => undefined, "primary");
    start.type = "submit";
    const title = from ? t("new.copy", { name: from }) : t("new.title");
    const send = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.submit();
    };
    return h(
      "form",
      { class: "new-recipe", novalidate: true, onsubmit: send },
      h("div", { class: "page-head" }, h("h1", { tabindex: "-1" }, title)),
      this.kinds,
      h(
        "div",
        { class: "panel new-names" },
        field("new.name", this.name, null),
        field("new.slug", this.slug, h("p", { class: "hint", id: "new-slug-hint" }, t("new.slug.hint"))),
        this.finding,
        h("div", {}, start),
      ),
    );
  }

  /** Focuses the name if the kind is known, or else the kind. @param {boolean} isKnown */
  focus(isKnown) {
    (isKnown ? this.name : this.kinds.querySelector("input:checked")).focus();
  }

  /** @param {string} kind */
  choose(kind) {
    this.kinds.querySelector(`input[value=${kind}]`).checked = true;
  }

  /** @private @returns {string} */
  get kind() {
    return this.kinds.querySelector("input:checked").value;
  }

  named() {
    if (this.isOwn) return;
    this.slug.value = slugOf(this.name.value, kindNamed(this.kind).isNamed);
  }

  submit() {
    const [name, slug] = [this.name.value.trim(), this.slug.value.trim()];
    const { isNamed } = kindNamed(this.kind);
    const problem = name === ""
      ? "new.noname"
      : !isSlug(slug, isNamed)
      ? isNamed ? "new.nosegment" : "new.noslug"
      : this.taken.includes(slug)
      ? "new.taken"
      : "";
    this.finding.textContent = problem && t(problem, { slug });
    setAttribute(this.name, "aria-invalid", problem === "new.noname" ? "true" : null);
    setAttribute(this.slug, "aria-invalid", problem && problem !== "new.noname" ? "true" : null);
    if (problem) return (problem === "new.noname" ? this.name : this.slug).focus();
    void this.create(this.kind, slug, name);
  }
}

/** @param {string} kind */
function kindCard(kind) {
  return h(
    "label",
    { class: "panel kind" },
    h("input", { type: "radio", name: "kind", value: kind }),
    kindIcon(kind),
    h("span", {}, h("strong", {}, t(`new.${kind}`)), h("small", {}, t(`new.${kind}.what`))),
  );
}
