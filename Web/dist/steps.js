function d(e){if(!(e?.type!=="button"&&e?.type!=="press_hold_confirm"))return e.action===void 0||e.action==="continue"?"next":e.action}function c(e){let a=[...e.querySelectorAll(".step .block")].filter(n=>!n.closest("[hidden]")),r=new Set(a.map(n=>d(n.block))),o=e.querySelector(".flow > .actions"),s=[["primary","next"],["plain","skip"]].flatMap(([n,l])=>{let i=o?.querySelector(`:scope > .${n}`)??null;return i&&(i.hidden=r.has(l)),i?[i]:[]});o&&(o.hidden=s.every(n=>n.hidden))}var t=`
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
`;var g=`
.page .flow { padding-block-end: max(var(--_space), env(safe-area-inset-bottom)); }
.centered :is(.bidi, .text) { text-align: center; }
.grid { --columns: 3; display: grid; grid-template-columns: repeat(auto-fit, minmax(max(min(8.5rem, 50% - 5px), (100% - 20px) / var(--columns)), 1fr)); gap: 10px; }
.grid.two, .grid:has(> :last-child:nth-child(4)) { --columns: 2; }
.grid.three { grid-template-columns: repeat(3, minmax(0, 1fr)); }
.grid .option .bidi { text-align: center; }
.grid .option { flex-direction: column; justify-content: center; position: relative; padding: 18px 10px 14px; text-align: center; min-block-size: 96px; gap: 8px; }
.grid .option > span { flex: none; }
.grid .option input { position: absolute; inset-block-start: 8px; inset-inline-end: 8px; }
.grid .option .icon { font-size: 2em; }
.grid .option:has(img.icon) { padding: 0 0 12px; overflow: clip; justify-content: flex-start; }
.grid .option img.icon { inline-size: 100%; block-size: 96px; border-radius: 0; }
.grid .option:has(img.icon) input { background: var(--_background); }
.faces .option { flex: 1 1 48px; border: 0; background: none; box-shadow: none; border-radius: var(--_inner); color: var(--_muted); }
.faces svg { pointer-events: none; inline-size: 100%; max-inline-size: 40px; block-size: auto; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; }
.faces .option:has(:checked) { color: var(--_star, var(--_link)); background: var(--_tint); box-shadow: inset 0 0 0 2px var(--_star, var(--_accent)); }
.banner { border: 1px solid var(--_line); border-radius: var(--_inner); padding: 10px 12px; margin-block: 8px; background: var(--_soft); }
.banner.failed { border-color: var(--_error); color: var(--_error); background: none; }
.meter.segments { background: none; }
.meter.segments > *, .meter.dots > * { flex: 1; background: var(--_line); }
.meter.segments > .done, .meter.dots > .done { background: var(--_accent); }
.meter.dots { background: none; block-size: 8px; justify-content: center; gap: 8px; }
.meter.dots > * { flex: 0 0 8px; transition: flex-basis .2s; background: var(--_border); }
.meter.dots > .now { flex-basis: 24px; }
.back svg { inline-size: 22px; block-size: 22px; display: block; margin: auto; }
[dir=rtl] .back svg { transform: scaleX(-1); }
.flow { display: flex; flex-direction: column; }
.flow h2 { font-size: 1.6em; }
.flow h2 + .muted, .flow .lead { margin-block-start: 6px; font-size: 1.05em; }
.flow > .step { margin-block-start: calc(var(--_space) * 1.25); }
.flow > .step:empty { display: none; }
.flow > .hero { inline-size: 100%; max-block-size: min(20rem, 45dvh); object-fit: cover; margin-block-end: calc(var(--_space) * 1.25); border-radius: var(--_radius); }
.flow > .actions { flex-direction: column; align-items: stretch; gap: 4px; margin-block-start: calc(var(--_space) * 1.5); }
.flow > .actions .primary { min-block-size: 50px; font-size: 1.05em; }
.flow > .actions .plain { align-self: center; text-decoration: none; font-weight: 500; }
.flow > .actions .plain:hover { text-decoration: underline; }
.page .flow { min-block-size: min(40rem, 84svh); }
.page .flow > .actions { margin-block-start: auto; padding-block-start: calc(var(--_space) * 1.5); }
.centered > :is(h2, .lead, .head) { text-align: center; }
.centered h2 { font-size: 1.9em; text-align: center; }
.gains { display: grid; gap: 14px; margin: 0; padding: 0; list-style: none; }
.gains li { display: flex; gap: 14px; align-items: center; }
.tile { flex: none; display: grid; place-items: center; inline-size: 48px; block-size: 48px; border-radius: var(--_inner); background: var(--_tint); color: var(--_link); font-size: 1.5em; overflow: hidden; }
.tile svg { inline-size: 24px; block-size: 24px; }
.tile img { inline-size: 100%; block-size: 100%; object-fit: cover; border-radius: 0; }
.gains strong { display: block; line-height: 1.3; }
@media (forced-colors: active) {
  .faces .option:has(:checked) { forced-color-adjust: none; background: Highlight; color: HighlightText; }
  .tile, .banner { border: 2px solid CanvasText; }
  .meter.segments > :not(.done), .meter.dots > :not(.done) { background: GrayText !important; }
  .meter.dots { border: 0; }
}
@media (max-width: 30rem) { .page .flow { min-block-size: 86svh; } }
@media (max-width: 360px) { .flow h2 { font-size: 1.4em; } }
${t}`;export{g as css,c as spare};
