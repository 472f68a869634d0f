// The response of explain as a tree of gates. Closed gates are expanded; each shows the values that it reads, and the
// changes that would open it.

import { sectionHead } from "../elements/parts.js";
import { icon } from "../icons.js";
import * as recipes from "../recipes.js";
import { exactly, list, t } from "../texts.js";
import { h } from "../../shared/dom.js";
import { eventOf, suggestions } from "./explain-question.js";
import { gateWords, shown, told, valueWords } from "./explain-words.js";

/**
 * @typedef {import("./explain-question.js").Supposition} Supposition
 * @typedef {{app: string, all: recipes.Recipe[], surface: string,
 *   suppose: (one: {sort: Supposition["sort"], name: string, value?: string}) => void, at: (time: string) => void}} Of
 */

/** @param {API.Explanation} answer @param {Of} of @returns {string} */
export function verdict({ selected, messages }, of) {
  if (!of.surface) return "";
  const chosen = messages.find(({ key }) => key === selected);
  if (chosen) return t("explain.shown", { name: nameOf(chosen.key, of) });
  const control = messages.find(({ reason }) => reason === "control");
  if (control) return t("explain.control", { name: nameOf(control.key, of) });
  const own = messages.filter(({ reason }) => reason !== "wrong_surface");
  if (own.length === 0) return t("explain.nothing.none", { surface: of.surface });
  const [closest] = own.toSorted((left, right) => closedOf(left) - closedOf(right));
  return `${t("explain.nothing")} ${t("explain.closest", { name: nameOf(closest.key, of), count: closedOf(closest) })}`;
}

/**
 * The number of closed gates. Each trigger and each exclusion counts separately, as in the tree.
 * @param {API.ExplainedMessage} message
 */
function closedOf({ gates, triggers, exclusions, blocked_by: blockers }) {
  const others = gates.filter(({ gate, holds }) => !holds && gate !== "triggers" && gate !== "exclusions");
  const conditions = [
    ...triggers.filter(({ value }) => value !== true),
    ...exclusions.filter(({ value }) => value !== false),
    ...blockers.filter(({ gate }) => gate === "launches" || gate === "malformed"),
  ];
  return others.length + conditions.length;
}

/** The name of a message: the recipe's name if it is the recipe's only message. @param {string} key @param {Of} of */
function nameOf(key, { all }) {
  const recipe = all.find(({ keys }) => keys.includes(key));
  return recipe?.keys.length === 1 ? recipes.nameOf(recipe) : key;
}

/** @param {API.Explanation} answer @param {Of} of @returns {any[]} */
export function tree(answer, of) {
  const { messages, enrollments, not_served: unserved, feature } = answer;
  const isOwn = (/** @type {API.ExplainedMessage} */ { reason }) => reason !== "wrong_surface";
  const others = messages.filter((message) => !isOwn(message));
  return [
    feature && featureOf(feature, of),
    of.surface &&
    section(
      t("explain.messages"),
      messages.filter(isOwn).map((message) => messageNode(message, of)),
    ),
    section(
      t("explain.enrollments"),
      enrollments.map((enrollment) => enrollmentNode(enrollment, of)),
      t("explain.enrollments.none"),
    ),
    others.length > 0 &&
    folded(t("explain.elsewhere"), others.map((message) => messageNode(message, of, false))),
    unserved.length > 0 &&
    folded(t("explain.notserved"), unserved.map((one) => unservedNode(one, of))),
  ];
}

/** @param {string} title @param {any[]} nodes @param {string} [none] */
const section = (title, nodes, none = "—") =>
  h(
    "section",
    {},
    sectionHead(title, nodes.length),
    h(
      "div",
      { class: "panel" },
      nodes.length > 0 ? h("ul", { class: "gates" }, nodes) : h("p", { class: "empty" }, none),
    ),
  );

/** @param {string} title @param {any[]} nodes */
const folded = (title, nodes) =>
  h(
    "details",
    { class: "panel folded" },
    h("summary", {}, title, " ", h("span", { class: "muted" }, nodes.length)),
    h("ul", { class: "gates" }, nodes),
  );

/** @param {boolean | null} holds */
const mark = (holds) =>
  h(
    "span",
    { class: holds ? "gate-mark is-open" : "gate-mark is-closed" },
    icon(holds ? "check" : "close"),
    h("span", { class: "hidden-text" }, t(holds ? "explain.open" : "explain.closed")),
  );

/** @param {boolean} holds @param {any} head @param {any[]} children @param {boolean} [isOpen] */
function node(holds, head, children, isOpen = !holds) {
  const inner = children.flat().filter(Boolean);
  if (inner.length === 0) {
    return h("li", { class: "gate" }, h("div", { class: "gate-line" }, mark(holds), h("span", {}, head)));
  }
  return h(
    "li",
    { class: "gate" },
    h(
      "details",
      { open: isOpen },
      h("summary", { class: "gate-line" }, mark(holds), h("span", {}, head)),
      h("ul", {}, inner),
    ),
  );
}

/** @param {any} content @param {any[]} [actions] */
const leaf = (content, actions = []) => h("li", { class: "gate-leaf" }, h("span", {}, content), actions);

/** @param {string} label @param {() => void} run */
const act = (label, run) => h("button", { type: "button", class: "button quiet", onclick: run }, label);

/** @param {API.ExplainedMessage} message @param {Of} of @param {boolean} [isOpen] */
function messageNode(message, of, isOpen) {
  const recipe = of.all.find(({ keys }) => keys.includes(message.key));
  const name = nameOf(message.key, of);
  const head = [
    h("bdi", {}, name),
    " ",
    h(
      "span",
      { class: "muted" },
      t(`reason.${message.reason}`),
      message.priority === null ? "" : ` · ${t("explain.priority", message)}`,
      name === message.key ? "" : [" · ", h("bdi", { class: "code" }, message.key)],
    ),
  ];
  const gates = message.malformed
    ? [node(false, [t("gate.malformed"), ": ", message.malformed], [])]
    : message.gates.flatMap((gate) => gateNodes(gate, message, of));
  if (recipe) gates.push(recipeLeaf(recipe, of));
  return node(message.eligible, head, gates, isOpen ?? (!message.eligible && message.reason !== "wrong_surface"));
}

/**
 * The line with the link to the recipe, because a summary must not contain a link.
 * @param {recipes.Recipe} recipe
 * @param {Of} of
 * @param {any[]} [acts]
 */
const recipeLeaf = (recipe, of, acts = []) =>
  leaf(
    h("a", { href: recipes.recipeLink(of.app, recipe.slug) }, t("explain.recipe", { name: recipes.nameOf(recipe) })),
    acts,
  );

/** @param {API.Gate} gate @param {API.ExplainedMessage} message @param {Of} of */
function gateNodes(gate, message, of) {
  if (gate.gate === "triggers") return triggerNodes(gate, message, of);
  if (gate.gate === "exclusions") {
    return message.exclusions.map((one) => triggerNode(one, gate, "exclusion", of));
  }
  return [
    node(
      gate.holds,
      gateWords(gate),
      (gate.blocked_by ?? []).map((blocker) => blockerLeaf(blocker, gate, message, of)),
    ),
  ];
}

/** @param {API.Gate} gate @param {API.ExplainedMessage} message @param {Of} of */
function triggerNodes(gate, message, of) {
  const launches = (gate.blocked_by ?? []).find((blocker) => blocker.gate === "launches");
  return [
    ...message.triggers.map((one) => triggerNode(one, gate, "trigger", of)),
    launches &&
    node(false, t("gate.launches", told(launches.wanted)), [leaf(t("gate.launches", told(launches.values)))]),
  ].filter(Boolean);
}

/** @param {API.Condition} trigger @param {API.Gate} gate @param {"trigger" | "exclusion"} sort @param {Of} of */
function triggerNode({ name, expression, value, error }, gate, sort, of) {
  const holds = !error && value === (sort === "trigger");
  const blockers = (gate.blocked_by ?? []).filter((blocker) => blocker.gate === sort && blocker.trigger === name);
  const head = [h("bdi", {}, name), " ", h("code", { class: "muted" }, expression)];
  return node(holds, head, [
    error && leaf(error.message),
    ...blockers.map((blocker) => partLeaves(blocker, expression, sort === "trigger", of)),
  ]);
}

/**
 * A part of an expression, with the values that it reads.
 * @param {API.Blocker} part
 * @param {string} whole
 * @param {boolean} isWanted
 * @param {Of} of
 */
function partLeaves(part, whole, isWanted, of) {
  const { values = {}, undefined: unknown = [], expression } = part;
  const words = [
    ...Object.entries(values).map(([name, value]) =>
      t("explain.is", { name: eventOf(name) ?? name, value: shown(value) })
    ),
    ...unknown.map((/** @type {string} */ name) => t("explain.unknown", { name })),
  ];
  const own = expression && expression !== whole
    ? [t(isWanted ? "explain.part" : "explain.part.not", { expression }), " · "]
    : [];
  const fault = part.error && part.error.kind !== "undefinedIdentifier" ? [" · ", part.error.message] : [];
  const acts = isWanted
    ? suggestions(part).map((one) => act(supposeWords(one), () => of.suppose(one)))
    : openActs(part, of);
  return [leaf([own, h("bdi", {}, list(words)), fault], acts)];
}

/** @param {API.Blocker} part @param {Of} of */
const openActs = (part, of) =>
  suggestions({ values: part.values, undefined: part.undefined }).map(({ sort, name }) =>
    act(t("explain.suppose"), () => of.suppose({ sort, name }))
  );

/** @param {{sort: string, value?: string}} one */
function supposeWords({ sort, value }) {
  if (value === undefined) return t("explain.suppose");
  return sort === "event" ? t("explain.suppose.event", { count: value }) : t("explain.suppose.attribute", { value });
}

/**
 * The blocker of any other gate, without the values that the gate already shows.
 * @param {API.Blocker} blocker
 * @param {API.Gate} own the gate
 * @param {API.ExplainedMessage} message
 * @param {Of} of
 */
function blockerLeaf({ gate, values }, own, message, of) {
  const words = Object.entries(values).filter(([name]) => !(name in own.values)).map(([name, value]) =>
    valueWords(gate, name, value)
  );
  const acts = [
    ["display_cap", "interaction", "display_limit", "cooldown"].includes(gate) &&
    act(t("explain.suppose.display"), () => of.suppose({ sort: "display", name: message.key, value: "0" })),
    typeof values.until === "string" && act(t("explain.suppose.time"), () => of.at(values.until)),
  ].filter(Boolean);
  return leaf(list(words), acts);
}

/** A Nimbus name in words; an error has its own text. @param {"status" | "reason"} sort @param {string} name */
function word(sort, name) {
  const text = t(`enrollment.${sort}.${name}`);
  return text.startsWith("enrollment.") ? name : text;
}

/** @param {API.ExplainedEnrollment} enrollment @param {Of} of */
function enrollmentNode({ slug, status, reason, branch, conflict_slug: conflict, gates = [] }, of) {
  const recipe = of.all.find((recipe) => recipe.slug === slug);
  const facts = [word("status", status), reason && word("reason", reason), branch, conflict].filter(Boolean)
    .join(" · ");
  const isIn = status === "Enrolled";
  const head = [
    h("bdi", {}, recipe ? recipes.nameOf(recipe) : slug),
    " ",
    h("span", { class: "muted" }, facts),
  ];
  const others = (recipe?.branches ?? []).filter((one) => one !== branch);
  const acts = [
    ...others.map((one) =>
      act(t("explain.suppose.in", { branch: one }), () => of.suppose({ sort: "branch", name: slug, value: one }))
    ),
    isIn && others.length > 0 &&
    act(t("explain.suppose.out"), () => of.suppose({ sort: "branch", name: slug, value: "" })),
  ].filter(Boolean);
  return node(isIn, head, [
    ...gates.map((gate) => enrollmentGate(gate, of)),
    recipe && recipeLeaf(recipe, of, acts),
  ], !isIn);
}

/** @param {API.Gate} gate @param {Of} of */
function enrollmentGate({ gate, holds, values, error, blocked_by: blockers = [] }, of) {
  const words = told({ ...values, last: (values.start ?? 0) + (values.count ?? 0) - 1 });
  const head = gate === "targeting"
    ? [t("gate.targeting"), " ", h("code", { class: "muted" }, values.expression ?? t("gate.any"))]
    : t(`gate.${gate}`, { bucket: "–", ...words });
  return node(holds, head, [
    error && leaf(error),
    ...(holds ? [] : blockers.map((part) => partLeaves(part, values.expression, true, of))),
  ]);
}

/** @param {API.Explanation["not_served"][0]} one @param {Of} of */
function unservedNode({ slug, reason, date, guard }, of) {
  const recipe = of.all.find((recipe) => recipe.slug === slug);
  const head = [
    h("a", { href: recipes.recipeLink(of.app, slug) }, recipe ? recipes.nameOf(recipe) : slug),
    " ",
    h(
      "span",
      { class: "muted" },
      [t(`state.${reason}`), date && exactly(new Date(date)), guard && `${guard.goal}, ${guard.branch}`]
        .filter(Boolean).join(" · "),
    ),
  ];
  return node(false, head, []);
}

/** @param {API.ExplainedFeature} feature @param {Of} of */
function featureOf({ id, flags, recipes: holders }, of) {
  const line = (/** @type {API.ExplainedFeature["flags"][0]} */ { key, value, reason, recipe, variant }) =>
    h(
      "li",
      { class: "gate-line" },
      h(
        "bdi",
        {},
        t("explain.feature.value", {
          key,
          value: value === undefined ? t("explain.feature.novalue") : JSON.stringify(value),
        }),
      ),
      " ",
      h(
        "span",
        { class: "muted" },
        t("explain.feature.by", { reason, origin: [recipe, variant].filter(Boolean).join(" ") }),
      ),
    );
  return [
    h(
      "section",
      {},
      sectionHead(t("explain.feature", { name: id })),
      h("div", { class: "panel" }, h("ul", { class: "gates" }, flags.map(line))),
    ),
    section(t("explain.recipes"), holders.map((holder) => enrollmentNode(holder, of))),
  ];
}
