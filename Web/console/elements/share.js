// The address of a recipe's own page: to copy, as a QR code, and with the setting that opens it for everybody.

import { icon } from "../icons.js";
import { session } from "../session.js";
import { later, t } from "../texts.js";
import { h } from "../../shared/dom.js";
import { copied } from "./copy.js";
import { button } from "./parts.js";
import { toast } from "./toast.js";

/** The full address of a recipe's page. @param {string} app @param {string} slug */
const pageAddress = (app, slug) =>
  `${session().settings?.public_url ?? location.origin}/s/${encodeURIComponent(app)}/${encodeURIComponent(slug)}`;

/** The setting that makes pages public, as it stands in the daemon's file. */
const setting = "public: [hosted]";

/**
 * The address with its actions, and below it who may open it.
 * @param {string} app @param {string} slug
 */
export function share(app, slug) {
  const address = pageAddress(app, slug);
  const copy = async () => toast(await copied(address) ? t("toast.copied") : address);
  const [before, after] = t("share.closed", { setting: "\u0000" }).split("\u0000");
  return h(
    "div",
    { class: "stack" },
    h("a", { href: address, target: "_blank", rel: "noopener" }, h("bdi", {}, address), " ", icon("external")),
    h(
      "div",
      { class: "json-field" },
      button(t("action.copy"), "copy", () => void copy()),
      button(t("share.code"), "link", () => void showCode(slug, address)),
    ),
    session().settings?.hosted_public
      ? h("p", { class: "hint" }, t("share.open"))
      : h("p", { class: "finding is-warning" }, icon("warning"), h("span", {}, before, h("code", {}, setting), after)),
  );
}

/** Shows the QR code of an address. @param {string} slug @param {string} address */
const showCode = async (slug, address) => (await later(() => import("../views/code.js"))).showCode(slug, address);
