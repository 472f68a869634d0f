// Numbers as keyboards of other languages type them, and lengths for a phone's screen.
import { plainNumber } from "../shared/numbers.js";
import { css } from "../widget/render/style.js";
import { css as chat } from "../widget/parts/chat_style.js";

const equal = (a, b, of) => {
  if (a !== b) throw new Error(`${JSON.stringify(of)} is ${JSON.stringify(a)}, not ${JSON.stringify(b)}`);
};

/** @param {string} language @param {() => void} test */
function speaking(language, test) {
  const before = Object.getOwnPropertyDescriptor(navigator, "language");
  Object.defineProperty(navigator, "language", { value: language, configurable: true });
  try {
    test();
  } finally {
    if (before) Object.defineProperty(navigator, "language", before);
    else Reflect.deleteProperty(navigator, "language");
  }
}

Deno.test("numbers of other keyboards are those of the daemon", () => {
  const same = ["12.5", "-3", "", "12.", "1e3", "about 5", "1,2,3", "1.500,5", "NaN", "0x10", "५"];
  for (const language of ["en-US", "de-DE"]) {
    speaking(language, () => {
      for (const text of same) equal(plainNumber(text), text, text);
      for (
        const [text, number] of [["12,5", "12.5"], [" 7 ", "7"], ["-0,25", "-0.25"], ["١٢", "12"], ["١٢٫٥", "12.5"], [
          "۳۴",
          "34",
        ], ["１２．５", "12.5"]]
      ) {
        equal(plainNumber(text), number, text);
      }
    });
  }
});

Deno.test("a comma between thousands is no decimal comma", () => {
  speaking("en-US", () => equal(plainNumber("1,500"), "1,500", "1,500"));
  speaking("de-DE", () => equal(plainNumber("1,500"), "1.500", "1,500"));
});

Deno.test("heights are those that a phone's bars leave", () => {
  for (const text of [css, chat]) equal(/[0-9]vh/.exec(text)?.[0], undefined, "a height");
});
