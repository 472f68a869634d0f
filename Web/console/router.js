// Addresses of the console, and the view that each shows. A press on a link changes the address without a page load.

/**
 * @typedef {{parameters: Record<string, string>, query: URLSearchParams, signal: AbortSignal}} Context
 * @typedef {{element: HTMLElement, title: string, update?: (context: Context) => void, leave?: () => void,
 *   focus?: () => void}} View `focus` sets the focus when the view opens; by default the heading gets it
 * @typedef {(context: Context) => Promise<View>} Load
 * @typedef {{pattern: RegExp, names: string[], optional: string, load: Load}} Route `optional` is a name that may be absent
 */

const root = "/console";

export class Router {
  /**
   * @param {[string, Load][]} routes `/a/{app}/recipes`, below the console's address; `{/id}` may be absent, and is the
   *   same page
   * @param {{begin: () => void, show: (view: View) => void, fail: (error: unknown) => void}} frame `begin` is called
   *   before a page loads; `show` gives a view without a `focus` its default
   */
  constructor(routes, frame) {
    /** @type {Route[]} */
    this.routes = routes.map(([pattern, load]) => {
      /** @type {string[]} */
      const names = [];
      const source = pattern.replaceAll(/\{(\/?)(\w+)\}/g, (_, slash, name) => {
        names.push(name);
        return slash ? "(?:/([^/]+))?" : "([^/]+)";
      });
      const optional = /\{\/(\w+)\}$/.exec(pattern)?.[1] ?? "";
      return { pattern: new RegExp(`^${root}${source}$`), names, optional, load };
    });
    this.frame = frame;
    /** @type {{view: View, route: Route, key: string} | undefined} */
    this.current = undefined;
    this.controller = new AbortController();
    /** @type {Map<string, number>} The scroll position of each page, by its entry in the history. */
    this.scrolls = new Map();
  }

  start() {
    history.scrollRestoration = "manual";
    addEventListener("popstate", () => this.open(false));
    document.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
      if (!link || !isPlain || event.defaultPrevented || link.target || link.origin !== location.origin) return;
      if (link.pathname !== root && !link.pathname.startsWith(root + "/")) return;
      if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
      event.preventDefault();
      this.go(link.href);
    });
    return this.open(true);
  }

  /** @param {string | URL} address */
  go(address) {
    this.keepScroll();
    history.pushState({ key: crypto.randomUUID() }, "", address);
    return this.open(true);
  }

  /** Opens a page in place of the current one in the history. @param {string} address */
  move(address) {
    history.replaceState(history.state, "", address);
    return this.open(true);
  }

  /**
   * Replaces the query of the same page, without a new entry in the history.
   * @param {Record<string, string | undefined>} values
   * @param {string} [address] an address of the same page, without a query
   */
  replace(values, address) {
    const url = new URL(location.href);
    if (address) url.pathname = address;
    for (const [name, value] of Object.entries(values)) {
      if (value) url.searchParams.set(name, value);
      else url.searchParams.delete(name);
    }
    history.replaceState(history.state, "", url);
    this.current?.view.update?.(this.context(this.current.route));
  }

  keepScroll() {
    this.scrolls.set(history.state?.key ?? "", scrollY);
  }

  /** @private @param {Route} route @returns {Context} */
  context(route) {
    const values = route.pattern.exec(location.pathname)?.slice(1) ?? [];
    const parameters = Object.fromEntries(
      route.names.map((name, place) => [name, decodeURIComponent(values[place] ?? "")]),
    );
    return { parameters, query: new URLSearchParams(location.search), signal: this.controller.signal };
  }

  /** @param {boolean} isForward */
  async open(isForward) {
    const pathname = location.pathname.replace(/\/$/, "") || root;
    const route = this.routes.find(({ pattern }) => pattern.test(pathname));
    // An address with another optional part is the same page.
    const last = route?.optional ? route.pattern.exec(pathname)?.at(-1) : undefined;
    const key = last ? pathname.slice(0, -last.length - 1) : pathname;
    if (route && this.current?.route === route && this.current.key === key && this.current.view.update) {
      this.current.view.update(this.context(route));
      return;
    }
    this.controller.abort();
    const controller = this.controller = new AbortController();
    this.frame.begin();
    try {
      if (!route) throw new NotFound();
      const view = await route.load(this.context(route));
      if (controller.signal.aborted) return view.leave?.();
      this.current?.view.leave?.();
      this.current = { view, route, key };
      this.frame.show(view);
      scrollTo(0, isForward ? 0 : this.scrolls.get(history.state?.key ?? "") ?? 0);
      // After the scroll, because a focused field has to be in view.
      if (isForward) view.focus?.();
    } catch (error) {
      if (controller.signal.aborted) return;
      this.current?.view.leave?.();
      this.current = undefined;
      this.frame.fail(error);
    }
  }
}

/** The error for an address without a view. */
export class NotFound extends Error {}
