export const css = `
.stepped { display: flex; gap: 8px; margin-block-start: 8px; align-items: stretch; position: relative; }
.stepped > input { margin-block-start: 0 !important; flex: 1; min-inline-size: 0; }
button.small { flex: none; inline-size: 46px; min-block-size: 46px; padding: 0; font-size: 1.3em; line-height: 1; border-color: var(--_line); background: var(--_soft); }
button.small:hover { background: var(--_tint); border-color: var(--_accent); }
.counter .stepped { max-inline-size: 15rem; }
.counter input { text-align: center; font-weight: 600; appearance: textfield; }
.counter input::-webkit-inner-spin-button { appearance: none; }
input.code { inline-size: calc(var(--_places) * 2em + 26px); max-inline-size: 100%; font-family: ui-monospace, monospace; font-size: 1.3em; letter-spacing: calc(2em - 1ch); direction: ltr; text-align: start; padding: 10px 13px 14px calc(13px + .3em); background: repeating-linear-gradient(90deg, var(--_border) 0 1.2em, transparent 1.2em 2em) 13px calc(100% - 10px) / calc(var(--_places) * 2em) 2px no-repeat var(--_background); }
.reveal svg { inline-size: 22px; block-size: 22px; display: block; margin: auto; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; }
.reading { display: block; inline-size: fit-content; unicode-bidi: plaintext; color: var(--_muted); font-size: .95em; margin-block-start: 4px; font-variant-numeric: tabular-nums; }
.slide { margin-block-start: 6px; }
.slide .reading { font-size: 1.15em; font-weight: 600; color: var(--_link); margin: 0; }
.slide .empty, .bounds .reading.empty { font-weight: 400; font-size: .95em; color: var(--_muted); }
.groove { position: relative; block-size: 36px; margin-block-start: 6px; }
.groove::before, .groove .fill { content: ""; position: absolute; inset-block: 15px; inset-inline: 0; border-radius: 99px; background: var(--_line); }
.groove .fill { background: var(--_accent); }
.groove input[type=range] { position: absolute; inset: 0; margin: 0; block-size: 36px; min-block-size: 36px; appearance: none; background: none; pointer-events: none; }
.groove input:only-of-type { pointer-events: auto; }
.groove input::-webkit-slider-thumb { appearance: none; pointer-events: auto; inline-size: 26px; block-size: 26px; border-radius: 50%; background: var(--_background); border: 3px solid var(--_accent); box-shadow: 0 1px 4px rgb(0 0 0 / .3); cursor: grab; }
.groove input::-moz-range-thumb { pointer-events: auto; box-sizing: border-box; inline-size: 26px; block-size: 26px; border-radius: 50%; background: var(--_background); border: 3px solid var(--_accent); box-shadow: 0 1px 4px rgb(0 0 0 / .3); cursor: grab; }
.groove input::-moz-range-track { background: none; }
.bounds > * { unicode-bidi: plaintext; }
.bounds { display: flex; justify-content: space-between; gap: 12px; font-size: .9em; }
.bounds .empty + .empty { display: none; }
.bounds .reading { font-weight: 600; color: var(--_link); margin-block-start: 8px; }
.switch input {
  appearance: none; inline-size: 48px; block-size: 28px; border: 0; border-radius: 99px; background: var(--_border); position: relative; cursor: pointer; transition: background-color .15s;
}
.switch input::before { content: ""; position: absolute; block-size: auto; clip-path: none; inset-block: 3px; inset-inline-start: 3px; inline-size: 22px; border-radius: 50%; background: var(--_background); transition: inset-inline-start .15s; }
.switch input:checked { background: var(--_accent); }
.switch input:checked::before { inset-inline-start: 23px; }
.switch:has(:checked) { background: none; border-color: var(--_line); box-shadow: none; }
.switch > span { font-weight: 500; }
.switch .hint { font-weight: 400; }
.halves .option { flex: 0 1 24px; padding-inline: 0; }
.halves .option svg { max-inline-size: 20px; transform: none !important; }
.halves .option:nth-child(odd) svg { margin-inline-start: auto; }
.halves .option:nth-child(even) svg { margin-inline-end: auto; }
[dir=rtl] .halves svg { transform: scaleX(-1) !important; }
.halves { gap: 0; }
.pills, .chips { display: flex; flex-flow: row wrap; gap: 8px; margin-block-start: 10px; }
.pills .option { border-radius: 99px; min-block-size: 40px; padding: 4px 16px; position: relative; }
.pills .option:has(:checked) { background: var(--_accent); color: var(--_accent-text); }
button.chip { border-radius: 99px; min-block-size: 38px; padding: 4px 14px; border-color: var(--_line); font-weight: 400; }
button.chosen { background: var(--_tint); border-color: var(--_accent); font-weight: 500; }
@media (forced-colors: active) {
  .groove::before, .groove .fill { forced-color-adjust: none; background: GrayText; }
  .groove .fill { background: Highlight; }
  .pills .option:has(:checked) { forced-color-adjust: none; background: Highlight; color: HighlightText; }
  .switch input { border: 2px solid CanvasText; }
  .switch input::before { background: CanvasText; forced-color-adjust: none; }
  .switch input:checked { background: Highlight; forced-color-adjust: none; }
}
`;
