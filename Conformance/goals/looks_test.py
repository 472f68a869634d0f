"""How often goals are wrong, and how often they find an effect, if somebody looks at 28 points of time and takes the
first verdict (docs/reference/goals.md#the-critical-value). Clients are drawn from a fixed seed, their sums go through
the real program, and the figures are printed. Of the looks 26 come up to the plan's clients, which are 1.2 times the
fixed sample, and two after.

usage: looks_test.py [TRIALS]   (default 1000; the bounds are meant for no fewer)
"""

import math
import sys

import numpy
from scipy import optimize, stats

from command import ask, goal

SEED = 20261127
TRIALS = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
LOOKS, PLANNED = 28, 26
FIELDS = ["n", "c", "sy", "syy", "sx", "sxx", "sxy"]
# An interval for one look at 95 % has this critical value.
ONE_LOOK = stats.norm.isf(0.025)


# Clients: counts before, and outcomes. Each has an effect, 0 or such that 0.1 makes its mean outcome 10 % larger.

def rates(mean):
    def clients(random, effect):
        return numpy.zeros(effect.size, int), (random.random(effect.size) < mean * (1 + effect)).astype(int)
    return clients


def correlated_rates(mean, correlation):
    def clients(random, effect):
        x, after = random.random(effect.size) < mean, mean * (1 + effect)
        slope = correlation * numpy.sqrt(after * (1 - after) / (mean * (1 - mean)))
        return x.astype(int), (random.random(effect.size) < after + slope * (x - mean)).astype(int)
    return clients


def correlated_counts(mean, correlation):
    """Poisson's. Before and after share a part, as large as the correlation."""
    def clients(random, effect):
        shared = random.poisson(mean * correlation, effect.size)
        x, y = (random.poisson(mean * (1 - correlation), effect.size) for _ in range(2))
        return shared + x, shared + y
    return clients


def skewed(random, effect):
    """A tenth of the clients buys, a lognormal number of things, which is similar before and after."""
    buys, liking = random.random(effect.size) < 0.1, random.normal(size=effect.size)
    x, y = (numpy.floor(buys * numpy.exp(1 + liking + 0.5 * random.normal(size=effect.size))) for _ in range(2))
    return numpy.minimum(1000, x).astype(int), numpy.minimum(1000, y).astype(int)


def experiments(random, trials, n, clients, branches=2, effect=0.0, at_first=False):
    """The sums of each trial, look and branch. At each look a part of the clients has come, and has its outcomes;
    `at_first`: all come before the first look, and their outcomes later."""
    sums = numpy.empty((trials, LOOKS, branches, len(FIELDS)), int)
    for trial in range(trials):
        chosen = random.integers(branches, size=n)
        x, y = clients(random, effect * (chosen > 0))
        happened = random.integers(LOOKS, size=n) if at_first else numpy.arange(n) * LOOKS // n
        came = happened * 0 if at_first else happened
        for field, (look, value) in enumerate([
                (came, None), (happened, y > 0), (happened, y), (happened, y * y), (came, x), (came, x * x),
                (happened, x * y)]):
            counted = numpy.bincount(look * branches + chosen, value, LOOKS * branches)
            sums[trial, :, :, field] = counted.reshape(LOOKS, branches).cumsum(axis=0).round()
    return sums


# Verdicts of the program

def answers(sums, counts, plan):
    declared = goal(counts, **({"plan": plan} if plan else {}))
    return ask([
        {"goal": declared, "control": "0", "branches": [
            {"branch": str(number), "ratio": 1, **dict(zip(FIELDS, map(int, branch)))}
            for number, branch in enumerate(look)]}
        for trial in sums for look in trial])


def estimates(answer):
    """What decides, of each comparison that has an interval."""
    return [comparison["cuped"] or comparison for comparison in answer["comparisons"] if comparison["critical"]]


def firsts(answers, shown):
    """The first look of each trial that shows something; LOOKS if none does."""
    looks = numpy.array([bool(shown(answer)) for answer in answers]).reshape(-1, LOOKS)
    return numpy.where(looks.any(axis=1), looks.argmax(axis=1), LOOKS)


def differs(answer):
    return any(comparison["verdict"] in ("better", "worse") for comparison in answer["comparisons"])


def better(answer):
    return answer["comparisons"][0]["verdict"] == "better"


def one_look(answer):
    return any(abs(one["difference"]) > ONE_LOOK * one["standard_error"] for one in estimates(answer))


def size(counts, plan, branches=2):
    return ask([{"size": {"counts": counts, "branches": branches, **plan}}])[0]


# The figures

def percent(looks, end=LOOKS):
    return 100 * (looks < end).mean()


def row(*cells):
    texts = [f"{cell:.1f} %" if isinstance(cell, float) else str(cell) for cell in cells]
    print(f"| {' | '.join(texts)} |", flush=True)


def false_verdicts(random):
    """Experiments without an effect."""
    rate = {"mean": 0.1, "mde": 0.1}
    x, y = skewed(numpy.random.default_rng(SEED), numpy.zeros(2_000_000))
    correlation = float(numpy.corrcoef(x, y)[0, 1])
    money = {"mean": float(y.mean()), "sd": float(y.std()), "mde": 0.2, "correlation": correlation}
    row("without an effect: a verdict at some look", "trials", "with a plan", "without", "an interval for one look")
    row("---", "---", "---", "---", "---")
    imbalanced = trials = 0
    for title, clients, counts, plan, both, members in [
            ("rate of 10 %", rates(0.1), "converted", rate, True, {}),
            ("rate of 5 %, planned with 10 %", rates(0.05), "converted", rate, False, {}),
            ("rate of 20 %, planned with 10 %", rates(0.2), "converted", rate, False, {}),
            ("all clients at the first look, outcomes later", rates(0.1), "converted", rate, True, {"at_first": True}),
            ("skewed sums with CUPED", skewed, "sum", money, True, {}),
            ("three comparisons", rates(0.1), "converted", rate, False, {"branches": 4})]:
        branches = members.get("branches", 2)
        n = size(counts, plan, branches)["all_clients"] * LOOKS // PLANNED
        sums = experiments(random, TRIALS, n, clients, **members)
        planned = answers(sums, counts, plan)
        wrong = [percent(firsts(planned, differs))]
        if both:
            wrong.append(percent(firsts(answers(sums, counts, None), differs)))
        alone = percent(firsts(planned, one_look))
        row(title, TRIALS, wrong[0], wrong[1] if both else "", alone)
        assert max(wrong) <= 5, f"{title}: wrong in {wrong} %"
        assert alone > 15, f"{title}: looking does no harm here, so these trials show nothing"
        if "at_first" not in members:
            imbalanced += (firsts(planned, lambda answer: answer["sample_ratio"]["warning"]) < LOOKS).sum()
            trials += TRIALS
    print(f"\nThe test of sizes warns at some look in {100 * imbalanced / trials:.2f} % of {trials} of these trials.\n")
    assert imbalanced <= 0.02 * trials


def expected(sized):
    """The probability that the effect is found at one of the looks up to the plan. The program's own, `power_by_plan`,
    is that of a look after each client. Between looks a sum goes unseen beyond its bound, as if the bound were higher
    by 0.5826 standard deviations of a step (Siegmund)."""
    drift = math.sqrt(1.2) * (ONE_LOOK + stats.norm.ppf(0.8))

    def power(bound):
        return stats.invgauss.cdf(1, 1 / (bound * drift), scale=bound ** 2)

    bound = optimize.brentq(lambda bound: power(bound) - sized["power_by_plan"], 1, 5)
    return power(bound + 0.5826 / math.sqrt(PLANNED))


def effects_found(random):
    """Experiments whose effect is the plan's."""
    row("with the effect of the plan: `better`", "trials", "expected by the plan", "by the plan", "by the last look",
        "mean clients, of the fixed sample")
    row("---", "---", "---", "---", "---", "---")
    rate = {"mean": 0.1, "mde": 0.1}
    for title, clients, plan, judged, trials in [
            ("with a plan", rates(0.1), rate, True, 2 * TRIALS),
            ("with a plan for CUPED, correlation 0.5", correlated_rates(0.1, 0.5), rate | {"correlation": 0.5}, True,
             2 * TRIALS),
            ("without a plan, in the same sample", rates(0.1), rate, False, TRIALS)]:
        sized = size("converted", plan)
        n = sized["plan_clients"] * LOOKS // PLANNED
        sums = experiments(random, trials, n, clients, effect=plan["mde"])
        looks = firsts(answers(sums, "converted", plan if judged else None), better)
        length = (numpy.minimum(looks + 1, LOOKS) / LOOKS * n / sized["fixed_clients"]).mean()
        power = 100 * float(expected(sized)) if judged else ""
        row(title, trials, power, percent(looks, PLANNED), percent(looks), f"{length:.2f}")
        # Chance alone fails one of a thousand runs.
        if judged:
            by_plan, by_end = int((looks < PLANNED).sum()), int((looks < LOOKS).sum())
            assert stats.binomtest(by_plan, trials, power / 100).pvalue > 0.001, f"{title}: {by_plan} of {trials}"
            assert stats.binomtest(by_end, trials, 0.8, "less").pvalue > 0.001, f"{title}: {by_end} of {trials}"
    print()


def variance_left(random):
    """The variance that CUPED leaves, beside 1 - ρ², which is known of these clients."""
    row("CUPED", "trials", "1 − ρ²", "variance left, of that")
    row("---", "---", "---", "---")
    for title, clients, counts, correlation in [
            ("rates, ρ = 0.5", correlated_rates(0.1, 0.5), "converted", 0.5),
            ("counts, ρ = 0.3", correlated_counts(2, 0.3), "sum", 0.3),
            ("counts, ρ = 0.8", correlated_counts(2, 0.8), "sum", 0.8)]:
        sums = experiments(random, trials := max(100, TRIALS // 10), 20_000, clients)[:, -1:]
        left = [1 - answer["comparisons"][0]["cuped"]["variance_reduction"] for answer in answers(sums, counts, None)]
        part = numpy.mean(left) / (1 - correlation ** 2)
        row(title, trials, f"{1 - correlation ** 2:.2f}", f"{part:.4f}")
        assert abs(part - 1) <= 0.02, f"{title}: {part}"


for number, figures in enumerate((false_verdicts, effects_found, variance_left)):
    figures(numpy.random.default_rng([SEED, number]))
