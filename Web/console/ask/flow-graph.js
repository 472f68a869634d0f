// The targets of a flow's steps (docs/reference/flows.md#branching), and the lanes of the lines between them.

import { isObject } from "../../shared/comparison.js";

/**
 * @typedef {{from: number, to: number | "end" | undefined, rule: number | undefined, via: string[], target: string}} Edge
 * `to` is the index of a step; undefined if the target does not exist. `rule` is its index; undefined for the target if
 * no rule holds. `via` are the nodes on the way.
 * @typedef {{pointer: string, edges: Edge[]}} Leads `pointer` is that of the effective rules
 */

const list = (/** @type {unknown} */ value) => /** @type {any[]} */ (Array.isArray(value) ? value : []);
const prefixes = ["analytics_event_", "end_", "paywall_trigger_", "permission_", "screen_", "flow_"];

/** @param {any} rules */
const haveConditions = (rules) =>
  list(rules).some((rule) => list(rule?.conditions).length > 0 || isObject(rule?.condition));

/** Whether a node makes an event or ends the run; undefined if it is no node. @param {any} nodes @param {string} id */
function nodeKind(nodes, id) {
  const type = isObject(nodes) && Object.hasOwn(nodes, id) ? String(nodes[id]?.type ?? "") : undefined;
  const isKnown = type !== undefined &&
    (["end", "flow", "sub_flow"].includes(type) || /^(analytics_event|paywall|permission|screen)/.test(type));
  const said = isKnown ? type : prefixes.find((prefix) => id.startsWith(prefix));
  return said === undefined ? undefined : said.startsWith("analytics_event") ? "event" : "end";
}

/** @param {API.Document} document @param {string} target @returns {{to: Edge["to"], via: string[]}} */
function resolve(document, target) {
  const steps = list(document?.steps);
  /** @type {string[]} */
  const via = [];
  let name = target;
  while (name !== "" && !via.includes(name)) {
    const kind = nodeKind(document?.graph_nodes, name);
    if (kind === undefined) {
      const place = steps.findIndex((step) => step?.id === name);
      return { to: place < 0 ? undefined : place, via };
    }
    via.push(name);
    if (kind === "end") return { to: "end", via };
    name = String(document.graph_nodes?.[name]?.next_target ?? "");
  }
  return { to: undefined, via };
}

/** The effective rules of a step, and their pointer. @param {any} step @param {number} place */
function rulesOf(step, place) {
  const [own, config] = [step?.next_step_rules, step?.config?.next_step_rules];
  const isConfig = (haveConditions(config) && !haveConditions(own)) || list(own).length === 0;
  const isThere = isConfig && list(config).length > 0;
  return {
    rules: isThere ? list(config) : list(own),
    pointer: `/steps/${place}${isThere ? "/config" : ""}/next_step_rules`,
  };
}

/**
 * The edges of each step: by its rules in their order, and then the edge if no rule holds.
 * @param {API.Document} document
 * @returns {Leads[]}
 */
export function leadsOf(document) {
  const steps = list(document?.steps);
  return steps.map((step, from) => {
    const { rules, pointer } = rulesOf(step, from);
    /** @type {Edge[]} */
    const edges = rules.map((rule, place) => {
      const target = String(rule?.target_step_id ?? "");
      return { from, rule: place, target, ...resolve(document, target) };
    });
    const next = from + 1 < steps.length ? from + 1 : /** @type {const} */ ("end");
    return { pointer, edges: [...edges, { from, to: next, rule: undefined, via: [], target: "" }] };
  });
}

/**
 * @typedef {{from: number, to: number, rule: number, lane: number, isBack: boolean}} Line
 * The end is after the last step.
 */

/**
 * The lines of forward and backward jumps, each in the first lane that is free along the line.
 * @param {Leads[]} leads @returns {{lines: Line[], forward: number, backward: number}} with the numbers of lanes
 */
export function linesOf(leads) {
  const jumps = leads.flatMap(({ edges }) => edges).flatMap((edge) => {
    const to = edge.to === "end" ? leads.length : edge.to;
    if (edge.rule === undefined || to === undefined || to === edge.from + 1) return [];
    return [{ from: edge.from, to, rule: edge.rule, lane: 0, isBack: to <= edge.from }];
  });
  const assign = (/** @type {boolean} */ isBack) => {
    /** @type {[number, number][][]} */
    const lanes = [];
    const span = (/** @type {Line} */ line) => Math.abs(line.to - line.from);
    for (const line of jumps.filter((line) => line.isBack === isBack).toSorted((a, b) => span(a) - span(b))) {
      const [top, bottom] = [Math.min(line.from, line.to), Math.max(line.from, line.to)];
      const isFree = (/** @type {[number, number][]} */ lane) =>
        lane.every(([start, end]) => bottom < start || top > end);
      const found = lanes.findIndex(isFree);
      line.lane = found < 0 ? lanes.length : found;
      (lanes[line.lane] ??= []).push([top, bottom]);
    }
    return lanes.length;
  };
  return { forward: assign(false), backward: assign(true), lines: jumps };
}
