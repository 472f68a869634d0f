// `@bellwether/client`: the client of apps without the widget (docs/javascript.md).
export { open } from "./client.js";
export { memory } from "./posts.js";
