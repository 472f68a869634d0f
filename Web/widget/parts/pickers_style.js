export const css = `
.swatches { display: flex; flex-wrap: wrap; align-items: center; gap: 10px; margin-block-start: 10px; }
button.swatch { inline-size: 40px; block-size: 40px; min-block-size: 40px; min-inline-size: 40px; padding: 0; border-radius: 50%; border: 1px solid var(--_border); position: relative; }
button.swatch[aria-pressed=true] { box-shadow: 0 0 0 3px var(--_background), 0 0 0 5px var(--_accent); }
.swatches input { margin: 0 !important; inline-size: 44px !important; block-size: 44px !important; padding: 0; border: 0; background: none; cursor: pointer; }
.swatches input::-webkit-color-swatch { border-radius: 10px; border: 1px solid var(--_border); }
.drop { border: 1.5px dashed var(--_border); border-radius: var(--_inner); padding: 14px; margin-block-start: 8px; background: var(--_soft); display: flex; flex-wrap: wrap; align-items: center; gap: 12px; }
.drop img { inline-size: 72px; block-size: 72px; object-fit: cover; }
.drop input { flex: 1 1 12rem; min-inline-size: 0; margin: 0 !important; color: var(--_muted); }
.drop ::file-selector-button { font: inherit; font-weight: 500; padding: 8px 14px; margin-inline-end: 12px; border-radius: var(--_inner); border: 1px solid var(--_border); background: var(--_background); color: var(--_text); cursor: pointer; }
.signature { border: 1px solid var(--_border); border-radius: var(--_inner); inline-size: 100%; aspect-ratio: 8 / 3; touch-action: none; display: block; margin-block-start: 8px; cursor: crosshair; background: linear-gradient(var(--_line), var(--_line)) center 76% / 86% 1px no-repeat; }
.combo { position: relative; }
.places { position: absolute; z-index: 2; inset-inline: 0; inset-block-start: calc(100% + 4px); margin: 0; padding: 4px; list-style: none; background: var(--_background); border: 1px solid var(--_border); border-radius: var(--_inner); box-shadow: 0 8px 24px rgb(0 0 0 / .18); max-block-size: 16rem; overflow: auto; }
.places li { padding: 10px 12px; border-radius: calc(var(--_inner) * .7); cursor: pointer; }
.places li:hover, .places [aria-selected=true] { background: var(--_tint); }
.wheels { display: flex; gap: 8px; justify-content: center; margin-block-start: 10px; }
.column { flex: 1; min-inline-size: 0; }
.of-month { flex: 1.3; }
.wheel { position: relative; flex: 1; border-radius: var(--_inner); background: var(--_soft); overflow: hidden; }
.wheel::before { content: ""; position: absolute; inset-inline: 6px; inset-block-start: calc(50% - var(--item) / 2); block-size: var(--item); border-radius: calc(var(--_inner) * .8); background: var(--_tint); border: 1px solid var(--_accent); }
.wheel:has(:focus-visible) { outline: 3px solid var(--_accent); outline-offset: 2px; }
.reel { position: relative; block-size: calc(var(--item) * 5); padding-block: calc(var(--item) * 2); overflow-y: auto; scroll-snap-type: y mandatory; scrollbar-width: none; mask-image: linear-gradient(transparent, #000 35% 65%, transparent); overscroll-behavior: contain; }
.low .reel { block-size: calc(var(--item) * 3); padding-block: var(--item); }
.reel::-webkit-scrollbar { display: none; }
.reel span { unicode-bidi: plaintext; display: grid; place-items: center; block-size: var(--item); scroll-snap-align: center; cursor: pointer; white-space: nowrap; font-variant-numeric: tabular-nums; }
.reel .now { font-weight: 700; font-size: 1.1em; }
.wheel input.turn { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; margin: 0; opacity: 0; pointer-events: none; }
@media (forced-colors: active) {
  .swatch { forced-color-adjust: none; }
  .wheel::before { border: 2px solid Highlight; }
  .reel { mask-image: none; }
}
`;
