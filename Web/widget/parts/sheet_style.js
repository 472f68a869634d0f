export const css = `
dialog.sheet {
  position: fixed; inset: auto 0 var(--_keyboard, 0px) 0; margin: 0 auto; padding: 0; border-width: 1px 0 0;
  inline-size: min(100vw, 46rem); max-inline-size: none; max-block-size: none;
  block-size: min(var(--_height, 50dvh), calc(var(--_room, 100dvh) - 24px)); transform: translateY(var(--_shift, 0));
  border-radius: max(var(--_radius), 14px) max(var(--_radius), 14px) 0 0; overflow: hidden;
  transition: block-size .25s ease-out, transform .25s ease-out; animation: rise .28s ease-out;
}
dialog.large { --_height: 100dvh; }
dialog.dragged { transition: none; }
dialog.sheet::backdrop { animation: dim .28s ease-out; touch-action: none; }
.grabber {
  flex: none; inline-size: 100%; min-block-size: 28px; padding: 0; border: 0; border-radius: 0; background: none; touch-action: none;
  cursor: grab; display: grid; place-items: center;
}
.grabber:hover { background: none; }
.grabber::before { content: ""; inline-size: 40px; block-size: 5px; border-radius: 99px; background: var(--_border); }
.grabber:focus-visible { outline-offset: -3px; border-radius: max(var(--_radius), 14px); }
@keyframes rise { from { transform: translateY(100%); } }
@keyframes dim { from { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { dialog.sheet::backdrop { animation: none; } }
@media (forced-colors: active) { .grabber::before { background: ButtonText; forced-color-adjust: none; } }
`;
