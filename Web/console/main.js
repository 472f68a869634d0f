// The console: its frame, its pages, its keys.

import { loadApps, Problem } from "./api.js";
import { follow } from "./changes.js";
import { registerAppCommands, registerGeneralCommands } from "./app-commands.js";
import { forget } from "./document/drafts.js";
import { openPalette } from "./elements/palette.js";
import { menu } from "./elements/menu.js";
import { button } from "./elements/parts.js";
import { toasts } from "./elements/toast.js";
import { troubleLine, watch } from "./elements/trouble.js";
import { icon } from "./icons.js";
import * as keys from "./keys.js";
import { chooseTheme, onTheme, showDensity, theme } from "./look.js";
import * as recipes from "./recipes.js";
import { NotFound, Router } from "./router.js";
import * as session from "./session.js";
import { Navigation, pagesOf } from "./navigation.js";
import { pages } from "./pages.js";
import { watchPresses } from "./press.js";
import { t } from "./texts.js";
import { h, setAttribute } from "../shared/dom.js";
import { apps } from "./views/apps.js";
import { home } from "./views/home.js";
import { linkPage, signInAgain, signInPage, takeLink } from "./views/signin.js";

/**
 * @typedef {{go: (address: string) => void, move: (address: string) => void,
 *   replace: (values: Record<string, string | undefined>, address?: string) => void}} Shell
 */

const themes = ["system", "light", "dark"];
const themeIcons = { system: "contrast", light: "sun", dark: "moon" };

/** @type {Shell} */
const shell = {
  go: (address) => void router.go(address),
  move: (address) => void router.move(address),
  replace: (values, address) => router.replace(values, address),
};

const router = new Router(
  [
    ["", (context) => start(context)],
    ...pages.map(({ path, load }) => /** @type {[string, import("./router.js").Load]} */ ([
      path,
      (context) => load(context, shell),
    ])),
  ],
  { begin, show, fail },
);

/** Opens the only app or the last used app, or else the list. @param {import("./router.js").Context} context */
async function start(context) {
  const { app: own } = session.session();
  if (!session.can("read") && session.can("log") && own && own !== "*") {
    shell.go(`/console/a/${encodeURIComponent(own)}/health`);
    return { element: h("div"), title: "" };
  }
  const names = (await loadApps({ signal: context.signal })).map(({ app }) => app);
  const last = localStorage.getItem("bellwether-app");
  const app = names.length === 1 ? names[0] : names.find((name) => name === last);
  if (!app) return apps(context);
  history.replaceState(history.state, "", `/console/a/${encodeURIComponent(app)}`);
  session.setApp(app);
  return home({ ...context, parameters: { app } }, shell);
}

// The frame.

const main = h("main", { id: "content", tabindex: "-1" });
const navigation = new Navigation();
const switcher = h("select", {
  class: "field switcher",
  "aria-label": t("app.choose"),
  onchange: () => shell.go(`/console/a/${encodeURIComponent(switcher.value)}`),
});
const side = h(
  "nav",
  { class: "side", id: "pages", tabindex: "-1", "aria-label": t("nav.label") },
  h(
    "div",
    { class: "side-inner" },
    h("a", { class: "brand", href: "/console" }, mark(), "Bellwether"),
    switcher,
    navigation.element,
  ),
);
const themeButton = button(
  "",
  "contrast",
  () => chooseTheme(themes[(themes.indexOf(theme()) + 1) % themes.length]),
  "quiet icon-only",
);
const menuButton = button(
  t("nav.menu"),
  "menu",
  () => openMenu(!side.classList.contains("is-open")),
  "quiet icon-only top-menu",
);
const paletteButton = button(t("palette.open"), "search", () => openPalette(), "palette-open");
paletteButton.append(h("kbd", { "aria-hidden": "true" }, keys.paletteKey));

const account = h("div", { class: "account" });
const frame = [
  h("a", { class: "button skip", href: "#content" }, t("skip.content")),
  h("a", { class: "button skip", href: "#pages", onclick: () => openMenu(true) }, t("skip.navigation")),
  troubleLine,
  h(
    "div",
    { class: "frame" },
    side,
    h("header", { class: "top" }, menuButton, paletteButton, h("div", { class: "top-end" }, themeButton, account)),
    main,
  ),
  toasts,
];

/** The scope beside the name of the account: people may have another one in each app. */
const accountScope = h("span", { class: "muted" });

function tellScope() {
  const { roles } = session.session();
  accountScope.textContent = session.scopeHere() ?? t("session.roles", { count: Object.keys(roles).length });
}

function tellAccount() {
  const { name } = session.session();
  if (session.isOpen()) {
    account.replaceChildren(
      h(
        "a",
        { class: "button quiet", href: "/console/me", title: t("session.open") },
        icon("person"),
        h("span", { class: "account-word" }, t("session.dev")),
      ),
    );
    return;
  }
  const out = async () => {
    location.href = await session.signOut();
  };
  const forgetAndOut = () => forget(([owner]) => owner === name).catch(() => undefined).then(out);
  const [button, list] = menu(t("session.menu", { name }), () => [
    { label: t("me.title"), icon: "person", run: () => shell.go("/console/me") },
    { label: t("session.out"), icon: "external", run: () => void out() },
    { label: t("session.forget"), icon: "trash", run: () => void forgetAndOut() },
  ]);
  button.classList.remove("icon-only");
  button.replaceChildren(
    icon("person"),
    h("span", { class: "account-word" }, name, " ", accountScope),
  );
  account.replaceChildren(button, list);
}

/** The logo: a wether's bell. */
function mark() {
  const svg = icon("app");
  svg.setAttribute("class", "icon brand-mark");
  svg.firstElementChild?.setAttribute("d", "M7 18V11a5 5 0 0 1 10 0v7M4.5 18h15M12 6V3.5M10.5 21h3");
  return svg;
}

/** @param {boolean} isOpen */
function openMenu(isOpen) {
  side.classList.toggle("is-open", isOpen);
  menuButton.setAttribute("aria-expanded", String(isOpen));
}

function tellTheme() {
  const name = theme();
  themeButton.setAttribute("aria-label", t(`theme.${name}`));
  themeButton.title = t(`theme.${name}`);
  themeButton.replaceChildren(icon(Reflect.get(themeIcons, name)));
}

// Pages.

/** The app in the address. */
function appHere() {
  const app = /^\/console\/a\/([^/]+)/.exec(location.pathname)?.[1];
  return app && decodeURIComponent(app);
}

/** @param {string} title the title of the page */
function tellTitle(title) {
  document.title = [title, appHere(), "Bellwether"].filter(Boolean).join(" · ");
}

/** Shows links for a page that could not be loaded, but no links of an app that does not exist. */
async function tellWaysOn() {
  const here = location.pathname;
  const app = appHere();
  // The scope may not permit the list.
  const isKnown = await loadApps().then((apps) => apps.some((one) => one.app === app), () => true);
  if (here === location.pathname) await tellApp(isKnown ? app : undefined);
}

/** Before a page loads: what it shows depends on the abilities in its app. */
function begin() {
  main.setAttribute("aria-busy", "true");
  session.setApp(appHere());
}

/** @param {import("./router.js").View} view */
function show(view) {
  const app = appHere();
  // A page without an app keeps the links of the last used app.
  const near = ["/console/me", "/console/access", "/console/new-app"].includes(location.pathname)
    ? localStorage.getItem("bellwether-app") ?? undefined
    : undefined;
  tellApp(app ?? near);
  tellScope();
  tellTitle(view.title);
  const own = view.element.querySelector("h1");
  const heading = own ?? h("h1", { tabindex: "-1" }, view.title);
  main.replaceChildren(...(own ? [] : [h("div", { class: "page-head" }, heading)]), view.element);
  main.removeAttribute("aria-busy");
  openMenu(false);
  view.focus ??= () => heading.focus({ preventScroll: true });
}

/** @param {unknown} error */
function fail(error) {
  const isRefused = error instanceof Problem && error.status === 403 && !session.can("read");
  const text = error instanceof NotFound
    ? t("error.notfound")
    : isRefused
    ? session.refusal("read")
    : recipes.sentence(error);
  const heading = h("h1", { tabindex: "-1" }, t("error.title"));
  main.replaceChildren(
    h("div", { class: "page-head" }, heading),
    h(
      "div",
      { class: "panel" },
      h("p", { class: "empty", role: "alert" }, text),
      h(
        "p",
        { class: "empty" },
        button(t("action.retry"), "undo", () => void router.open(true)),
        " ",
        h("a", { href: "/console" }, t("error.home")),
      ),
    ),
  );
  main.removeAttribute("aria-busy");
  openMenu(false);
  tellTitle(t("error.title"));
  void tellWaysOn();
  heading.focus({ preventScroll: true });
}

/** Shows the changes of other people automatically. @param {string} app */
function followApp(app) {
  if (followed === app) return;
  stopFollowing();
  followed = app;
  stopFollowing = follow(app, (change) => {
    if (change.restarted || change.manifest || change.recipes.length + change.strings.length > 0) recipes.changed(app);
  });
}
let followed = "";
let stopFollowing = () => {};

/** @param {string | undefined} app */
async function tellApp(app) {
  navigation.show(app);
  switcher.hidden = !app;
  if (!app) return registerGeneralCommands(shell.go);
  if (session.can("read", app)) followApp(app);
  localStorage.setItem("bellwether-app", app);
  const to = (/** @type {string} */ name) => () => {
    const found = pagesOf(app).find((page) => page.name === name);
    if (found) shell.go(found.address);
  };
  keys.setConsoleKeys({
    "g h": to("home"),
    "g r": to("recipes"),
    "g e": to("explain"),
    "g t": to("texts"),
    "?": keys.showHelp,
  });
  const known = await loadApps({ onNewer: () => undefined }).catch(() => [{ app }]);
  switcher.replaceChildren(...known.map((item) => h("option", { value: item.app }, item.app)));
  switcher.value = app;
  setAttribute(switcher, "disabled", known.length < 2 ? "" : null);
  registerCommands(app);
}

/** @param {string} app */
async function registerCommands(app) {
  navigation.tell(app, await registerAppCommands(app, shell.go));
}

recipes.onChange((app) => registerCommands(app));

/** The address after the sign-in, which is always a page of the console. */
function nextAddress() {
  const next = new URLSearchParams(location.search).get("next") ?? "";
  // The fragment names the client or user of a page.
  const hash = /^#(client|user)=/.test(location.hash) ? location.hash : "";
  return /^\/console(\/|\?|$)/.test(next) ? next + hash : "/console";
}

function startSignedIn() {
  if (location.pathname === "/console/sign-in") history.replaceState(null, "", nextAddress());
  document.body.replaceChildren(...frame);
  session.whenEnded(signInAgain);
  watch();
  onTheme(tellTheme);
  tellAccount();
  tellTheme();
  return router.start();
}

/** The result is false if the page asks for a sign-in instead. @param {string} link the secret of a link, or empty */
async function signInBy(link) {
  if (await session.load()) {
    // Somebody else may have made the link: it replaces no session without a press.
    if (!link || session.isOpen()) return true;
    document.body.replaceChildren(linkPage(mark(), link, nextAddress(), () => void startSignedIn()));
    return false;
  }
  /** @type {unknown} */
  let refusal;
  if (link) {
    try {
      await session.signIn({ link });
      return true;
    } catch (error) {
      refusal = error;
    }
  }
  if (location.pathname !== "/console/sign-in") {
    const next = location.pathname + location.search;
    history.replaceState(null, "", `/console/sign-in?next=${encodeURIComponent(next)}${location.hash}`);
  }
  document.body.replaceChildren(signInPage(mark(), nextAddress(), refusal, () => void startSignedIn()));
  return false;
}

async function open() {
  // The secret of a link is removed from the address before any request.
  const link = location.pathname === "/console/sign-in" ? takeLink() : "";
  document.title = `${t("signin.title")} · Bellwether`;
  if (await signInBy(link)) await startSignedIn();
}

showDensity();
watchPresses(document);
keys.listen(() => document.querySelector(".frame") && openPalette());
open().catch((error) => {
  document.body.replaceChildren(...frame);
  fail(error);
});
