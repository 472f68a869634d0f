// The sample page (docs/web.md#addresses): its buttons show messages and reset the visitor. The widget does the rest.

const say = (/** @type {string} */ text) => {
  const place = document.getElementById("sample-status");
  if (place) place.textContent = text;
};

/** @returns {any} */
const client = () => Reflect.get(globalThis, "bellwether");

/**
 * Resets the visitor, records two page views and shows the message of a surface. A new visitor has no counted displays.
 * @param {string} surface
 */
async function offer(surface) {
  const bellwether = client();
  bellwether.reset();
  const { surfaces } = bellwether.options;
  bellwether.options.surfaces = [surface];
  await bellwether.event("page_viewed", 2);
  bellwether.options.surfaces = surfaces;
  say(
    bellwether.views.size > 0
      ? ""
      : "Nothing is offered on this surface now: its trigger asks for more than two views.",
  );
}

document.addEventListener("click", (event) => {
  const pressed = event.target instanceof Element ? event.target.closest("[data-sample]") : null;
  if (!(pressed instanceof HTMLElement) || !client()) return;
  const { sample, surface = "" } = pressed.dataset;
  if (sample === "offer") offer(surface);
  if (sample === "anew") {
    client().reset();
    location.reload();
  }
});
