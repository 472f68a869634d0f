// What waits for the end of a press.

import assert from "node:assert/strict";
import { test } from "node:test";
import { released, watchPresses } from "../console/press.js";

/** A page of one element, which is a control or is none. */
class Page extends EventTarget {
  constructor(isControl) {
    super();
    this.isControl = isControl;
    watchPresses(this);
  }

  closest() {
    return this.isControl ? this : null;
  }

  happens(...names) {
    for (const name of names) this.dispatchEvent(new Event(name));
  }
}

test("What waits goes on after the click that ends the press", async () => {
  const page = new Page(true);
  const order = [];
  assert.equal(released(), undefined);
  page.happens("pointerdown");
  const waited = released().then(() => order.push("redrawn"));
  await null;
  page.happens("pointerup");
  order.push("clicked");
  assert.equal(released(), undefined, "what the click draws does not wait");
  await waited;
  assert.deepEqual(order, ["clicked", "redrawn"]);
});

test("A press that was broken off, or is followed by another, holds up nothing", async () => {
  const page = new Page(true);
  for (const end of ["pointercancel", "pointerdown"]) {
    page.happens("pointerdown");
    const first = released();
    page.happens(end);
    await first;
    page.happens("pointerup");
    assert.equal(released(), undefined);
  }
});

test("A press that activates nothing is none", () => {
  new Page(false).happens("pointerdown");
  assert.equal(released(), undefined);
});
