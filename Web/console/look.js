// The appearance of the console for a person: its theme, and the height of rows.

const themeObservers = new Set();

/** Calls the observer after a change of the theme. @param {() => void} observer */
export const onTheme = (observer) => void themeObservers.add(observer);

export function theme() {
  return document.documentElement.dataset.theme ?? "system";
}

/** @param {string} name */
export function chooseTheme(name) {
  if (name === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  // The daemon serves the shell with this theme, so that no page flashes in the other theme.
  document.cookie = `bellwether-theme=${name}; path=/console; max-age=${
    name === "system" ? 0 : 31_536_000
  }; samesite=strict`;
  for (const observer of themeObservers) observer();
}

export const density = () => localStorage.getItem("bellwether-density") ?? "roomy";

/** @param {string} name */
export function chooseDensity(name) {
  if (name === "roomy") localStorage.removeItem("bellwether-density");
  else localStorage.setItem("bellwether-density", name);
  showDensity();
}

export function showDensity() {
  document.documentElement.dataset.density = density();
}
