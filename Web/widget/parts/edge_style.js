export const css = `
:host {
  position: fixed; inset-block: 0; inset-inline: auto 0; z-index: calc(var(--bw-layer, 2147483000) - 1);
  display: grid; align-content: center; justify-items: end; pointer-events: none;
  padding: env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left);
}
:host([data-side=start]) { inset-inline: 0 auto; }
:host([data-side=bottom]) { inset-block: auto 0; }
button {
  --_inner: max(var(--_radius), 6px);
  display: block; pointer-events: auto; min-inline-size: 44px; max-block-size: 70dvh; margin: 0; padding: 16px 10px; overflow: hidden;
  background: var(--_accent); color: var(--_accent-text); border-color: var(--_accent); font-weight: 600;
  border-radius: 0; border-start-start-radius: var(--_inner); border-end-start-radius: var(--_inner);
  box-shadow: var(--bw-shadow, 0 2px 12px rgb(0 0 0 / .24));
}
button:hover { background: var(--_accent); filter: brightness(1.08); }
span { writing-mode: vertical-rl; }
:host([data-side=start]) button { border-radius: 0; border-start-end-radius: var(--_inner); border-end-end-radius: var(--_inner); }
:host([data-side=bottom]) button {
  padding: 10px 18px; margin-inline: var(--_space); border-radius: var(--_inner) var(--_inner) 0 0;
}
:host([data-side=bottom]) span { writing-mode: inherit; }
@media (forced-colors: active) { button { border: 2px solid ButtonText; } }
@media print { :host { display: none; } }
`;
