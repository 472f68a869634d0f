export const css = `
.timeline li { position: relative; display: flex; gap: 14px; padding-block-end: 22px; min-block-size: 44px; }
.timeline.compact li { padding-block-end: 10px; }
.timeline li:last-child { padding-block-end: 0; min-block-size: 0; }
.timeline li:not(:last-child)::before { content: ""; position: absolute; inset-block: 28px 0; inset-inline-start: 13px; inline-size: 2px; background: var(--line, var(--_line)); }
.timeline li.past:not(:last-child)::before { background: var(--past, var(--_accent)); }
.timeline.loose li::before { display: none; }
.knot { position: relative; flex: none; display: grid; place-items: center; inline-size: 28px; block-size: 28px; border-radius: 50%; border: 2px solid var(--next, var(--_border)); background: var(--_background); font-size: .8em; }
.knot svg { inline-size: 16px; block-size: 16px; }
.past .knot { background: var(--past, var(--_accent)); border-color: var(--past, var(--_accent)); color: var(--_accent-text); }
.now .knot { border-color: var(--now, var(--_accent)); box-shadow: 0 0 0 4px var(--_tint); }
.now .knot:empty::after { content: ""; inline-size: 10px; block-size: 10px; border-radius: 50%; background: var(--now, var(--_accent)); }
.timeline .titled { padding-block-start: 3px; }
.timeline .titled > :first-child { font-weight: 600; }
.gauge { text-align: center; }
.gauge .bidi { text-align: center; }
.ring { position: relative; inline-size: 160px; max-inline-size: 100%; margin-inline: auto; display: grid; place-items: center; }
.gauge p { margin-block-start: 4px; }
.gauge p:not(.muted) { font-weight: 600; }
.ring svg, .countdown svg { inline-size: 100%; display: block; transform: rotate(-90deg); grid-area: 1 / 1; }
.ring strong { unicode-bidi: plaintext; grid-area: 1 / 1; font-size: 1.7em; letter-spacing: -.02em; z-index: 1; }
circle { fill: none; stroke-linecap: round; }
.track { stroke: var(--_line); }
.arc { stroke: var(--_accent); transition: stroke-dasharray .5s linear; }
.grows { animation: grow .9s ease-out backwards; }
@keyframes grow { from { stroke-dasharray: 0 400; } }
.countdown { display: grid; justify-items: center; gap: 10px; text-align: center; font-size: var(--size, 2rem); font-variant-numeric: tabular-nums; }
.countdown > svg { inline-size: 180px; block-size: 180px; }
.countdown:has(svg) .digits { grid-area: 1 / 1; align-self: center; }
.countdown:has(svg) { font-size: var(--size, 1.6rem); }
.digits { direction: ltr; display: flex; gap: .5em; font-weight: 700; line-height: 1.1; }
.unit { position: relative; display: grid; justify-items: center; }
.unit + .unit::before { content: ":"; position: absolute; inset-inline-start: -.43em; opacity: .5; }
.unit small { font-size: .75rem; font-weight: 500; color: var(--_muted); }
.flip b { background: var(--_text); color: var(--_background); border-radius: .18em; padding: .12em .22em; box-shadow: inset 0 -1px 0 rgb(0 0 0 / .3); background-image: linear-gradient(transparent 49%, rgb(128 128 128 / .5) 49% 51%, transparent 51%); }
.rail { inline-size: 100%; block-size: 8px; border-radius: 99px; background: var(--_line); overflow: hidden; }
.line { display: block; block-size: 100%; background: var(--_accent); border-radius: inherit; transition: inline-size .5s linear; }
.over { font-size: 1.1rem; color: var(--_muted); }
.loading { display: grid; gap: 12px; justify-items: center; text-align: center; }
.loading p { font-weight: 600; }
.signs { inline-size: 100%; display: grid; gap: 10px; justify-items: center; }
.signs:empty { display: none; }
.spin { inline-size: 48px; block-size: 48px; border-radius: 50%; border: 4px solid var(--_line); border-block-start-color: var(--_accent); animation: spin .9s linear infinite; }
@keyframes spin { to { rotate: 1turn; } }
.run { inline-size: 100%; block-size: 6px; border-radius: 99px; background: var(--_line); overflow: hidden; }
.run span { display: block; block-size: 100%; inline-size: 40%; border-radius: inherit; background: var(--_accent); animation: run 1.4s ease-in-out infinite; }
@keyframes run { from { transform: translateX(-100%); } to { transform: translateX(250%); } }
.bone { block-size: 16px; inline-size: 100%; border-radius: 6px; background: linear-gradient(100deg, var(--_soft) 30%, var(--_line) 50%, var(--_soft) 70%) 0 / 300% 100%; animation: shine 1.6s linear infinite; }
.bone:nth-child(2) { inline-size: 85%; justify-self: start; }
.bone:nth-child(3) { inline-size: 60%; justify-self: start; }
@keyframes shine { from { background-position: 130% 0; } to { background-position: -30% 0; } }
.loading ul { display: grid; gap: 10px; inline-size: fit-content; text-align: start; }
.loading li { display: flex; gap: 12px; align-items: center; color: var(--_muted); transition: color .3s; }
.loading li.done { color: var(--_text); }
.check { flex: none; display: grid; place-items: center; inline-size: 28px; block-size: 28px; border-radius: 50%; border: 2px solid var(--_line); transition: background-color .3s, border-color .3s; }
.check svg { inline-size: 16px; block-size: 16px; opacity: 0; color: var(--_accent-text); grid-area: 1 / 1; }
.check .icon { grid-area: 1 / 1; font-size: .85em; }
.done .check { background: var(--check, var(--_accent)); border-color: var(--check, var(--_accent)); }
.done .check svg { opacity: 1; }
.done .check .icon { opacity: 0; }
.plans { display: grid; gap: 14px; }
.plans > li { position: relative; display: flex; flex-direction: column; gap: 6px; padding: 18px; border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_background); }
.plans > li.best { border: 2px solid var(--_accent); background: var(--_tint); }
.plans strong { font-size: 1.05em; }
.price { text-align: left; font-size: 1.7em; font-weight: 700; letter-spacing: -.02em; line-height: 1.2; }
[dir=rtl] .price { text-align: right; }
.price small { font-size: 1rem; font-weight: 400; letter-spacing: 0; }
.plans .list { margin-block: 8px; gap: 6px; }
.plans button { margin-block-start: auto; min-block-size: 46px; }
.flag { align-self: start; background: var(--_accent); color: var(--_accent-text); border-radius: 99px; padding: 2px 10px; font-size: .8em; font-weight: 600; }
.plans.beside { grid-template-columns: repeat(auto-fit, minmax(min(100%, 11rem), 1fr)); }
.avatar { position: relative; inline-size: var(--size, 112px); block-size: var(--size, 112px); margin: 20px auto; display: grid; place-items: center; }
.avatar > * { grid-area: 1 / 1; }
.avatar img, .face { position: relative; inline-size: 100%; block-size: 100%; border-radius: 50%; object-fit: cover; border: var(--edge-width, 3px) solid var(--edge, var(--_background)); }
.face { display: grid; place-items: center; background: var(--_accent); color: var(--_accent-text); font-size: 2.4em; font-weight: 600; }
.pulse { inline-size: 100%; block-size: 100%; border-radius: 50%; border: 2px solid var(--_accent); opacity: .35; animation: pulse 2.4s ease-out infinite; }
@keyframes pulse { from { transform: scale(1); opacity: .7; } to { transform: scale(1.4); opacity: 0; } }
.block:has(> .sky) { margin: 0; position: static; }
.sky { position: absolute; inset: calc(var(--_space) * -1.25); z-index: -1; overflow: hidden; pointer-events: none; border-radius: var(--_radius); }
.block:has(> .sky.band) { position: relative; margin-block-end: var(--_space); }
.sky.band { position: relative; inset: auto; z-index: 0; block-size: 140px; background: linear-gradient(#0b1030, #26306b); --_accent: #fff; }
.sky span { position: absolute; border-radius: 50%; background: var(--_accent); opacity: .5; animation: twinkle 5s ease-in-out infinite alternate; }
.sky.sparkles span { border-radius: 0; clip-path: polygon(50% 0, 60% 40%, 100% 50%, 60% 60%, 50% 100%, 40% 60%, 0 50%, 40% 40%); scale: 3; }
.sky.snow span { animation-name: snow; animation-timing-function: linear; animation-direction: normal; }
.sky.bokeh span { opacity: .16; animation-name: drift; }
@keyframes twinkle { from { opacity: .12; } to { opacity: .8; } }
@keyframes snow { from { transform: translateY(-60px); opacity: 0; } 20% { opacity: .7; } to { transform: translateY(240px); opacity: 0; } }
@keyframes drift { from { transform: translate(0, 0); } to { transform: translate(24px, -30px); } }
.hold { position: relative; overflow: hidden; touch-action: none; user-select: none; border-color: var(--_accent); color: var(--_link); font-weight: 600; }
.hold::before { content: ""; position: absolute; inset: 0; background: var(--_accent); opacity: .25; transform: scaleX(0); transform-origin: left; transition: transform .2s; }
[dir=rtl] .hold::before { transform-origin: right; }
.hold.held::before { transform: scaleX(1); transition: transform 1s linear; }
.calendar { border: 1px solid var(--_line); border-radius: var(--_inner); padding: 14px; text-align: center; }
.days { display: grid; grid-template-columns: repeat(7, 1fr); gap: 2px; margin-block-start: 10px; font-variant-numeric: tabular-nums; }
.days span { display: grid; place-items: center; aspect-ratio: 1; max-block-size: 38px; margin: auto; inline-size: 100%; max-inline-size: 38px; }
.days .today { background: var(--_accent); color: var(--_accent-text); border-radius: 50%; font-weight: 700; }
@media (max-width: 360px) { .countdown { font-size: var(--size, 1.6rem); } }
@media (forced-colors: active) {
  .flag { border: 1px solid CanvasText; }
  .arc, .past .knot, .line { stroke: Highlight; }
  .track { stroke: GrayText; }
  .line, .run span, .now .knot:empty::after, .past .knot, .done .check { forced-color-adjust: none; background: Highlight; color: HighlightText; }
  .sky { display: none; }
}
`;
