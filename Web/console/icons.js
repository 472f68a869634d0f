// Line icons of 16 px, drawn on a grid of 24.

import { kindNamed } from "./kinds.js";

/** @type {Record<string, string>} The path data of each icon. */
const paths = {
  home: "M4 11l8-7 8 7M6 9.5V20h12V9.5M10 20v-6h4v6",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12.5l4.5 4.5L19 7.5",
  warning: "M12 4l9 16H3zM12 10v4M12 17h.01",
  fault: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9 9l6 6M15 9l-6 6",
  info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5M12 8h.01",
  play: "M7 5l12 7-12 7z",
  pause: "M8 5v14M16 5v14",
  stop: "M6 6h12v12H6z",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2",
  pencil: "M4 20l1-4L16.5 4.5l3 3L8 19z",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  link:
    "M10 14a4 4 0 0 0 5.7 0l3.1-3.1a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.1 3.1a4 4 0 0 0 5.7 5.7l1.1-1.1",
  external: "M14 4h6v6M20 4l-9 9M18 13v6H5V6h6",
  message: "M4 5h16v11H9l-5 4z",
  question: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.5h.01",
  survey: "M6 4h12v16H6zM9 9h.01M9 13h.01M9 17h.01M12 9h3M12 13h3M12 17h3",
  flow: "M4 4h7v7H4zM13 13h7v7h-7zM7.5 11v3a2.5 2.5 0 0 0 2.5 2.5h3",
  flask: "M10 4v6L4.5 19a1 1 0 0 0 .9 1.5h13.2a1 1 0 0 0 .9-1.5L14 10V4M8.5 4h7M8 15h8",
  rollout: "M4 18h4v-5h4V9h4V5h4M16 20V5",
  sun:
    "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M4 12H2M22 12h-2M5 5l1.4 1.4M17.6 17.6L19 19M19 5l-1.4 1.4M6.4 17.6L5 19",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  contrast: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 3v18",
  undo: "M9 7L4 12l5 5M4 12h10a5 5 0 0 1 0 10h-2",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  redo: "M15 7l5 5-5 5M20 12H10a5 5 0 0 0 0 10h2",
  download: "M12 4v11M7 11l5 5 5-5M4 20h16",
  swap: "M7 7h13l-3-3M17 17H4l3 3",
  feature: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5",
  note: "M5 4h14v11l-5 5H5zM14 20v-5h5",
  filter: "M4 5h16l-6 7.5V19l-4-2v-4.5z",
  sort: "M8 5v14M4.5 15.5L8 19l3.5-3.5M16 19V5M12.5 8.5L16 5l3.5 3.5",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  menu: "M4 7h16M4 12h16M4 17h16",
  chevron: "M8 10l4 4 4-4",
  texts: "M4 6h9M8.5 4v2M11 6c-.7 3.5-3 6.5-6.5 8M6 9c1 2.5 3 4.5 5.5 5.5M12.5 20l4-9.5 4 9.5M14 17h5",
  health: "M3 12h4l2.5-6 4 12 2.5-6h5",
  audit: "M6 3h9l4 4v14H6zM10 11h5M10 15h5M14.5 3v4.5H19",
  key: "M9 17a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 10.5L20 4M16.5 7l2.5 2.5",
  upload: "M12 15V4M7 9l5-5 5 5M4 20h16",
  app: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  history: "M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5M12 8v4.5l3 1.8",
};

const namespace = "http://www.w3.org/2000/svg";

/**
 * An icon next to a word. It is decorative, so it is hidden from screen readers.
 * @param {string} name
 * @returns {SVGElement}
 */
export function icon(name) {
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(namespace, "path");
  path.setAttribute("d", paths[name] ?? "");
  svg.append(path);
  return svg;
}

/** The icon of a kind of recipe. @param {string} kind */
export function kindIcon(kind) {
  return icon(kindNamed(kind).icon);
}
