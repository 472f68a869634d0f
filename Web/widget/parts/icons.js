// Drawings for the names of a phone's icons, such as `homeLarge` (docs/reference/messaging.md#icons). They are
// loaded for a microsurvey that names one. PhoneIcon.swift lists the same names, and a test compares the lists.
import { svg } from "../../shared/dom.js";

const circle = "M12 3a9 9 0 1 1 0 18a9 9 0 0 1 0-18z";
const shield = "M12 3l8 3v6c0 5-3.5 8-8 9.5c-4.5-1.5-8-4.5-8-9.5V6z";
const page = "M6 3h8l4 4v14H6z";
const star = "M12 3.5l2.6 5.3 5.9.9-4.3 4.1 1 5.8-5.2-2.8-5.2 2.8 1-5.8-4.3-4.1 5.9-.9z";

/** The lines of each drawing, on 24 by 24 units. @type {{[name: string]: string}} */
export const drawings = {
  addToHomescreen: "M7 2.5h10v19H7zM12 8v7M8.5 11.5h7",
  appMenu: "M4 7h16M4 12h16M4 17h16",
  appendUpLeft: "M8 5v8h11M4.5 8.5L8 5l3.5 3.5",
  arrowClockwise: "M19 12a7 7 0 1 1-2-5l2.5 2.5M19.5 5v4.5H15",
  avatar: `${circle}M12 6.5a3 3 0 1 1 0 6a3 3 0 0 1 0-6zM6.5 18.5c1-2.5 3-3.5 5.5-3.5s4.5 1 5.5 3.5`,
  back: "M20 12H4M10 6l-6 6 6 6",
  bookmark: "M6 3.5h12V21l-6-4.5L6 21z",
  checkmark: "M4.5 12.5l5 5L19.5 7",
  chevronDown: "M5 9l7 7 7-7",
  chevronLeft: "M15 5l-7 7 7 7",
  chevronRight: "M9 5l7 7-7 7",
  chevronUp: "M5 15l7-7 7 7",
  clipboard: "M9 5H6v16h12V5h-3M9 3h6v4H9zM9 12h6M9 16h6",
  cloud: "M7 18.5a4.5 4.5 0 0 1-.5-9a6 6 0 0 1 11.3 1.5a3.8 3.8 0 0 1-.8 7.5z",
  competitiveness: "M4 20V12h4v8M10 20V5h4v15M16 20v-6h4v6M3 20h18",
  cookies: `${circle}M9 9v.1M15 10v.1M10 15v.1M15 15.5v.1`,
  creditCard: "M3 5.5h18v13H3zM3 10h18M6.5 14.5h4",
  critical: `${circle}M12 7.5v6M12 16.5v.1`,
  cross: "M5 5l14 14M19 5L5 19",
  dataClearance: "M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11l4 6M14 11l-4 6",
  delete: "M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6M14 11v6",
  deviceDesktop: "M3 4.5h18v12H3zM8.5 20h7M12 16.5V20",
  deviceMobile: "M7 2.5h10v19H7zM11 18.5h2",
  deviceTablet: "M4.5 3h15v18h-15zM11 18h2",
  download: "M12 3v12M6.5 10l5.5 5.5 5.5-5.5M4 20.5h16",
  edit: "M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19zM13.5 7l3.5 3.5",
  ellipsis: "M5.5 12v.1M12 12v.1M18.5 12v.1",
  externalLink: "M13 4h7v7M20 4l-9 9M10 5H4v15h15v-6",
  fingerprinter: "M6 17c1-2 1-3.5 1-5a5 5 0 0 1 10 0c0 3-.5 5.5-1.5 8M10 20c1.5-3 2-5 2-8M5 8a8 8 0 0 1 14 0",
  folder: "M3 5.5h6l2 2.5h10v11H3z",
  forward: "M4 12h16M14 6l6 6-6 6",
  globe: `${circle}M3 12h18M12 3c3 2.5 4 5.5 4 9s-1 6.5-4 9c-3-2.5-4-5.5-4-9s1-6.5 4-9z`,
  gridAdd: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM17 14v6M14 17h6",
  helpCircle: `${circle}M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 17v.1`,
  history: `${circle}M12 7v5l3.5 2`,
  home: "M3.5 11L12 4l8.5 7M5.5 9.5V20h13V9.5M10 20v-6h4v6",
  image: "M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 5M15.5 9v.1",
  lightbulb: "M9.5 17.5a6.5 6.5 0 1 1 5 0v1h-5zM9.5 21h5",
  lightning: "M13 2.5L5 13.5h6l-1 8 8-11h-6z",
  link: "M10 14l4-4M8 11.5l-2.5 2.5a3.2 3.2 0 0 0 4.5 4.5L12.5 16M11.5 8L14 5.5a3.2 3.2 0 0 1 4.5 4.5L16 12.5",
  location: "M12 21.5c-4-4.5-6.5-7.5-6.5-11.5a6.5 6.5 0 0 1 13 0c0 4-2.5 7-6.5 11.5zM12 8a2 2 0 1 1 0 4a2 2 0 0 1 0-4z",
  lock: "M5 10.5h14V21H5zM8 10.5V8a4 4 0 0 1 8 0v2.5M12 14.5v2.5",
  login: "M4 12h9M9.5 8l4 4-4 4M12 4h8v16h-8",
  logoFirefox: `${circle}M12 7.5a4.5 4.5 0 1 1-4.5 4.5M7.5 12c0-3 2-5 4.5-7`,
  moreHorizontalRound: `${circle}M8 12v.1M12 12v.1M16 12v.1`,
  newFolder: "M3 5.5h6l2 2.5h10v11H3zM12 11v5M9.5 13.5h5",
  nightMode: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
  notificationDot: "M12 8a4 4 0 1 1 0 8a4 4 0 0 1 0-8z",
  packaging: "M3.5 7.5L12 3l8.5 4.5v9L12 21l-8.5-4.5zM3.5 7.5L12 12l8.5-4.5M12 12v9",
  pageZoom: "M10.5 4a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13zM15.5 15.5L21 21M10.5 7.5v6M7.5 10.5h6",
  pin: "M8 3h8l-1.5 6 3 4h-11l3-4zM12 13v8",
  plus: "M12 4v16M4 12h16",
  price: "M3.5 4h8l9 9-7.5 7.5-9.5-9zM8 8v.1",
  print: "M7 9V3.5h10V9M7 17H3.5V9h17v8H17M7 14h10v6.5H7z",
  privateMode: "M3 8c3 0 6 .5 9 1.5C15 8.5 18 8 21 8c0 5-1.5 8-5 8c-2 0-3-1-4-2.5c-1 1.5-2 2.5-4 2.5c-3.5 0-5-3-5-8z",
  qrCode: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5v2.5M20 14v6h-2.5M14 19v1",
  quality: star,
  readerView: `${page}M9 10h6M9 13.5h6M9 17h4`,
  readingList: "M4 6h16M4 11h16M4 16h9",
  save: "M12 3v12M6.5 10l5.5 5.5 5.5-5.5M4 20.5h16",
  saveFile: `${page}M12 9v7M9 13.5l3 3 3-3`,
  search: "M10.5 4a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13zM15.5 15.5L21 21",
  settings:
    "M12 8.5a3.5 3.5 0 1 1 0 7a3.5 3.5 0 0 1 0-7zM12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3M5.3 5.3l2.1 2.1M16.6 16.6l2.1 2.1M5.3 18.7l2.1-2.1M16.6 7.4l2.1-2.1",
  share: "M12 15V3.5M8 7l4-3.5L16 7M7 10.5H5V21h14V10.5h-2",
  shield,
  shipping:
    "M2.5 6h11v10h-11zM13.5 9.5h4l4 3.5v3h-8M7 16a2 2 0 1 1 0 4a2 2 0 0 1 0-4zM17 16a2 2 0 1 1 0 4a2 2 0 0 1 0-4z",
  socialMedia: "M4 4.5h16v11h-9L6.5 20v-4.5H4zM8 10v.1M12 10v.1M16 10v.1",
  sponsoredStar: star,
  star,
  subtract: "M4 12h16",
  sun:
    "M12 8a4 4 0 1 1 0 8a4 4 0 0 1 0-8zM12 2.5V5M12 19v2.5M2.5 12H5M19 12h2.5M5.3 5.3L7 7M17 17l1.7 1.7M5.3 18.7L7 17M17 7l1.7-1.7",
  sync: "M4.5 11a7.5 7.5 0 0 1 13-4l2 2M19.5 4.5V9H15M19.5 13a7.5 7.5 0 0 1-13 4l-2-2M4.5 19.5V15H9",
  tab: "M3.5 5h17v14h-17zM3.5 9.5h17",
  tabTray: "M7 7h14v14H7zM17 7V3H3v14h4",
  tool:
    "M14.5 6.5a4.5 4.5 0 0 1 6-2l-3 3 .5 1.5 1.5.5 2-2.5a4.5 4.5 0 0 1-6 5.5L7 21l-3.5-3.5 9-8.5a4.5 4.5 0 0 1 2-2.5z",
  translate: "M3 5.5h10M8 3v2.5M11 5.5c-1 4-4 7-8 8.5M5 8.5c1.5 2.5 3.5 4.5 6.5 5.5M12 21l4.5-11L21 21M13.5 17.5h6",
  warning: "M12 3.5L22 20.5H2zM12 10v5M12 17.8v.1",
  whatsNew:
    "M3.5 8.5h17v4h-17zM5 12.5V21h14v-8.5M12 8.5V21M12 8.5C9 8.5 7 7 7.5 5S11.5 4 12 8.5c.5-4.5 4-5.5 4.5-3.5S15 8.5 12 8.5z",
};

/**
 * The name of a drawing for an icon: `bookmark` for `bookmarkTrayFillLarge`. After it the icon's name has only
 * words for its size and its variant.
 * @param {string} icon
 * @returns {string | undefined}
 */
export function nameOf(icon) {
  const names = Object.keys(drawings).filter((name) =>
    icon.startsWith(name) && !/^[a-z0-9]/.test(icon.slice(name.length))
  );
  return names.sort((left, right) => right.length - left.length)[0];
}

/** @param {string} icon */
export function iconNamed(icon) {
  const name = nameOf(icon);
  const lines = {
    d: name && drawings[name],
    fill: "none",
    stroke: "currentColor",
    "stroke-width": 1.8,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  };
  return name && svg("svg", { viewBox: "0 0 24 24", class: "icon named", "aria-hidden": "true" }, svg("path", lines));
}
