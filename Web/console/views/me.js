// The page of the signed-in person: name, appearance, and other sessions.

import { get, loadApps, path, write } from "../api.js";
import { button, sectionHead, time } from "../elements/parts.js";
import { toast } from "../elements/toast.js";
import { setPageKeys, singleKeys } from "../keys.js";
import { chooseDensity, chooseTheme, density, theme } from "../look.js";
import * as recipes from "../recipes.js";
import { rolesInWords } from "../roles.js";
import { isOpen, session } from "../session.js";
import { chooseLanguage, chosenLanguage, list, spoken, t } from "../texts.js";
import { h, uniqueId } from "../../shared/dom.js";

/** @param {import("../router.js").Context} context @returns {Promise<import("../router.js").View>} */
export async function me({ signal }) {
  const { name, roles, can } = session();
  const apps = await loadApps({ signal }).catch(() => []);
  const sessions = h("section", {});
  const show = async () => sessions.replaceChildren(sectionHead(t("me.sessions")), await table(signal, show));
  await show();
  setPageKeys({});
  const element = h(
    "div",
    { class: "stack me" },
    h(
      "div",
      { class: "panel prose" },
      h("p", {}, t("me.who", { name, roles: list(rolesInWords(roles, apps)) })),
      h("p", { class: "muted" }, t("me.can", { abilities: list(can.map((ability) => t(`ability.${ability}`))) })),
    ),
    h("section", {}, sectionHead(t("me.look")), look()),
    sessions,
  );
  return { element, title: t("me.title") };
}

function look() {
  const keys = uniqueId("keys");
  return h(
    "div",
    { class: "panel prose" },
    choices("me.language", ["browser", ...spoken], chosenLanguage() || "browser", (tag) => {
      chooseLanguage(tag === "browser" ? "" : tag);
      location.reload();
    }),
    choices("me.theme", ["system", "light", "dark"], theme(), chooseTheme),
    choices("me.density", ["roomy", "compact"], density(), chooseDensity),
    h(
      "label",
      { class: "choice" },
      h("input", {
        type: "checkbox",
        checked: singleKeys.areOn(),
        "aria-describedby": keys,
        onchange: (/** @type {{target: HTMLInputElement}} */ event) => singleKeys.turn(event.target.checked),
      }),
      t("me.keys"),
    ),
    h("p", { class: "hint", id: keys }, t("me.keys.hint"), " ", t("me.stored")),
  );
}

/** @param {string} key @param {string[]} values @param {string} chosen @param {(value: string) => void} choose */
function choices(key, values, chosen, choose) {
  const name = uniqueId("choice");
  return h(
    "fieldset",
    { class: "choices" },
    h("legend", {}, t(key)),
    values.map((value) =>
      h(
        "label",
        { class: "choice" },
        h("input", { type: "radio", name, checked: value === chosen, onchange: () => choose(value) }),
        t(`${key}.${value}`),
      )
    ),
  );
}

/** @param {AbortSignal} signal @param {() => Promise<void>} refresh */
async function table(signal, refresh) {
  if (isOpen()) return h("p", { class: "panel empty" }, t("me.sessions.none"));
  /** @type {{sessions: any[]}} */
  const { sessions } = await get(path("sessions"), { signal });
  const end = async (/** @type {{id: string, is_current: boolean}} */ item) => {
    try {
      await write("DELETE", path("sessions", item.id));
      if (item.is_current) return location.assign("/console/sign-in");
      toast(t("me.session.ended"));
      await refresh();
    } catch (error) {
      toast(recipes.sentence(error));
    }
  };
  const rows = sessions.map((item) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, item.token, " ", item.is_current && h("span", { class: "chip" }, t("me.session.this"))),
      h("td", {}, time(item.created)),
      h("td", {}, time(item.last_used)),
      h("td", { class: "end" }, button(t("me.session.end"), "close", () => void end(item), "quiet danger")),
    )
  );
  const heads = ["token", "created", "used"].map((name) => h("th", { scope: "col" }, t(`me.session.${name}`)));
  return h(
    "div",
    { class: "table-frame" },
    h(
      "table",
      { class: "table" },
      h("thead", {}, h("tr", {}, heads, h("th", {}, h("span", { class: "hidden-text" }, t("list.actions"))))),
      h("tbody", {}, rows),
    ),
  );
}
