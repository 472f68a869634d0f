// The frame of a flow, and the buttons below a step.

/** The action of a button or of a button that is held; undefined for other blocks. @param {API.Part} block */
function deedOf(block) {
  if (block?.type !== "button" && block?.type !== "press_hold_confirm") return undefined;
  return block.action === undefined || block.action === "continue" ? "next" : block.action;
}

/** Hides the view's own buttons while a visible button of the step does the same. @param {HTMLElement} body */
export function spare(body) {
  const shown = [...body.querySelectorAll(".step .block")].filter((element) => !element.closest("[hidden]"));
  const done = new Set(shown.map((element) => deedOf(/** @type {any} */ (element).block)));
  const actions = /** @type {HTMLElement | null} */ (body.querySelector(".flow > .actions"));
  const own = [["primary", "next"], ["plain", "skip"]].flatMap(([kind, deed]) => {
    const element = /** @type {HTMLElement | null} */ (actions?.querySelector(`:scope > .${kind}`) ?? null);
    if (element) element.hidden = done.has(deed);
    return element ? [element] : [];
  });
  if (actions) actions.hidden = own.every((element) => element.hidden);
}

// On a phone a flow fills the screen. A pressed button shows that it waits.
export const frame = `
@media (max-width: 599px) {
  :host([data-kind=flow][popover]) { inset: 0; inline-size: 100%; block-size: 100dvh; max-block-size: none; }
  :host([data-kind=flow]) .popover { block-size: 100%; max-block-size: none; }
  :host([data-kind=flow]) :is(dialog.panel, .popover > .panel) {
    inline-size: 100vw; max-inline-size: none; block-size: 100dvh; max-block-size: none; margin: 0; border: 0; border-radius: 0;
    display: flex; flex-direction: column; padding-block-end: max(calc(var(--_space) * 1.25), env(safe-area-inset-bottom));
  }
  :host([data-kind=flow]) :is(dialog, .popover > .panel) > .body { flex: 1; display: flex; flex-direction: column; }
  :host([data-kind=flow]) :is(dialog, .popover > .panel) > .body > .content { flex: 1; }
  :host([data-kind=flow]) :is(dialog, .popover > .panel) .flow > .actions { margin-block-start: auto; padding-block-start: calc(var(--_space) * 1.5); }
}
button[aria-disabled=true]::after {
  content: ""; display: inline-block; inline-size: 1em; block-size: 1em; margin-inline-start: .6em; vertical-align: -.15em;
  border: 2px solid currentColor; border-inline-end-color: transparent; border-radius: 50%;
  animation: wait .8s linear infinite, appear .2s .3s backwards;
}
button:is(.close, .back, .swatch, .small, .send, .rate)[aria-disabled=true]::after { content: none; }
.working { display: flex; align-items: center; justify-content: center; gap: 10px; padding-block: 12px; color: var(--_text); font-weight: 600; }
@keyframes wait { to { rotate: 1turn; } }
@keyframes appear { from { opacity: 0; } }
`;
