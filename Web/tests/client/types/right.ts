// What an app may write. `deno check` accepts it.
import * as made from "../../../client/index.js";
import * as madeFiles from "../../../client/files.js";
import * as madeTesting from "../../../client/testing.js";
import type * as declared from "../../../client/index.d.ts";
import type * as declaredFiles from "../../../client/files.d.ts";
import type * as declaredTesting from "../../../client/testing.d.ts";

// The modules are what the declarations say.
export const index: typeof declared = made;
export const files: typeof declaredFiles = madeFiles;
export const testing: typeof declaredTesting = madeTesting;

export async function app(storage: declared.Storage): Promise<void> {
  const client = await index.open({ app: "shop", base: "https://feedback.example", storage, context: { plan: "pro" } });
  const stored: boolean = await client.track("opened", { count: 2, properties: { gift: true } }).stored;
  for (const message of client.messages("home")) {
    client.record("message", "displayed", message);
    const option: string | undefined = message.microsurvey?.options[0].id;
    if (option !== undefined) client.answer(message, option);
  }
  const { form, reason } = await client.survey("habits");
  if (form) {
    form.answers.snack = "Fruit";
    const outcome = await form.submit();
    if (outcome.state === "answered" && outcome.status === 422) console.error(outcome.body.errors);
  } else {
    const why: string = reason;
    console.error(why, stored, client.age);
  }
  const { flow } = await client.flow("welcome");
  await flow?.advance("next", { name: "Ann" });
}
