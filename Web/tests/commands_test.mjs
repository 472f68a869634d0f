// The palette's search, rates of metrics, filters of addresses, kinds of recipes, and questions to explain.
import assert from "node:assert/strict";
import { test } from "node:test";
import { filtersOf, firstDay, isFilter, periodOf, responsesQuery, resultsQuery } from "../console/answers-query.js";
import { matches, observe, register, unregister } from "../console/commands.js";
import { line } from "../console/csv.js";
import { isRun, kindNamed, kindNames, runOf } from "../console/kinds.js";
import { rate, reading, samples } from "../console/metrics.js";
import { eventOf, fragment, questionOf, readFragment, suggestions } from "../console/views/explain-question.js";

const command = (label, words = "", more = {}) => ({ sort: "command", label, words, icon: "", run: () => {}, ...more });
const found = (query, ...commands) => {
  register("test", () => commands);
  const labels = matches(query).map(({ label }) => label);
  unregister("test");
  return labels;
};

test("a label that begins with the typed text comes before one with a word that does", () => {
  assert.deepEqual(found("pa", command("The pause"), command("Pause")), ["Pause", "The pause"]);
});

test("every typed word begins a word of the command, in any order", () => {
  assert.deepEqual(found("feed pau", command("Pause Feedback"), command("Pause Survey")), ["Pause Feedback"]);
});

test("letters in order are enough from three letters on", () => {
  assert.deepEqual(found("fdbk", command("Feedback")), ["Feedback"]);
  assert.deepEqual(found("fk", command("Feedback")), []);
});

test("accents and capitals do not count", () => {
  assert.deepEqual(found("ÉTE", command("été")), ["été"]);
});

test("further words of a command are found, such as its slug", () => {
  assert.deepEqual(found("my-slug", command("Feedback", "my-slug")), ["Feedback"]);
});

test("nothing typed shows all, and a used command is first the next time", () => {
  const [one, two] = [command("One"), command("Two")];
  register("test", () => [one, two]);
  matches("Two")[0].run();
  assert.deepEqual(matches("").map(({ label }) => label), ["Two", "One"]);
  unregister("test");
});

test("a command that was made for the typed text is first", () => {
  assert.deepEqual(found("c1", command("c1"), command("Explain c1", "", { isExact: true })), ["Explain c1", "c1"]);
});

test("a source that is registered later comes first, and the palette is told", () => {
  let told = 0;
  observe(() => told += 1);
  register("old", () => [command("Old x")]);
  register("new", () => [command("New x")]);
  assert.deepEqual(matches("x").map(({ label }) => label), ["New x", "Old x"]);
  assert.equal(told, 2);
  observe(undefined);
  unregister("old");
  unregister("new");
});

test("no more than forty commands are shown", () => {
  assert.equal(found("x", ...Array.from({ length: 50 }, (_, place) => command(`x ${place}`))).length, 40);
});

test("a line of metrics is read with its labels, and comments are not", () => {
  assert.deepEqual(samples('# HELP a b\na_total{path="/x\\"y",status="200"} 3\nb 1.5\n'), [
    { name: "a_total", labels: { path: '/x\\"y', status: "200" }, value: 3 },
    { name: "b", labels: {}, value: 1.5 },
  ]);
});

test("refused and failed requests are counted by their status", () => {
  const text = [200, 404, 422, 503].map((status) => `bellwether_requests_total{status="${status}"} ${status}`).join(
    "\n",
  );
  const { sums } = reading(text, 0);
  assert.equal(sums.get("requests"), 200 + 404 + 422 + 503);
  assert.equal(sums.get("refused"), 404 + 422);
  assert.equal(sums.get("failed"), 503);
});

test("a rate is by the second, and a counter that fell has none", () => {
  const at = (time, polls) => ({ at: time, sums: new Map([["polls", polls]]) });
  assert.equal(rate(at(0, 10), at(2000, 30), "polls"), 10);
  assert.equal(rate(at(0, 10), at(2000, 3), "polls"), undefined);
  assert.equal(rate(at(0, 10), at(0, 30), "polls"), undefined);
});

test("filters are the shared parameters and attributes with a value", () => {
  assert.ok(isFilter("from") && isFilter("attr.plan") && !isFilter("q") && !isFilter("by"));
  assert.equal(
    String(filtersOf(new URLSearchParams("from=2026-01-01&q=x&attr.plan=pro&to="))),
    "from=2026-01-01&attr.plan=pro",
  );
});

test("results of messages have a language, and results of experiments the enrollments", () => {
  const query = new URLSearchParams("locale=de&drafts=no&attr.plan=pro");
  assert.equal(String(resultsQuery(query, "messages")), "locale=de");
  assert.equal(String(resultsQuery(query, "experiment")), "locale=de&enrollment=true");
  assert.equal(String(resultsQuery(query, "rollout")), "locale=de&enrollment=true");
});

test("results of surveys may leave drafts out, and those of flows have none", () => {
  const query = new URLSearchParams("drafts=no&by=branch&data=all&attr.plan=pro");
  assert.equal(String(resultsQuery(query, "survey")), "submitted_only=true&data_mode=all&attr.plan=pro&by=branch");
  assert.equal(String(resultsQuery(query, "flow")), "data_mode=all&attr.plan=pro&by=branch");
});

test("a branch of responses names its experiment", () => {
  const asked = responsesQuery(new URLSearchParams("branch=exp/control&status=new"), "survey");
  assert.equal(asked.get("experiment"), "exp");
  assert.equal(asked.get("branch"), "control");
  assert.equal(asked.get("status"), "new");
  assert.equal(asked.get("data_mode"), "production");
  assert.equal(responsesQuery(new URLSearchParams("branch=a"), "survey").get("branch"), "a");
});

test("data that is neither development nor all is production", () => {
  assert.equal(responsesQuery(new URLSearchParams("data=x"), "flow").get("data_mode"), "production");
  assert.equal(responsesQuery(new URLSearchParams("data=development"), "flow").get("data_mode"), "development");
});

test("a period of a number of days ends today and begins on its first day", () => {
  const now = Date.parse("2026-03-10T12:00:00Z");
  assert.equal(firstDay(1, now), "2026-03-10");
  assert.equal(firstDay(7, now), "2026-03-04");
  assert.equal(periodOf(new URLSearchParams("from=2026-03-04"), now), "7");
  assert.equal(periodOf(new URLSearchParams("from=2026-03-04&to=2026-03-10"), now), "own");
  assert.equal(periodOf(new URLSearchParams(""), now), "");
});

test("a field with a comma, a quote or a line break is quoted; an empty text differs from no value", () => {
  assert.equal(line(["a,b", 'c"d', "e\nf", "", null, undefined, 1.5]), '"a,b","c""d","e\nf","",,,1.5\r\n');
});

test("a text that begins a formula gets an apostrophe, a number does not", () => {
  assert.equal(line(["=1", "+1", "-1", "@a", "\tx", -1]), "'=1,'+1,'-1,'@a,'\tx,-1\r\n");
});

test("questionnaires, surveys and flows are answered; messages and experiments are not", () => {
  assert.deepEqual(kindNames.filter(isRun), ["questionnaire", "survey", "flow"]);
  assert.equal(runOf("messages"), undefined);
});

test("an unknown kind is like messages, even with the name of a method", () => {
  for (const name of [undefined, "", "constructor", "toString", "new_kind"]) {
    assert.equal(kindNamed(name).icon, "message");
  }
});

test("a flow ends completed and has runs, a survey is submitted and has responses", () => {
  assert.deepEqual([runOf("flow").end, runOf("flow").collection, runOf("flow").responses], [
    "completed",
    "flows",
    "runs",
  ]);
  assert.deepEqual([runOf("survey").end, runOf("survey").collection, runOf("survey").responses], [
    "submitted",
    "surveys",
    "responses",
  ]);
});

test("what is supposed is read from the fragment as it was written", () => {
  const parts = {
    client: "c 1",
    supposed: [{ sort: "attribute", name: "a.b", value: "1 & 2" }, { sort: "branch", name: "exp", value: "" }],
  };
  assert.deepEqual(readFragment(`#${fragment(parts)}`), parts);
});

test("an unknown sort of supposition is left out", () => {
  assert.deepEqual(readFragment("#client=a&magic.x=1&x=2&.y=3"), { client: "a", supposed: [] });
});

test("an attribute is JSON if it can be read, and else a text", () => {
  const supposed = [["n", "3"], ["b", "true"], ["t", "pro"], ["q", '"3"']]
    .map(([name, value]) => ({ sort: "attribute", name, value }));
  assert.deepEqual(questionOf({ supposed }).context, { n: 3, b: true, t: "pro", q: "3" });
});

test("a supposed event happens at the asked time, at least once", () => {
  const supposed = [{ sort: "event", name: "e", value: "0" }, { sort: "event", name: "f", value: "5" }];
  assert.deepEqual(questionOf({ supposed, at: "2026-01-01T00:00:00Z" }).events, [
    { name: "e", at: "2026-01-01T00:00:00Z", count: 1 },
    { name: "f", at: "2026-01-01T00:00:00Z", count: 5 },
  ]);
});

test("a question without anything is empty", () => {
  assert.deepEqual(questionOf({ supposed: [] }), {});
});

test("a supposed branch replaces the enrollment, and an empty one ends it", () => {
  const enrolled = [
    { slug: "a", status: "Enrolled", branch: "x" },
    { slug: "b", status: "Enrolled", branch: "y" },
    { slug: "c", status: "NotEnrolled", branch: null },
  ];
  const supposed = [{ sort: "branch", name: "a", value: "z" }, { sort: "branch", name: "b", value: "" }];
  assert.deepEqual(questionOf({ supposed }, enrolled).enrollments, { a: "z" });
});

test("a persona's facts are kept beside what is supposed", () => {
  const persona = { context: { plan: "free", n: 1 }, events: [{ name: "e" }], ledger: { m: { display_count: 2 } } };
  const supposed = [{ sort: "attribute", name: "plan", value: "pro" }, { sort: "display", name: "k", value: "3" }];
  const question = questionOf({ persona, supposed, locale: "de" });
  assert.deepEqual(question.context, { plan: "pro", n: 1, locale: "de" });
  assert.deepEqual(question.ledger, { m: { display_count: 2 }, k: { display_count: 3 } });
  assert.deepEqual(question.events, [{ name: "e" }]);
});

test("an event of an expression is known by its query", () => {
  assert.equal(eventOf("'page_viewed'|eventSum('Years', 1, 0)"), "page_viewed");
  assert.equal(eventOf('"a b" | eventLastSeen'), "a b");
  assert.equal(eventOf("plan"), undefined);
});

test("the missing events of a comparison are suggested", () => {
  const text = "'e'|eventSum('Days', 7, 0)";
  const of = (sign, value) => suggestions({ expression: `${text} ${sign}`, values: { [text]: value } })[0].value;
  assert.equal(of(">= 3", 1), "2");
  assert.equal(of("> 3", 1), "3");
  assert.equal(of("== 3", 3), undefined);
  assert.equal(of("< 3", 5), undefined);
});

test("the value with which an attribute is compared is suggested, and no value for another comparison", () => {
  const of = (expression) => suggestions({ expression, undefined: ["plan"] })[0].value;
  assert.equal(of("plan == 'pro'"), '"pro"');
  assert.equal(of("(plan >= 2.5)"), "2.5");
  assert.equal(of("plan == true"), "true");
  assert.equal(of("plan != 'pro'"), undefined);
});
