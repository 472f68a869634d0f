export const css = `
.block { margin-block: 0 var(--_space); }
.block:last-child { margin-block-end: 0; }
.block > .text { margin-block: 0; }
.block > .question { margin-block-end: 0; }
h4 { font-size: 1em; }
.level-1 { font-size: 1.6em; line-height: 1.2; letter-spacing: -.015em; text-wrap: balance; }
.level-2 { font-size: 1.3em; line-height: 1.25; letter-spacing: -.01em; }
.level-3 { font-size: 1.1em; }
.lead { font-size: 1.05em; }
.footer { font-size: .85em; text-align: center; }
.wide { inline-size: 100%; min-block-size: 48px; }
button.soft { background: var(--_tint); border-color: transparent; color: var(--_link); }
ul, ol { margin: 0; padding-inline-start: 1.3em; }
[role=list] { list-style: none; padding: 0; margin: 0; }
[part~=rich-text] > * + * { margin-block-start: .7em; }
[part~=rich-text] li + li { margin-block-start: .25em; }
blockquote { margin: 0; padding-inline-start: 14px; border-inline-start: 3px solid var(--_line); color: var(--_muted); }
table { border-collapse: collapse; inline-size: 100%; }
:is(th, td) { padding: 6px 8px; border-block-end: 1px solid var(--_line); vertical-align: top; }
th { font-weight: 600; }
code { background: var(--_soft); padding: 1px 5px; border-radius: 4px; }
.titled { display: block; min-inline-size: 0; }
.titled > * { display: block; }
.titled > .muted { font-size: .92em; }
.list { display: grid; gap: 10px; }
.list li { display: flex; gap: 10px; align-items: baseline; }
.bullet { flex: none; min-inline-size: 1.2em; color: var(--_link); font-weight: 600; }
.bullet svg { inline-size: 1.15em; block-size: 1.15em; vertical-align: -.2em; }
.caption > * { unicode-bidi: plaintext; }
.caption { display: flex; justify-content: space-between; gap: 12px; margin-block-end: 6px; font-weight: 500; }
.bar .meter { block-size: 10px; }
.line-up { display: flex; flex-wrap: wrap; gap: 12px; align-items: center; }
.line-up > .block { margin: 0; min-inline-size: 0; }
.line-up > .block > .wide { inline-size: auto; min-inline-size: 8rem; }
.equal > .block { flex: 1 1 0; min-inline-size: min(7rem, 100%); }
.fill > .block { flex: 1 1 auto; }
:is(.equal, .fill) > .block > .wide { inline-size: 100%; min-inline-size: 0; }
.pile { display: flex; flex-direction: column; gap: 12px; }
.pile > .block { margin: 0; }
.gap { block-size: 24px; }
hr { border: 0; border-block-start: 1px solid var(--_line); margin-block: 4px; }
.badge { display: inline-block; background: var(--_tint); color: var(--_link); border-radius: 99px; padding: 3px 12px; font-size: .85em; font-weight: 600; }
.sign { font-size: 2.5em; line-height: 1.1; }
.centered .sign { text-align: center; }
.sign img { margin: auto; inline-size: 1em; block-size: 1em; object-fit: contain; }
video { inline-size: 100%; }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(9rem, 45%), 1fr)); gap: 8px; }
.gallery img { inline-size: 100%; aspect-ratio: 1; object-fit: cover; }
.section { padding: 16px; border-radius: var(--_radius); background: var(--_soft); }
.grounded > .section { background: none; padding: 0; }
.notice { display: flex; gap: 12px; align-items: flex-start; padding: 14px; border-radius: var(--_inner); background: var(--_soft); border-inline-start: 4px solid var(--_border); }
.notice .sign { flex: none; display: grid; place-items: center; inline-size: 24px; block-size: 24px; border-radius: 50%; font-size: .9em; font-weight: 800; color: #fff; background: #9a5b00; }
.good .sign { background: #2e8540 !important; }
.warning { border-color: #b26a00; background: color-mix(in srgb, #f5a524 14%, var(--_background)); }
.good { border-color: #2e8540; background: color-mix(in srgb, #2e8540 12%, var(--_background)); }
.speech { position: relative; padding: 14px 16px; border-radius: 18px; border-end-start-radius: 4px; background: var(--_tint); inline-size: fit-content; max-inline-size: 100%; }
.summary-list { margin: 0; border: 1px solid var(--_line); border-radius: var(--_inner); overflow: hidden; }
.summary-list > div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 2px 16px; padding: 12px 14px; }
.summary-list > div + div { border-block-start: 1px solid var(--_line); }
dd { margin: 0; font-weight: 600; }
.summary-list:empty { display: none; }
.providers { display: grid; gap: 10px; }
.providers button { display: flex; align-items: center; justify-content: center; gap: 10px; background: var(--_text); color: var(--_background); border-color: transparent; }
.providers button:hover { filter: brightness(1.15); }
.providers.outlined button, .providers.minimal button { background: none; color: var(--_text); border-color: var(--_border); }
.providers.minimal button { border-color: transparent; }
.brand { inline-size: 20px; block-size: 20px; fill: currentColor; }
.mark { display: grid; place-items: center; inline-size: 24px; block-size: 24px; border-radius: 50%; border: 1.5px solid currentColor; font-size: .8em; font-weight: 700; line-height: 1; }
.or { display: flex; align-items: center; gap: 12px; text-align: center; font-size: .9em; }
.or::before, .or::after { content: ""; flex: 1; border-block-start: 1px solid var(--_line); }
.slides { display: flex; gap: 12px; overflow-x: auto; scroll-snap-type: x mandatory; padding: 4px 4px 12px; scrollbar-width: thin; }
.slides > .block { flex: 0 0 82%; margin: 0; scroll-snap-align: center; padding: 16px; border: 1px solid var(--_line); border-radius: var(--_inner); }
@media (max-width: 360px) { .slides > .block { flex-basis: 90%; } }
@media (forced-colors: active) { .badge, .section, .speech, .notice { border: 1px solid CanvasText; } }
`;
