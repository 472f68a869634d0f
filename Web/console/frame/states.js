// The states of a view in a preview: a question by its id, a fault, the last page; and pressed questions.

/** @typedef {any} View a view of the renderer */

/** The view on the screen: the id of a question or step, or the key of a message. @param {View} view @returns {string | null} */
export function idShown(view) {
  if (view.message) return view.message.key;
  if (view.flow) return view.run?.step_id ?? null;
  if (view.isFinished) return null;
  return view.questions[view.last ?? -1]?.id ?? [...view.controls.keys()][0] ?? null;
}

/**
 * @param {View} view
 * @param {{state?: string, at?: string}} look
 * @param {any} [offer] the card that invites to the content
 */
export async function setState(view, { state = "start", at }, offer) {
  if (at && !view.message) await view.reveal(at);
  if (state === "start") return;
  const { texts } = view;
  if (view.message) return setMessageState(view, state);
  if (state === "offer") return offer && showInvitation(view, offer);
  if (state === "thanks") {
    view.isFinished = true;
    view.finish(texts.get("successTitle"), view.flow ? "" : texts.get("successBody"), true);
  } else if (state === "error" && view.flow) {
    view.banner({ kind: "error", text: texts.get("errorGeneric") });
  } else if (state === "error") {
    view.showFaults(new Map([[idShown(view), texts.get("errorRequiredMissing")]]));
  }
}

/** @param {View} view @param {any} offer */
function showInvitation(view, offer) {
  view.askConsent({
    title: offer.title ?? undefined,
    text: offer.text ?? undefined,
    accept: offer.button_label ?? undefined,
    onNever: () => undefined,
  }, () => view.start());
}

/**
 * Sets the state of a message. A microsurvey is operated in the same way as by a respondent.
 * @param {View} view
 * @param {string} state
 */
function setMessageState(view, state) {
  const root = view.shell.host.shadowRoot;
  const press = () => root.querySelector("button.primary")?.click();
  if (!view.message.microsurvey) return;
  press();
  if (state === "thanks") root.querySelector("input")?.click();
  if (state !== "question") press();
}

/** Reports each pressed question. @param {View[]} views @param {(message: any) => void} tell */
export function followPresses(views, tell) {
  for (const view of views) {
    view.shell.host.shadowRoot.addEventListener("click", (/** @type {Event} */ event) => {
      const target = event.composedPath()[0];
      const own = [...view.controls ?? []].findLast(([, control]) => control.element.contains(target));
      const id = own?.[0] ?? idShown(view);
      if (id) tell({ type: "choose", id });
      // The press may change the question.
      setTimeout(() => tell({ type: "at", at: idShown(view) }), 100);
    });
  }
}

/** Sets the direction of all views. @param {string} dir */
export function setDirection(dir) {
  for (const host of document.querySelectorAll("bellwether-view")) {
    for (const element of [host, ...host.shadowRoot?.querySelectorAll("[dir]") ?? []]) element.setAttribute("dir", dir);
  }
}

/** Reports the height of the page, now and after each change. @param {(message: any) => void} tell */
export function tellHeight(tell) {
  new ResizeObserver(() => tell({ type: "height", height: document.body.offsetHeight })).observe(document.body);
}

/** Keeps the focus in the console until the preview is pressed. */
export function keepFocus() {
  const { focus } = HTMLElement.prototype;
  HTMLElement.prototype.focus = function (/** @type {FocusOptions | undefined} */ options) {
    if (document.hasFocus()) focus.call(this, options);
  };
}
