// The built-in texts: every language has each of them, with the same placeholders.
import { english as general } from "../shared/i18n.js";
import { english as ofFields } from "../widget/parts/judge.js";

const english = { ...general, ...ofFields };

for (const language of ["ar", "de", "es", "fr", "he", "it", "ja", "nl", "pl", "pt"]) {
  Deno.test(`every text is there in ${language}`, async () => {
    const { default: texts } = await import(`../widget/texts/${language}.js`);
    const places = (text) => (text.match(/\{\w+\}/g) ?? []).sort().join();
    for (const [key, text] of Object.entries(english)) {
      if (!texts[key]) throw new Error(`${language} has no ${key}`);
      if (places(texts[key]) !== places(text)) throw new Error(`${language}: ${key} has other places`);
    }
    for (const key of Object.keys(texts)) if (!(key in english)) throw new Error(`${language}: ${key} is unknown`);
  });
}
