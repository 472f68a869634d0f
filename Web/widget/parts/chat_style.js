export const css = `
.chat { display: flex; flex-direction: column; gap: 12px; }
.persona { display: flex; align-items: center; gap: 12px; padding-block-end: 12px; border-block-end: 1px solid var(--_line); }
.persona { position: sticky; inset-block-start: 0; z-index: 1; background: var(--_background); padding-block-start: 4px; }
.persona .who { inline-size: 48px; block-size: 48px; font-size: 1.25em; }
.persona strong, .persona .muted { display: block; line-height: 1.3; }
.who { flex: none; display: grid; place-items: center; inline-size: 32px; block-size: 32px; border-radius: 50%; background: var(--_tint); color: var(--_link); font-weight: 700; object-fit: cover; }
.talk { border-radius: var(--_inner); background: var(--talk, none); color: var(--talk-text, inherit); }
.chat [role=log] { max-block-size: min(46dvh, 26rem); overflow: auto; display: flex; flex-direction: column; padding: 4px; border-radius: inherit; }
.page .chat [role=log] { max-block-size: 52dvh; }
.message { display: flex; gap: 8px; align-items: flex-end; max-inline-size: 88%; margin-block-start: 4px; }
.message.first { margin-block-start: 12px; }
.message[data-role=ai]:not(.first) .who { visibility: hidden; }
.message[data-role=user] { align-self: flex-end; }
.message[data-role=system] { align-self: center; max-inline-size: 100%; }
.bubble { min-inline-size: 0; padding: 9px 14px; border-radius: var(--bubble, 18px); background: var(--theirs, var(--_soft)); color: var(--theirs-text, var(--_text)); border-end-start-radius: 5px; }
[data-role=user] .bubble { background: var(--mine, var(--_accent)); color: var(--mine-text, var(--_accent-text)); border-end-start-radius: var(--bubble, 18px); border-end-end-radius: 5px; }
[data-role=system] .bubble { background: none; border: 1px solid var(--_error); color: var(--_error); border-radius: var(--_inner); }
.bubble p { white-space: pre-line; }
.bubble img { margin-block-start: 8px; border-radius: 10px; max-block-size: 16rem; }
.bubble a { color: inherit; font-weight: 600; display: block; margin-block-start: 4px; }
.bubble .muted { color: inherit; font-style: italic; }
time { display: block; font-size: .72em; margin-block-start: 2px; color: var(--theirs-muted, var(--_muted)); text-align: end; }
[data-role=user] time { color: var(--mine-muted, inherit); }
.dots { display: flex; gap: 5px; padding-block: 6px; }
.dots i { inline-size: 8px; block-size: 8px; border-radius: 50%; background: var(--theirs-muted, var(--_muted)); animation: dot 1.2s ease-in-out infinite; }
.dots i:nth-child(2) { animation-delay: .15s; }
.dots i:nth-child(3) { animation-delay: .3s; }
@keyframes dot { 30% { transform: translateY(-5px); } 60% { transform: none; } }
.talk > .message { padding: 0 4px 4px; }
.replies { display: flex; flex-wrap: wrap; gap: 8px; }
.replies:empty { display: none; }
button.reply { border-radius: 99px; border-color: var(--_accent); color: var(--_link); min-block-size: 40px; padding: 4px 16px; }
button.reply:hover { background: var(--_tint); }
.rating { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 12px; inline-size: 100%; padding: 12px 14px; background: var(--_soft); border-radius: var(--_inner); }
.marks { display: flex; gap: 2px; flex-wrap: wrap; }
button.rate { border-color: transparent; padding: 4px; min-inline-size: 40px; min-block-size: 40px; background: none; }
.rate svg { inline-size: 28px; block-size: 28px; display: block; margin: auto; fill: transparent; stroke: var(--_link); stroke-width: 1.5; stroke-linejoin: round; }
.rate:is(:hover, :focus-visible) svg, .rate:has(~ .rate:is(:hover, :focus-visible)) svg { fill: var(--_link); }
.line input { margin: 0 !important; border-radius: 99px !important; padding-inline: 18px !important; }
button.send { border-radius: 50%; inline-size: 46px; padding: 0; flex: none; }
.send svg { inline-size: 22px; block-size: 22px; fill: none; stroke: currentColor; stroke-width: 2.4; stroke-linecap: round; stroke-linejoin: round; margin: auto; display: block; }
@media (max-height: 32rem) {
  :is(.chat, .page .chat) [role=log] { max-block-size: 32dvh; }
  .persona .who { inline-size: 32px; block-size: 32px; font-size: 1em; }
  .persona { padding-block-end: 6px; }
}
@media (forced-colors: active) {
  .bubble { border: 1px solid CanvasText; }
  .dots i { forced-color-adjust: none; background: CanvasText; }
  .rate svg { stroke: ButtonText; }
}
`;
