// What an app may not write: `deno check` finds a fault at each line with a number, and no other.
import type { Client, open as opens } from "../../../client/index.d.ts";

export async function app(open: typeof opens, client: Client): Promise<void> {
  await open({ app: "shop" }); // 1
  await open({ app: "shop", base: "https://feedback.example", consent: "given" }); // 2
  client.track("opened", { properties: { plan: { name: "pro" } } }); // 3
  client.record("message", "shown", client.messages()[0]); // 4
  client.messages().push(client.messages()[0]); // 5
  client.snapshot.at = 0; // 6
  const { form } = await client.survey("habits");
  await form.submit(); // 7
  const outcome = await client.track("opened").outcome;
  console.log(outcome.status); // 8
}
