import { canonicalTag, directionOf, isRead, languageOf, scriptOf } from "../shared/languages.js";

const equal = (own, wanted) => {
  if (own !== wanted) throw new Error(`${own} is not ${wanted}`);
};

Deno.test("a tag is read with former codes, underscores and extensions", () => {
  for (
    const [tag, language] of [["iw-IL", "he"], ["in", "id"], ["pt_BR", "pt"], ["en_US@rg=gbzzzz", "en"], ["sh", "sr"], [
      "",
      "",
    ]]
  ) {
    equal(languageOf(tag), language);
  }
  equal(canonicalTag("iw_IL"), "he-il");
  equal(canonicalTag("de-DE-u-co-phonebk"), "de-de");
  equal(canonicalTag("no tag"), "no tag");
});

Deno.test("the script decides the direction, and who reads a text", () => {
  for (const tag of ["ar-EG", "iw", "he", "fa", "pa-PK", "az-Arab", "dv"]) equal(directionOf(tag), "rtl");
  for (const tag of ["en", "ar-Latn", "ur-Latn", "pa", "az", "", "!"]) equal(directionOf(tag), "ltr");
  equal(scriptOf("zh-TW"), "Hant");
  equal(isRead("zh-TW", "zh"), false);
  equal(isRead("zh-Hans-SG", "zh"), true);
  equal(isRead("pt-PT", "pt-BR"), true);
});
