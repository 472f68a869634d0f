// The look of all views. A page changes it by `--bw-…` properties and `::part` only (docs/web.md#theming). Sides are
// logical, so a right-to-left language mirrors everything.
export const css = `
:host {
  --_accent: var(--bw-accent, #1a5fb4);
  --_accent-text: var(--bw-accent-text, #fff);
  --_background: var(--bw-background, #fff);
  --_text: var(--bw-text, #1d2430);
  --_muted: var(--bw-muted, #556070);
  --_border: var(--bw-border, #767f8c);
  --_error: var(--bw-error, #b3261e);
  --_radius: var(--bw-radius, 10px);
  --_space: var(--bw-space, 16px);
  color-scheme: light dark;
  display: block;
  font: var(--bw-font, 400 1rem/1.45 system-ui, sans-serif);
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
:host([data-theme="light"]) { color-scheme: light; }
:host([popover]) {
  position: fixed; inset: auto; inset-block-end: var(--_space); inset-inline-end: var(--_space);
  inline-size: min(var(--bw-width, 24rem), calc(100vw - 2 * var(--_space))); max-block-size: calc(100vh - 2 * var(--_space));
  margin: 0; padding: 0; border: 0; background: none; overflow: visible; z-index: var(--bw-layer, 2147483000);
}
*, *::before { box-sizing: border-box; }
.panel {
  background: var(--_background); color: var(--_text); border: 1px solid var(--_border); border-radius: var(--_radius);
  padding: var(--_space); box-shadow: var(--bw-shadow, 0 6px 30px rgb(0 0 0 / .25)); overflow: auto;
  overflow-wrap: anywhere; max-block-size: inherit;
}
.inline .panel { box-shadow: none; }
.page .panel { border: 0; box-shadow: none; max-inline-size: 44rem; margin-inline: auto; }
dialog.panel {
  inline-size: min(var(--bw-width, 34rem), calc(100vw - 2 * var(--_space))); max-block-size: calc(100vh - 2 * var(--_space));
  margin: auto;
}
dialog::backdrop { background: rgb(0 0 0 / .5); }
.panel:focus { outline: none; }
.head { display: flex; gap: 8px; align-items: flex-start; }
.head > :first-child { flex: 1; min-inline-size: 0; }
h2, h3, .legend, .label { margin: 0; font-size: 1.1em; font-weight: 600; line-height: 1.3; }
h3, .legend, .label { font-size: 1em; }
.legend { padding: 0; }
.label { display: block; }
h2:focus, .legend:focus, .label:focus { outline: none; }
p { margin: .5em 0 0; }
.header { display: block; font-weight: 400; }
.text { white-space: pre-line; }
.muted, .progress { color: var(--_muted); font-size: .9em; }
.progress { margin: 0 0 4px; }
.bidi { unicode-bidi: isolate; }
img, video { max-inline-size: 100%; block-size: auto; border-radius: calc(var(--_radius) / 2); }
fieldset { border: 0; margin: 0; padding: 0; min-inline-size: 0; }
.question { margin-block: 0 var(--_space); }
.below { margin-block-start: var(--_space); padding-inline-start: var(--_space); border-inline-start: 2px solid var(--_border); }
.question .question { margin-block: 8px 0; }
.below:not(:has(> :not([hidden]))) { display: none; }
.options { display: flex; flex-direction: column; gap: 6px; margin-block-start: 10px; }
.option { display: flex; gap: 10px; align-items: center; min-block-size: 36px; padding: 4px 8px; border: 1px solid var(--_border); border-radius: calc(var(--_radius) / 2); cursor: pointer; }
.option:has(:checked) { border-color: var(--_accent); box-shadow: inset 0 0 0 1px var(--_accent); }
.option span { flex: 1; min-inline-size: 0; }
.option .hint { display: block; }
input[type=radio], input[type=checkbox] { inline-size: 24px; block-size: 24px; margin: 0; flex: none; accent-color: var(--_accent); }
.scale { flex-direction: row; flex-wrap: wrap; gap: 4px; }
.scale .option { flex: 1 0 40px; flex-direction: column; gap: 2px; padding: 4px 2px; text-align: center; }
.scale .option span { flex: none; }
.ends { display: flex; justify-content: space-between; gap: 16px; color: var(--_muted); font-size: .9em; margin-block-start: 4px; }
.ends :last-child { text-align: end; }
input:not([type=radio], [type=checkbox], [type=range], [type=color], [type=file]), select, textarea {
  inline-size: 100%; min-block-size: 40px; padding: 8px; margin-block-start: 8px; font: inherit; color: inherit;
  background: var(--_background); border: 1px solid var(--_border); border-radius: calc(var(--_radius) / 2);
}
input[type=range], input[type=file] { inline-size: 100%; min-block-size: 32px; margin-block-start: 8px; accent-color: var(--_accent); }
input[type=color] { inline-size: 64px; block-size: 40px; margin-block-start: 8px; }
textarea { min-block-size: 6em; resize: vertical; }
.row { display: flex; gap: 8px; align-items: end; }
.row > :first-child { flex: 1; }
table { border-collapse: collapse; inline-size: 100%; margin-block-start: 10px; }
th { font-weight: 400; text-align: start; padding: 4px; }
td { padding: 4px; text-align: center; }
thead th { text-align: center; font-size: .9em; }
.cell { display: inline-flex; flex-direction: column; align-items: center; gap: 2px; min-inline-size: 24px; }
.actions { display: flex; flex-wrap: wrap; gap: 8px; margin-block-start: var(--_space); align-items: center; }
.actions .spacer { flex: 1; }
button {
  font: inherit; min-block-size: 36px; min-inline-size: 36px; padding: 6px 14px; border-radius: calc(var(--_radius) / 2); cursor: pointer;
  border: 1px solid var(--_border); background: transparent; color: var(--_text); scroll-margin-block: var(--_space);
}
button.primary { background: var(--_accent); border-color: var(--_accent); color: var(--_accent-text); font-weight: 600; }
button.plain { border-color: transparent; color: var(--_muted); text-decoration: underline; padding-inline: 4px; }
button.close { border-color: transparent; padding: 4px; font-size: 1.2em; line-height: 1; }
button[aria-disabled=true] { opacity: .6; cursor: default; }
a { color: var(--_accent); display: inline-block; min-block-size: 24px; }
:is(button, input, select, textarea, a, [tabindex]):focus-visible { outline: 3px solid var(--_accent); outline-offset: 2px; }
.error { color: var(--_error); font-weight: 600; margin-block-start: 6px; }
.error:empty { display: none; }
[aria-invalid=true] { border-color: var(--_error) !important; }
.summary { border: 2px solid var(--_error); border-radius: calc(var(--_radius) / 2); padding: 10px; margin-block-end: var(--_space); }
.summary ul { margin: 6px 0 0; padding-inline-start: 20px; }
.summary button { border: 0; padding: 2px; min-block-size: 24px; color: var(--_error); text-decoration: underline; text-align: start; }
.banner { border: 1px solid var(--_border); border-radius: calc(var(--_radius) / 2); padding: 8px; margin-block: 8px; }
.banner.failed { border-color: var(--_error); color: var(--_error); }
.signature { border: 1px solid var(--_border); border-radius: calc(var(--_radius) / 2); max-inline-size: 100%; touch-action: none; display: block; margin-block-start: 8px; }
.chat [role=log] { max-block-size: 40vh; overflow: auto; }
.working { position: sticky; inset-block-end: 0; padding-block: 6px; background: var(--_background); color: var(--_muted); }
.chat .row { margin-block-start: 8px; }
input[type=color] + output { padding-inline: 6px; }
dt { font-weight: 600; } dd { margin: 0 0 6px; }
[hidden] { display: none !important; }
.visually-hidden { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
progress { inline-size: 100%; accent-color: var(--_accent); }
.enter { animation: enter .2s ease-out; }
@keyframes enter { from { opacity: 0; transform: translateY(8px); } }
@media (prefers-reduced-motion: reduce) { *, *::before, :host { animation: none !important; transition: none !important; scroll-behavior: auto !important; } }
@media (forced-colors: active) {
  .option:has(:checked) { outline: 2px solid Highlight; }
  button.primary { border: 2px solid ButtonText; forced-color-adjust: auto; }
  .panel { border: 2px solid CanvasText; }
}
@media (max-width: 360px) { :host { --_space: var(--bw-space, 10px); } :host([popover]) { inset-inline: 8px; inline-size: auto; } }
`;
