// The look of all views. A page changes it by `--bw-…` properties and `::part` only (docs/web.md#theming). Sides are
// logical, so a right-to-left language mirrors everything. Each part of the renderer has a separate module of rules.
export const css = `
:host {
  --_accent: var(--bw-accent, #1a5fb4);
  --_accent-text: var(--bw-accent-text, #fff);
  --_link: var(--_accent);
  --_background: var(--bw-background, #fff);
  --_text: var(--bw-text, #1d2430);
  --_muted: var(--bw-muted, #556070);
  --_border: var(--bw-border, #767f8c);
  --_error: var(--bw-error, #b3261e);
  --_radius: var(--bw-radius, 12px);
  --_space: var(--bw-space, 16px);
  --_font: var(--bw-font, 400 1rem/1.45 system-ui, sans-serif);
  color-scheme: light dark;
  display: block;
  font: var(--_font);
  color: var(--_text);
  text-align: start;
  letter-spacing: normal;
  box-sizing: border-box;
}
@media (prefers-color-scheme: dark) {
  :host {
    --_accent: var(--bw-accent, #8ab4f8);
    --_accent-text: var(--bw-accent-text, #10131a);
    --_background: var(--bw-background, #1b1f27);
    --_text: var(--bw-text, #eceff4);
    --_muted: var(--bw-muted, #b0b9c6);
    --_border: var(--bw-border, #8b95a3);
    --_error: var(--bw-error, #ffb4ab);
  }
}
.modal, .popover, .inline, .page {
  --_line: color-mix(in srgb, var(--_text) 16%, var(--_background));
  --_soft: color-mix(in srgb, var(--_text) 5%, var(--_background));
  --_tint: color-mix(in srgb, var(--_accent) 10%, var(--_background));
  --_inner: min(var(--_radius), max(calc(var(--_radius) * .75), 6px));
}
:host([data-theme="light"]) { color-scheme: light; }
:host([popover]) {
  position: fixed; inset: auto; inset-block-end: var(--_space); inset-inline-end: var(--_space);
  inline-size: min(var(--bw-width, 24rem), calc(100vw - 2 * var(--_space))); max-block-size: calc(100dvh - 2 * var(--_space));
  margin: 0; padding: 0; border: 0; background: none; overflow: visible; z-index: var(--bw-layer, 2147483000);
}
*, *::before, *::after { box-sizing: border-box; }
.popover { max-block-size: inherit; }
.panel {
  background: var(--_background); color: var(--_text); border: 1px solid var(--_line); border-radius: var(--_radius);
  padding: calc(var(--_space) * 1.25); box-shadow: var(--bw-shadow, 0 1px 2px rgb(0 0 0 / .06), 0 12px 40px rgb(0 0 0 / .16));
  overflow: auto; overflow-wrap: anywhere; max-block-size: inherit;
}
.inline .panel { box-shadow: none; }
:host([data-mode=page]), .page, .page :is(.panel, .body) { display: flex; flex-direction: column; }
.page, .page :is(.panel, .body, .content) { flex: 1 0 auto; }
.page .panel { border: 0; box-shadow: none; overflow: visible; padding-block-end: 0; }
@media (width >= 600px) { .page .panel { border: 1px solid var(--_line); padding: calc(var(--_space) * 1.75) calc(var(--_space) * 2) 0; } }
.intro { margin-block-end: calc(var(--_space) * 1.25); }
.intro h1 { margin: 0; font-size: 1.5em; line-height: 1.25; letter-spacing: -.01em; text-wrap: pretty; }
.intro .text { margin-block: 6px 0; color: var(--_muted); }
dialog.panel {
  inline-size: min(var(--bw-width, 34rem), calc(100vw - 2 * var(--_space))); max-block-size: calc(100dvh - 2 * var(--_space));
  margin: auto;
}
.steady[open] { display: flex; flex-direction: column; overflow: hidden; padding: 0; }
.steady { block-size: min(32rem, 100dvh - 2 * var(--_space)); }
.steady:not(.sheet):has(> .body > .note) { block-size: fit-content; }
.steady > .body { flex: 1; min-block-size: 0; overflow: auto; overscroll-behavior: contain; scroll-padding-block: 12px 6rem; }
.steady > .working { padding-inline: calc(var(--_space) * 1.25); }
.steady .content { min-block-size: 100%; padding: calc(var(--_space) * 1.25) calc(var(--_space) * 1.25) 0; }
.sheet .content { padding-block-start: 0; }
.steady .content, .page .content { display: flex; flex-direction: column; }
:is(.steady, .page) .content:not(.flow) > .actions {
  position: sticky; inset-block-end: 0; z-index: 1; background: var(--_background); margin-block-start: auto;
  box-shadow: 0 -10px 10px -2px var(--_background);
  padding-block: 12px max(var(--_space), env(safe-area-inset-bottom));
}
dialog.panel::backdrop { background: rgb(10 14 22 / .5); }
.content { position: relative; isolation: isolate; }
.content > * { flex: none; }
.head { display: flex; align-items: flex-start; gap: 8px; margin-block-end: 8px; }
.head > :first-child { flex: 1; min-inline-size: 0; }
.head:has(> .progress) { align-items: center; min-block-size: 36px; }
h2, h3, h4, p { margin: 0; }
h2 { font-size: 1.35em; line-height: 1.25; letter-spacing: -.01em; text-wrap: pretty; }
:is(.popover, .inline) .note h2 { font-size: 1.2em; }
h3 { font-size: 1.1em; line-height: 1.3; }
:is(h2, h3, .legend, .label, .summary):focus { outline: none; }
.text { margin-block: 8px; white-space: pre-line; }
.muted, .progress { color: var(--_muted); }
.progress { font-size: .9em; }
.bidi, .error { unicode-bidi: plaintext; text-align: left; }
[dir=rtl] :where(.bidi, .error) { text-align: right; }
.header { display: block; font-size: .85em; font-weight: 600; letter-spacing: .02em; color: var(--_link); margin-block-end: 4px; }
img, video { max-inline-size: 100%; block-size: auto; display: block; border-radius: var(--_inner); }
fieldset { border: 0; margin: 0; padding: 0; min-inline-size: 0; }
.question { margin-block: 0 calc(var(--_space) * 1.25); }
.legend, .label { padding: 0; font-weight: 600; }
.label { display: block; }
h2 .label, .legend[data-heading] { font-size: 1.25rem; line-height: 1.3; letter-spacing: -.01em; font-weight: 650; text-wrap: pretty; }
h2 { font-weight: 700; }
h2:has(.label) { font-size: inherit; }
.legend .muted, .label .muted { font-weight: 400; font-size: .9rem; }
.question > .muted { margin-block-start: 4px; }
.below { margin-block-start: var(--_space); padding-inline-start: var(--_space); border-inline-start: 2px solid var(--_line); }
.question .question { margin-block: 8px 0; }
.question .question > .label { font-weight: 400; font-size: .95em; }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 10rem), 1fr)); gap: 0 12px; align-items: end; }
.below:not(:has(> :not([hidden]))) { display: none; }
.options { display: flex; flex-direction: column; gap: 8px; margin-block-start: 12px; }
.option {
  display: flex; gap: 12px; align-items: center; min-block-size: 48px; padding: 8px 14px; border: 1px solid var(--_line);
  border-radius: var(--_inner); cursor: pointer; transition: background-color .12s, border-color .12s, box-shadow .12s;
}
.option:hover { background: var(--_soft); }
.option:has(:checked) { border-color: var(--_accent); box-shadow: inset 0 0 0 1px var(--_accent); background: var(--_tint); }
.option > span { flex: 1; min-inline-size: 0; }
.option .hint { display: block; font-size: .9em; }
.option .icon { flex: none; font-size: 1.5em; line-height: 1; }
.option img.icon { inline-size: 40px; block-size: 40px; object-fit: cover; }
.topic { display: flex; align-items: center; gap: 10px; }
.topic .icon { flex: none; inline-size: 36px; font-size: 1.9em; line-height: 1; }
.topic .named { color: var(--_link); padding: 7px; background: var(--_tint); border-radius: var(--_inner); }
.option > .icon + span { font-weight: 500; }
:where(input[type=radio], input[type=checkbox]) {
  appearance: none; inline-size: 24px; block-size: 24px; margin: 0; flex: none; border: 2px solid var(--_border); border-radius: 7px; display: grid; place-items: center;
}
:where(input[type=radio]) { border-radius: 50%; }
:where(input[type=radio], input[type=checkbox]):where(:checked) { border-color: var(--_accent); background: var(--_accent); }
:where(input[type=radio]:checked)::before { content: ""; inline-size: 10px; block-size: 10px; border-radius: 50%; background: var(--_accent-text); }
:where(input[type=checkbox]:checked)::before { content: ""; inline-size: 14px; block-size: 14px; background: var(--_accent-text); clip-path: polygon(12% 46%, 0 58%, 36% 94%, 100% 22%, 87% 10%, 35% 70%); }
.scale .option .bidi { text-align: center; }
.scale { flex-direction: row; flex-wrap: wrap; gap: 5px; }
.scale .option { flex: 1 0 38px; flex-direction: column; justify-content: center; gap: 4px; padding: 6px 2px; text-align: center; position: relative; }
.scale .option > span { flex: none; font-weight: 500; }
.scale.plain .option { min-block-size: 46px; }
.counted { flex-wrap: nowrap; gap: clamp(1px, (100cqi - 280px) / 30, 6px); }
.counted:has(> :nth-child(12)) { flex-wrap: wrap; gap: 5px; }
.counted:not(:has(> :nth-child(12))) .option { flex: 1 1 0; min-inline-size: 24px; padding-inline: 0; }
.counted > .option > span { font-size: clamp(.8em, 5cqi, 1em); }
.question:has(> .counted) { container-type: inline-size; }
.scale input, .pills input {
  appearance: none; position: absolute; inset: 0; inline-size: 100%; block-size: 100%; border: 0; border-radius: inherit; background: none; cursor: pointer;
}
.scale input::before, .pills input::before { content: none; }
.scale.plain .option:has(:checked) { background: var(--_accent); color: var(--_accent-text); }
.joined { gap: 3px; padding: 3px; background: var(--_soft); border: 1px solid var(--_border); border-radius: var(--_inner); }
.joined .option { min-block-size: 40px !important; border: 0; border-radius: calc(var(--_inner) - 3px); }
.ends { display: flex; justify-content: space-between; gap: 16px; color: var(--_muted); font-size: .9em; margin-block-start: 6px; }
.ends :last-child { text-align: end; }
.stars { flex-wrap: nowrap; gap: clamp(0px, 1vw, 6px); }
.stars .option { border: 0; box-shadow: none !important; background: none !important; flex: 0 1 48px; min-inline-size: 24px; padding: 2px; min-block-size: 48px; }
.stars svg { pointer-events: none; }
.stars svg { inline-size: 100%; max-inline-size: 40px; block-size: auto; display: block; fill: transparent; stroke: var(--_star-empty, var(--_border)); stroke-width: 1.5; stroke-linejoin: round; transition: transform .12s; }
.stars:has(:checked) .option:not(:has(:checked) ~ .option) svg { fill: var(--_star, var(--_accent)); stroke: var(--_star, var(--_accent)); }
.stars .option:hover svg { transform: scale(1.12); }
.stars .option:has(:checked) svg { transform: scale(1.08); }
input:not([type=radio], [type=checkbox], [type=range], [type=color], [type=file]), select, textarea {
  inline-size: 100%; min-block-size: 46px; padding: 10px 12px; margin-block-start: 8px; font: inherit; color: inherit;
  background: var(--_background); border: 1px solid var(--_border); border-radius: var(--_inner);
}
::placeholder { color: var(--_muted); opacity: 1; }
select {
  appearance: none; padding-inline-end: 40px; background-repeat: no-repeat; background-size: 6px 6px, 6px 6px; background-position: right 20px center, right 14px center;
  background-image: linear-gradient(45deg, transparent 50%, currentColor 50%), linear-gradient(135deg, currentColor 50%, transparent 50%);
}
[dir=rtl] select { background-position: left 14px center, left 20px center; }
input[type=range], input[type=file] { inline-size: 100%; min-block-size: 32px; margin-block-start: 8px; accent-color: var(--_accent); }
input[type=color] { inline-size: 64px; block-size: 40px; margin-block-start: 8px; }
textarea { min-block-size: 7.5em; max-block-size: 60dvh; resize: vertical; field-sizing: content; }
.row { display: flex; gap: 8px; align-items: end; }
.row > :first-child { flex: 1; }
.row > button { min-block-size: 46px; margin: 0; }
.row + .row, .more { margin-block-start: 8px; }
.measure { display: flex; gap: 10px; align-items: center; margin-block-start: 8px; }
.measure > * { margin: 0 !important; }
.measure > :first-child { flex: 0 1 13rem; min-inline-size: 0; }
.measure > span { min-inline-size: min-content; overflow-wrap: break-word; }
table { border-collapse: collapse; inline-size: 100%; margin-block-start: 10px; }
th { font-weight: 400; text-align: start; padding: 10px 4px; }
td { padding: 8px 4px; text-align: center; }
tbody tr { border-block-start: 1px solid var(--_line); }
thead th.bidi { text-align: center; font-size: .9em; color: var(--_muted); vertical-align: bottom; }
.cell { display: inline-flex; flex-direction: column; align-items: center; gap: 2px; min-inline-size: 24px; }
.actions { display: flex; flex-wrap: wrap; gap: 8px; margin-block-start: var(--_space); align-items: center; }
.actions .spacer { flex: 1; }
.actions:empty { display: none; }
.sheet .actions > button { min-block-size: 50px; }
.sheet .actions > .primary { flex-grow: 1; }
.sheet .actions > .progress { flex: 1 0 100%; }
.sheet .actions > .spacer { display: none; }
.sheet .actions > a { flex: 1 0 100%; text-align: center; }
.note .actions:has(> :nth-child(3)), .sheet .note .actions { flex-direction: column; align-items: stretch; }
button {
  font: inherit; font-weight: 500; min-block-size: 42px; min-inline-size: 42px; padding: 8px 16px; border-radius: var(--_inner); cursor: pointer;
  border: 1px solid var(--_border); background: transparent; color: var(--_text); scroll-margin-block: var(--_space);
  transition: background-color .12s, filter .12s;
}
button:hover { background: var(--_soft); }
button, .option { touch-action: manipulation; }
button.primary { background: var(--_accent); border-color: var(--_accent); color: var(--_accent-text); font-weight: 600; }
button.skip { background: transparent; border-color: var(--_border); color: var(--_text); }
button.primary:hover { filter: brightness(1.08); }
button.plain { border-color: transparent; color: var(--_muted); text-decoration: underline; text-underline-offset: 3px; padding-inline: 6px; }
button.close, button.back { border-color: transparent; padding: 4px; font-size: 1.35em; line-height: 1; min-block-size: 36px; min-inline-size: 36px; color: var(--_muted); border-radius: 50%; flex: none; margin-block: -4px; }
button[aria-disabled=true] { opacity: .5; cursor: default; filter: none; }
a { color: var(--_link); display: inline-block; min-block-size: 24px; text-underline-offset: 3px; }
:is(button, input, select, textarea, a, [tabindex="0"]):focus-visible { outline: 3px solid var(--_accent); outline-offset: 2px; }
.error { color: var(--_error); font-weight: 600; margin-block-start: 6px; font-size: .95em; }
.error:empty { display: none; }
[aria-invalid=true] { border-color: var(--_error) !important; }
.summary { border: 2px solid var(--_error); border-radius: var(--_inner); padding: 12px; margin-block-end: var(--_space); }
.summary ul { margin: 6px 0 0; padding: 0; list-style: none; }
.summary button { border: 0; padding: 2px; min-block-size: 24px; color: var(--_error); text-decoration: underline; text-align: start; }
.working { position: sticky; inset-block-end: 0; z-index: 1; padding-block: 6px; background: var(--_background); color: var(--_muted); }
.meter { block-size: 6px; border-radius: 99px; background: var(--_line); overflow: hidden; flex: 1; display: flex; gap: 4px; }
.meter > * { background: var(--_accent); border-radius: inherit; transition: inline-size .3s; }
.top { display: flex; align-items: center; gap: 12px; min-block-size: 36px; margin-block-end: var(--_space); }
.top.bar { min-block-size: 0; margin-block-end: calc(var(--_space) * 1.25); }
.top > .progress { flex: 1; }
.top > .spacer { flex: 1; }
.done-mark { inline-size: 72px; block-size: 72px; margin: 8px auto 16px; display: block; color: var(--_accent); }
.done-mark circle { fill: var(--_tint); stroke: currentColor; stroke-width: 2; }
.done-mark path { fill: none; stroke: currentColor; stroke-width: 3.5; stroke-linecap: round; stroke-linejoin: round; stroke-dasharray: 30; animation: draw .5s .15s ease-out backwards; }
.ended, .ended .bidi { text-align: center; }
.ended .actions { justify-content: center; }
.steady .ended::before, .page .ended::before { content: ""; margin-block: auto; }
.ended .actions .primary { min-inline-size: 10rem; }
[hidden] { display: none !important; }
.visually-hidden { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.enter { animation: enter .2s ease-out; }
@keyframes enter { from { opacity: 0; transform: translateY(8px); } }
@keyframes draw { from { stroke-dashoffset: 30; } }
@media (prefers-reduced-motion: reduce) { *, *::before, *::after, :host { animation: none !important; transition: none !important; scroll-behavior: auto !important; } }
@media (forced-colors: active) {
  .option:has(:checked) { outline: 2px solid Highlight; }
  .scale.plain .option:has(:checked) { forced-color-adjust: none; background: Highlight; color: HighlightText; }
  .stars svg { stroke: CanvasText; }
  .stars:has(:checked) .option:not(:has(:checked) ~ .option) svg { fill: Highlight; stroke: Highlight; }
  button.primary { border: 2px solid ButtonText; forced-color-adjust: auto; }
  .panel { border: 2px solid CanvasText; }
  select, :where(input[type=radio], input[type=checkbox]) { appearance: auto; }
  .meter { border: 1px solid CanvasText; }
  .meter > * { forced-color-adjust: none; background: CanvasText !important; }
  .page .panel { border: 0; }
}
@media (width < 600px) {
  .page .actions > button { min-block-size: 50px; }
  .page .actions > .primary { flex-grow: 1; }
  .page .actions > .progress { flex: 1 0 100%; }
  .page .actions > .spacer { display: none; }
}
@media (max-width: 360px) { :host { --_space: var(--bw-space, 10px); } :host([popover]) { inset-inline: 8px; inline-size: auto; } }
`;
