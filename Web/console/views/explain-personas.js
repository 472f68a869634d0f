// Personas: named requests, stored in this browser or shared in the manifest.

/** @typedef {{name: string, question: any, isShared: boolean}} Persona */

const most = 50;

/** @param {string} app @param {any} manifest @returns {Persona[]} the personas of this browser first */
export function personas(app, manifest) {
  const shared = Object.entries(manifest.personas ?? {}).map(([name, question]) => ({
    name,
    question,
    isShared: true,
  }));
  return [...own(app), ...shared.filter(({ name }) => !own(app).some((one) => one.name === name))];
}

/** @param {string} app @returns {Persona[]} */
function own(app) {
  try {
    const kept = JSON.parse(localStorage.getItem(key(app)) ?? "{}");
    return Object.entries(kept).map(([name, question]) => ({ name, question, isShared: false }));
  } catch {
    return [];
  }
}

/** @param {string} app */
const key = (app) => `bellwether-personas:${app}`;

/** Stores a request as a persona, without its client. @param {string} app @param {string} name @param {any} question */
export function savePersona(app, name, question) {
  const { client_id: _, surface: __, feature: ___, suppose: ____, ...rest } = question;
  keep(app, [{ name, question: rest, isShared: false }, ...own(app).filter((one) => one.name !== name)].slice(0, most));
}

/** @param {string} app @param {string} name */
export const removePersona = (app, name) => keep(app, own(app).filter((one) => one.name !== name));

/** @param {string} app @param {Persona[]} list */
const keep = (app, list) =>
  localStorage.setItem(
    key(app),
    JSON.stringify(Object.fromEntries(list.map(({ name, question }) => [name, question]))),
  );
