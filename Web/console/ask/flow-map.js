// The map of a flow: its steps in one column, each with its rules in words. Lines show the jumps of the rules.

import { address, itemsOf } from "../forms/items.js";
import { icon } from "../icons.js";
import { h, svg } from "../../shared/dom.js";
import { t } from "../texts.js";
import { groupInWords } from "./condition-words.js";
import { dialects } from "./dialects.js";
import { drawing } from "./drawings.js";
import { leadsOf, linesOf } from "./flow-graph.js";
import { asksOf, stepName, subjectsFor } from "./subjects.js";
import { Walk } from "./walk.js";

/**
 * @typedef {import("../forms/findings.js").Finding} Finding
 * @typedef {import("./flow-graph.js").Edge} Edge
 */

const laneWidth = 14;

export class FlowMap {
  /** @param {import("../forms/fields.js").FormContext} context @param {import("../forms/sections.js").Place} place */
  constructor(context, place) {
    this.section = place.section;
    this.context = context;
    this.leads = leadsOf(context.document.get(""));
    this.list = itemsOf(place, context, (pointer) => context.open(pointer), {
      cells: (/** @type {string} */ pointer) => [this.stepCell(pointer)],
      hasMenu: true,
    });
    this.walk = new Walk(context, () => this.light());
    this.forward = svg("svg", { class: "flow-lanes is-forward", "aria-hidden": "true" });
    this.backward = svg("svg", { class: "flow-lanes is-backward", "aria-hidden": "true" });
    this.end = h("p", { class: "flow-end" }, icon("check"), t("flow.end"));
    this.body = h("div", { class: "flow-body panel" }, this.backward, this.forward, this.list.element, this.end);
    this.list.element.insertBefore(this.end, this.list.element.lastChild);
    this.element = h("div", { class: "flow-map" }, this.walk.element, this.body);
    this.observer = new ResizeObserver(() => this.drawLines());
    this.observer.observe(this.body);
  }

  leave() {
    this.observer.disconnect();
    this.walk.leave();
  }

  update() {
    const { document } = this.context;
    this.leads = leadsOf(document.get(""));
    this.list.update();
    this.walk.changed();
    this.light();
  }

  /** @param {Finding[]} findings */
  tell(findings) {
    this.list.cells.forEach((cell) => /** @type {any} */ (cell).say(findings));
  }

  /** @private @param {string} pointer the pointer of a step */
  stepCell(pointer) {
    const { document, nameOf } = this.context;
    const place = Number(pointer.slice(pointer.lastIndexOf("/") + 1));
    const picture = h("span", { class: "flow-picture" });
    const link = h("a", { href: address(pointer) });
    const about = h("span", { class: "muted" });
    const visits = h("span", { class: "flow-visits" });
    const rules = h("ul", { class: "flow-rules" });
    const note = h("p", { class: "finding" });
    let shown = "";
    const update = () => {
      const step = document.get(pointer);
      const sentences = this.sentences(place);
      const shape = JSON.stringify([step, sentences]);
      if (shape === shown) return;
      shown = shape;
      const { type = "", id = "" } = step ?? {};
      picture.replaceChildren(drawing(String(type)));
      link.textContent = nameOf(stepName(step)) || t("list.nth", { place: place + 1 });
      about.textContent = [this.section.typeName?.(type), countOf(step), id].filter(Boolean).join(" · ");
      rules.replaceChildren(...sentences.map((sentence) => this.ruleLine(sentence)));
    };
    note.hidden = true;
    return {
      element: h(
        "div",
        { class: "flow-step" },
        h("span", { class: "flow-number", "aria-hidden": "true" }, place + 1),
        picture,
        h("div", { class: "flow-name" }, link, about, visits),
        rules,
        note,
      ),
      update,
      say: (/** @type {Finding[]} */ findings) => say(note, findings, pointer),
    };
  }

  /**
   * The sentences below a step; empty if it only leads to the next step.
   * @private
   * @param {number} place
   * @returns {{edge: Edge, text: string}[]}
   */
  sentences(place) {
    const { document, vocabulary, nameOf } = this.context;
    const leads = this.leads[place];
    if (!leads || leads.edges.length < 2) return [];
    const subjects = subjectsFor("rules", document.get(""), `/steps/${place}`, vocabulary)
      .map((subject) => ({ ...subject, label: nameOf(subject.label) }));
    return leads.edges.map((edge) => {
      if (edge.rule === undefined) return { edge, text: t("flow.else") };
      const rule = JSON.parse(JSON.stringify(document.get(`${leads.pointer}/${edge.rule}`) ?? {}));
      const words = groupInWords(dialects.rules.read(rule), subjects);
      return { edge, text: words === "" ? t("flow.always") : t("flow.if", { what: words }) };
    });
  }

  /** @private @param {{edge: Edge, text: string}} sentence */
  ruleLine({ edge, text }) {
    const { to, via, target } = edge;
    const steps = /** @type {any[]} */ (this.context.document.get("/steps"));
    const name = to === undefined ? t("flow.nowhere.to", { target }) : to === "end" ? t("flow.end") : undefined;
    const end = name ?? h("a", { href: address(`/steps/${to}`) }, this.context.nameOf(stepName(steps[Number(to)])));
    return h(
      "li",
      { class: to === undefined ? "is-nowhere" : "", "data-rule": edge.rule ?? "else", "data-to": to ?? "" },
      text,
      " ",
      h("span", { class: "flow-arrow", "aria-hidden": "true" }, "→"),
      h("span", { class: "hidden-text" }, t("flow.to")),
      " ",
      via.filter((node) => node !== target || to !== "end").map((
        node,
      ) => [h("span", { class: "flow-node" }, `◇ ${node}`), " → "]),
      end,
    );
  }

  // The steps and values of a walk so far.

  /** @private */
  light() {
    const { visits, taken, current } = this.walk;
    [...this.list.body.children].forEach((row, place) => {
      const times = visits.get(place) ?? 0;
      row.classList.toggle("is-walked", times > 0);
      row.classList.toggle("is-here", current === place);
      const note = row.querySelector(".flow-visits");
      if (note) {
        note.textContent = times === 0 ? "" : t(current === place ? "flow.here" : "flow.visited", { count: times });
      }
      for (const line of row.querySelectorAll(".flow-rules li")) {
        const rule = line.getAttribute("data-rule") ?? "";
        line.classList.toggle("is-taken", taken.has(`${place} ${rule}`));
      }
    });
    this.end.classList.toggle("is-walked", current === "end");
    this.drawLines();
  }

  /** @private */
  drawLines() {
    const { lines, forward, backward } = linesOf(this.leads);
    const box = this.body.getBoundingClientRect();
    const rows = [...this.list.body.children];
    const middle = (/** @type {Element | null | undefined} */ element, from = 0) => {
      const inner = element?.getBoundingClientRect();
      return inner ? inner.top - box.top + (from || inner.height / 2) : 0;
    };
    const draw = (/** @type {SVGElement} */ picture, /** @type {boolean} */ isBack, /** @type {number} */ lanes) => {
      const width = lanes === 0 ? 0 : lanes * laneWidth + 6;
      this.body.style.setProperty(isBack ? "--lanes-start" : "--lanes-end", `${width}px`);
      picture.setAttribute("width", String(width));
      picture.setAttribute("height", String(box.height));
      picture.replaceChildren(
        ...lines.filter((line) => line.isBack === isBack).flatMap((line) => {
          const from = middle(rows[line.from]?.querySelector(`[data-rule="${line.rule}"]`));
          const to = line.to >= rows.length ? middle(this.end) : middle(rows[line.to], 18);
          const isTaken = this.walk.taken.has(`${line.from} ${line.rule}`);
          return lineOf(from, to, (line.lane + 1) * laneWidth, isTaken);
        }),
      );
    };
    draw(this.forward, false, forward);
    draw(this.backward, true, backward);
  }
}

/**
 * The path of a line: out to its lane, along the lane, and back, with an arrowhead.
 * @param {number} from
 * @param {number} to
 * @param {number} x
 * @param {boolean} isTaken
 */
function lineOf(from, to, x, isTaken) {
  const turn = to > from ? 6 : -6;
  const name = isTaken ? "is-taken" : undefined;
  return [
    svg("path", {
      class: name,
      d: `M0 ${from}H${x - 6}q6 0 6 ${turn}V${to - turn}q0 ${turn} -6 ${turn}H2`,
    }),
    svg("path", { class: name, d: `M6 ${to - 4}l-5 4l5 4` }),
  ];
}

/** The count of a step's questions. @param {any} step */
function countOf(step) {
  if (step?.type !== "form") return "";
  return t("flow.fields", { count: asksOf(step).length });
}

/** Shows the first finding of a step. @param {HTMLElement} note @param {Finding[]} findings @param {string} pointer */
function say(note, findings, pointer) {
  const own = findings.filter((finding) => finding.pointer === pointer || finding.pointer.startsWith(`${pointer}/`));
  const first = own.find(({ isWarning }) => !isWarning) ?? own[0];
  note.hidden = !first;
  note.classList.toggle("is-warning", first?.isWarning ?? false);
  note.replaceChildren(...(first ? [icon(first.isWarning ? "warning" : "fault"), first.message] : []));
}
