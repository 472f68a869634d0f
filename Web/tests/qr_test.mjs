// Tests the sizes of QR codes; Web/tests/browser/test_qr.py tests that they can be decoded.
import { matrix } from "../widget/parts/qr.js";

Deno.test("a code has the smallest version that its text fits into", () => {
  for (const [bytes, version] of [[1, 1], [14, 1], [15, 2], [213, 10], [214, 11], [2331, 40]]) {
    const rows = matrix("a".repeat(bytes));
    if (rows?.length !== version * 4 + 17) throw new Error(`${bytes}: ${rows?.length}`);
  }
  if (matrix("a".repeat(2332)) !== null) throw new Error("too long a text has a code");
});
