// The editor: an outline, a form and the text as three views of one document.

import { get, loadApps, path, Problem, readText } from "../api.js";
import { AppTexts } from "../ask/app-texts.js";
import { draftKey, drop, find } from "../document/drafts.js";
import { confirm } from "../elements/dialog.js";
import { toast } from "../elements/toast.js";
import { Editing, manifestName } from "../forms/editing.js";
import { formOf, kindOf } from "../forms/kinds.js";
import { formatOf, loadFormat } from "../forms/formats.js";
import { EditLock } from "../forms/lock.js";
import { EditorPage } from "../forms/page.js";
import { setPageKeys } from "../keys.js";
import * as recipes from "../recipes.js";
import { can } from "../session.js";
import { addTexts, t } from "../texts.js";
import editorTexts from "../texts/en_editor.js";
import conditionTexts from "../texts/en_conditions.js";
import questionTexts from "../texts/en_questions.js";

addTexts(editorTexts);
addTexts(questionTexts);
addTexts(conditionTexts);

export { newRecipe } from "./new.js";

/**
 * @typedef {import("../router.js").Context} Context
 * @typedef {import("../main.js").Shell} Shell
 * @typedef {import("../router.js").View} View
 */

/** @param {Context} context @param {Shell} shell @returns {Promise<View>} */
export async function edit(context, shell) {
  const { app, slug } = context.parameters;
  const all = await recipes.reload(app, context.signal);
  const recipe = all.find((recipe) => recipe.slug === slug);
  return open(context, shell, {
    slug,
    all,
    address: path("apps", app, "recipes", slug),
    name: recipe && recipes.nameOf(recipe),
    isFile: recipe?.read_only ?? false,
    hasEnded: recipe?.state === "ended",
  });
}

/** @param {Context} context @param {Shell} shell @returns {Promise<View>} */
export async function editManifest(context, shell) {
  const { app } = context.parameters;
  const apps = await loadApps({ signal: context.signal });
  return open(context, shell, {
    slug: manifestName,
    all: await recipes.reload(app, context.signal),
    address: path("apps", app, "manifest"),
    name: t("edit.manifest"),
    isFile: apps.find((item) => item.app === app)?.read_only ?? false,
  });
}

/**
 * @param {Context} context @param {Shell} shell
 * @param {{slug: string, all: recipes.Recipe[], address: string, name?: string, isFile: boolean, hasEnded?: boolean}} what
 * @returns {Promise<View>}
 */
async function open(context, shell, { slug, all, address, isFile, hasEnded, name: known }) {
  const { app } = context.parameters;
  const key = draftKey(app, slug);
  const [stored, draft, manifest, vocabulary, { lists }] = await Promise.all([
    readText(address, context.signal).catch(absent),
    find(key),
    get(path("apps", app, "manifest"), { signal: context.signal }).catch(() => ({})),
    get(path("apps", app, "vocabulary"), { signal: context.signal }),
    get(path("apps", app, "lists"), { signal: context.signal }).catch(() => ({ lists: [] })),
  ]);
  if (!stored && !draft) throw new Problem(404, { detail: t("recipe.gone", { slug, app }) });
  if (stored && draft?.text === stored.text) await drop(key);
  const isOffered = stored !== undefined && draft !== undefined && draft.text !== stored.text;
  const base = stored ?? { text: draft?.base ?? "", etag: "" };
  const texts = await AppTexts.load(app, manifest, context.signal);
  /** @type {EditorPage | undefined} */
  let page;
  const text = stored ? undefined : draft?.text;
  const taken = all.map((recipe) => recipe.slug).filter((other) => other !== slug);
  const editing = new Editing({ app, slug, base, text, own: draft?.slug, taken }, () => page?.refresh());
  const name = known ?? (editing.name || slug);
  const lock = new EditLock(key, async () => {
    await editing.keeper.flush();
    page?.setReader("tab");
  });
  const fixed = isFile ? "file" : !can("publish") ? "scope" : hasEnded ? "ended" : undefined;
  const reader = fixed ?? (await lock.acquire() ? undefined : "tab");
  const kindNow = () => slug === manifestName ? "manifest" : kindOf(editing.document.get(""));
  await loadFormat(kindNow(), context.signal);
  const form = formOf(kindNow());
  // A document whose text was given another kind keeps its form until the page is opened again.
  const sections = () => formOf(kindNow()) ?? form ?? [];
  const format = () => formatOf(kindNow());
  const offer = isOffered && !reader ? draft : undefined;
  page = new EditorPage({
    app,
    name,
    editing,
    manifest,
    vocabulary,
    lists: lists.map((/** @type {{name: string}} */ { name }) => name),
    all,
    shell,
    sections,
    format,
    offer,
    reader,
    texts,
  });
  setPageKeys(undefined);
  page.start(makeActions({ app, slug, name, editing, shell, page, lock }), context.query);
  return viewOf(page, editing, lock, { name, isAt: context.query.has("at") });
}

/**
 * @param {EditorPage} page @param {Editing} editing @param {EditLock} lock
 * @param {{name: string, isAt: boolean}} what `isAt`: the address names a place
 * @returns {View}
 */
function viewOf(page, editing, lock, { name, isAt }) {
  return {
    element: /** @type {HTMLElement} */ (page.element),
    title: `${name} · ${t("edit.title")}`,
    update: ({ query }) => page.show(query),
    // The author of a new document types its first field, and a link to a field leads to it.
    focus: !page.isEditable || page.view === "json"
      ? undefined
      : editing.isNew
      ? () => (isAt && page.form.focus(page.at)) || page.form.focusFirst()
      : isAt
      ? () => void page.form.focus(page.at)
      : undefined,
    leave: () => {
      page.leave();
      void editing.leave().then(() => lock.close());
    },
  };
}

/** @param {unknown} error */
function absent(error) {
  if (error instanceof Problem && error.status === 404) return undefined;
  throw error;
}

/**
 * @param {{app: string, slug: string, name: string, editing: Editing, shell: Shell, page: EditorPage, lock: EditLock}} of
 * @returns {import("../forms/page.js").Actions}
 */
function makeActions({ app, slug, name, editing, shell, page, lock }) {
  const save = async () => {
    if (editing.isSaving || !page.canSave || editing.slugFault) return false;
    if (
      editing.isManifest &&
      !await confirm({ title: t("manifest.title"), body: t("manifest.body"), action: t("manifest.do") })
    ) {
      return false;
    }
    const outcome = await editing.save();
    const saved = !editing.isManifest
      ? "edit.saved"
      : editing.savedState === "draft"
      ? "manifest.waits"
      : "manifest.saved";
    if (outcome === "saved") toast(t(saved, { name: editing.isManifest ? name : editing.name || editing.slug }));
    if (outcome === "merged") page.tellMerged();
    if (outcome === "refused") page.showFaults();
    page.refresh();
    return outcome === "saved";
  };
  return {
    save: async () => {
      // The first save decides the slug, and with it the address.
      const isSaved = await save();
      if (isSaved && editing.slug !== slug) {
        shell.move(recipes.recipeLink(app, editing.slug, "edit") + location.search);
      }
    },
    // The next page reads the daemon's document, so this one is saved first.
    review: async () => {
      const isSaved = editing.isChanged || editing.isNew ? await save() : page.canSave;
      if (isSaved && !editing.isManifest) shell.go(recipes.recipeLink(app, editing.slug, "publish"));
    },
    takeOver: async () => {
      await lock.takeOver();
      const draft = await find(draftKey(app, slug));
      if (draft) page.goOn(draft);
      page.setReader(undefined);
    },
  };
}
