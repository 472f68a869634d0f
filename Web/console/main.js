// The console: its frame, its pages, its keys.

import { get, Problem } from "./api.js";
import { register } from "./commands.js";
import { commandsOf } from "./recipe-commands.js";
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
import { t } from "./texts.js";
import { h, setAttribute } from "../shared/dom.js";
import { apps } from "./views/apps.js";
import { home } from "./views/home.js";
import { list } from "./views/recipes.js";
import { recipe } from "./views/recipe.js";
import { signInAgain, signInPage } from "./views/signin.js";

/** @typedef {{go: (address: string) => void, replace: (values: Record<string, string | undefined>) => void}} Shell */

const themes = ["system", "light", "dark"];
const themeIcons = { system: "contrast", light: "sun", dark: "moon" };

/** @type {Shell} */
const shell = { go: (address) => void router.go(address), replace: (values) => router.replace(values) };

/** The editor comes when it is first opened. */
const editor = () => import("./views/edit.js");

const router = new Router(
  [
    ["", (context) => start(context)],
    ["/me", async (context) => (await import("./views/me.js")).me(context)],
    ["/a/{app}", (context) => home(context, shell)],
    ["/a/{app}/recipes", (context) => list(context, shell)],
    ["/a/{app}/new", async (context) => (await editor()).newRecipe(context, shell)],
    ["/a/{app}/app", async (context) => (await editor()).editManifest(context, shell)],
    ["/a/{app}/r/{slug}/edit", async (context) => (await editor()).edit(context, shell)],
    ["/a/{app}/r/{slug}/publish", async (context) => (await import("./views/review.js")).review(context, shell)],
    ["/a/{app}/r/{slug}", (context) => recipe(context, shell)],
    ["/a/{app}/r/{slug}/{section}", (context) => recipe(context, shell)],
  ],
  show,
  fail,
);

/** The only app, or the one last used; else the list. @param {import("./router.js").Context} context */
async function start(context) {
  const body = await get("/v1/apps", { signal: context.signal });
  const names = body.apps.map((/** @type {any} */ { app }) => app);
  const last = localStorage.getItem("bellwether-app");
  const app = names.length === 1 ? names[0] : names.find((/** @type {string} */ name) => name === last);
  if (!app) return apps(context);
  history.replaceState(history.state, "", `/console/a/${encodeURIComponent(app)}`);
  return home({ ...context, parameters: { app } }, shell);
}

// The frame.

const main = h("main", { id: "content", tabindex: "-1" });
const navigation = h("ul", { id: "navigation" });
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
    navigation,
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

function tellAccount() {
  const { name, scope } = session.session();
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
    await session.signOut();
    location.href = "/console/sign-in";
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
    h("span", { class: "account-word" }, name, " ", h("span", { class: "muted" }, scope)),
  );
  account.replaceChildren(button, list);
}

/** A wether's bell. */
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

/** @param {import("./router.js").View} view @param {boolean} isNew */
function show(view, isNew) {
  const app = /^\/console\/a\/([^/]+)/.exec(location.pathname)?.[1];
  // A page of no app leaves the way back to the one last used.
  const near = location.pathname === "/console/me" ? localStorage.getItem("bellwether-app") ?? undefined : undefined;
  tellApp(app ? decodeURIComponent(app) : near);
  document.title = [view.title, app && decodeURIComponent(app), "Bellwether"].filter(Boolean).join(" · ");
  const own = view.element.querySelector("h1");
  const heading = own ?? h("h1", { tabindex: "-1" }, view.title);
  main.replaceChildren(...(own ? [] : [h("div", { class: "page-head" }, heading)]), view.element);
  main.removeAttribute("aria-busy");
  openMenu(false);
  if (!isNew) return;
  if (view.focus) view.focus();
  else heading.focus({ preventScroll: true });
}

/** @param {unknown} error */
function fail(error) {
  const isRefused = error instanceof Problem && error.status === 403 && !session.can("read");
  const text = error instanceof NotFound
    ? t("error.notfound")
    : isRefused
    ? session.refusal("read")
    : recipes.sentence(error);
  main.replaceChildren(
    h("div", { class: "page-head" }, h("h1", { tabindex: "-1" }, t("error.title"))),
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
}

/** @param {string | undefined} app */
async function tellApp(app) {
  const here = location.pathname;
  /** @type {[string, string, string][]} */
  const pages = app
    ? [["home", "home", `/console/a/${encodeURIComponent(app)}`], [
      "recipes",
      "list",
      `/console/a/${encodeURIComponent(app)}/recipes`,
    ], ["app", "app", `/console/a/${encodeURIComponent(app)}/app`]]
    : [];
  navigation.replaceChildren(...pages.map(([name, picture, address]) => {
    const isHere = name !== "recipes"
      ? here === address
      : here.startsWith(address) || here.startsWith(address.replace(/recipes$/, "r/"));
    return h(
      "li",
      {},
      h("a", { href: address, "aria-current": isHere ? "page" : null }, icon(picture), t(`nav.${name}`)),
    );
  }));
  switcher.hidden = !app;
  if (!app) return;
  localStorage.setItem("bellwether-app", app);
  keys.setConsoleKeys({
    "g h": () => shell.go(pages[0][2]),
    "g r": () => shell.go(pages[1][2]),
    "?": keys.showHelp,
  });
  const body = await get("/v1/apps", { onNewer: () => undefined }).catch(() => ({ apps: [{ app }] }));
  switcher.replaceChildren(...body.apps.map((/** @type {any} */ item) => h("option", { value: item.app }, item.app)));
  switcher.value = app;
  setAttribute(switcher, "disabled", body.apps.length < 2 ? "" : null);
  registerCommands(app, pages);
}

/** @param {string} app @param {[string, string, string][]} pages */
async function registerCommands(app, pages) {
  /** @type {import("./recipes.js").Recipe[]} */
  let known = [];
  const signal = new AbortController().signal;
  known = await recipes.reload(app, signal).catch(() => []);
  register("console", () => [
    ...known.flatMap((recipe) => commandsOf(app, recipe, shell.go)),
    ...pages.map(([name, picture, address]) => ({
      sort: /** @type {const} */ ("page"),
      label: t(`nav.${name}`),
      words: "",
      icon: picture,
      run: () => shell.go(address),
    })),
    ...(session.can("publish")
      ? [{
        sort: /** @type {const} */ ("command"),
        label: t("command.new"),
        words: "",
        icon: "plus",
        run: () => shell.go(`/console/a/${encodeURIComponent(app)}/new`),
      }]
      : []),
    { sort: "command", label: t("command.help"), words: "?", icon: "info", run: keys.showHelp },
  ]);
}

recipes.onChange((app) =>
  registerCommands(app, [
    ["home", "home", `/console/a/${encodeURIComponent(app)}`],
    ["recipes", "list", `/console/a/${encodeURIComponent(app)}/recipes`],
    ["app", "app", `/console/a/${encodeURIComponent(app)}/app`],
  ])
);
/** The address behind the sign-in; nothing but a page of the console. */
function nextAddress() {
  const next = new URLSearchParams(location.search).get("next") ?? "";
  return /^\/console(\/|\?|$)/.test(next) ? next : "/console";
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

async function begin() {
  if (await session.load()) return startSignedIn();
  if (location.pathname !== "/console/sign-in") {
    const next = location.pathname + location.search;
    history.replaceState(null, "", `/console/sign-in?next=${encodeURIComponent(next)}${location.hash}`);
  }
  document.title = `${t("signin.title")} · Bellwether`;
  document.body.replaceChildren(signInPage(mark(), () => void startSignedIn()));
}

showDensity();
keys.listen(() => document.querySelector(".frame") && openPalette());
begin().catch((error) => {
  document.body.replaceChildren(...frame);
  fail(error);
});
