// Elements without markup: texts become text nodes, and attributes are set one by one. This module never reads HTML,
// evaluates code or writes a style attribute, so a page may forbid all three.

/** A node, a text, nothing (null, undefined, false), or an array of these. @typedef {any} Child */

/**
 * Makes an element. A property `on…` is a listener, and `true` is an attribute without a value. `undefined`, `null` and
 * `false` are left out. `value` and `checked` are set as properties.
 * @param {string} tag
 * @param {{[name: string]: any}} [properties]
 * @param {...Child} children
 * @returns {any}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") Reflect.set(element, name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/** @param {Node} parent @param {Child[]} children */
function append(parent, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(parent, child);
    else if (child instanceof Node) parent.appendChild(child);
    else if (child !== null && child !== undefined && child !== false) {
      parent.appendChild(document.createTextNode(String(child)));
    }
  }
}

/**
 * An SVG element.
 * @param {string} tag
 * @param {{[name: string]: any}} [properties] `undefined` is left out
 * @param {...Child} children
 * @returns {any}
 */
export function svg(tag, properties = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value !== undefined) element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

let lastId = 0;
/** The random part of ids: each part of the renderer has its own copy of this module. */
const copy = Math.random().toString(36).slice(2, 6);

/** An id that no other element of this page's widgets has. @param {string} prefix */
export function uniqueId(prefix) {
  lastId += 1;
  return `bw-${prefix}-${copy}${lastId}`;
}

/** Sets an attribute, or removes it. @param {Element} element @param {string} name @param {string | null} value */
export function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** An address that an image may have: a safe URL or a data URL. @param {unknown} text @returns {string | undefined} */
export const safeImage = (text) => typeof text === "string" && /^data:image\//i.test(text) ? text : safeUrl(text);

/**
 * An address that a link or an image may have: http, https, or a path relative to the page.
 * @param {unknown} text
 * @returns {string | undefined}
 */
export function safeUrl(text) {
  if (typeof text !== "string") return undefined;
  try {
    const url = new URL(text, document.baseURI);
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : undefined;
  } catch {
    return undefined;
  }
}
