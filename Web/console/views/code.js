// The QR code of an address, in a dialog.

import { download } from "../csv.js";
import { show } from "../elements/dialog.js";
import { button } from "../elements/parts.js";
import { t } from "../texts.js";
import { h } from "../../shared/dom.js";
import { picture } from "../../widget/parts/qr.js";

/** @param {string} slug the name of the saved file @param {string} address */
export async function showCode(slug, address) {
  const code = picture(address);
  const close = h("button", { type: "button", class: "button", onclick: () => dialog.close() }, t("action.close"));
  const save = () => download(`${slug}.svg`, [new XMLSerializer().serializeToString(code)], "image/svg+xml");
  /** @type {HTMLDialogElement} */
  const dialog = h("dialog", { class: "dialog", "aria-label": t("share.code") });
  dialog.append(
    h("h2", {}, t("share.code")),
    code ?? h("p", {}, t("share.long")),
    h("p", {}, h("bdi", {}, address)),
    h("div", { class: "dialog-actions" }, close, code && button(t("share.save"), "download", save)),
  );
  await show(dialog, close);
}
