// The roles of people, in words.

import { addTexts, compare, t } from "./texts.js";
import english from "./texts/en_access.js";

addTexts(english);

/** The scopes that people may have, those with fewer abilities first. */
export const scopesOfPeople = ["reader", "reviewer", "translator", "support", "owner", "admin"];

/** The name of an app for its id; `*` is all apps. @param {API.App[]} apps @param {string} app */
export const appName = (apps, app) =>
  app === "*" ? t("access.app.all") : apps.find((one) => one.app === app)?.app_name || app;

/**
 * Each role as words, such as "Owner of Trail Notes". The role in all apps is the first.
 * @param {Record<string, string>} roles
 * @param {API.App[]} apps
 */
export const rolesInWords = (roles, apps) =>
  Object.entries(roles).map(([app, scope]) => ({ app, text: t(`role.${scope}.of`, { app: appName(apps, app) }) }))
    .sort((left, right) =>
      Number(right.app === "*") - Number(left.app === "*") || compare(appName(apps, left.app), appName(apps, right.app))
    ).map(({ text }) => text);
