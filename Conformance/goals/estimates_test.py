"""Estimates of goals (docs/reference/goals.md) from 20 sets of clients, against scipy, statsmodels and gbstats. These
compute from the single clients, by other ways: intervals of the lift and critical values by a search for a root, CUPED
by a regression, the power by the first passage of a Brownian motion. Two numbers are equal if they differ by at most
1e-9 times the larger of 1 and the value; a searched root is as exact as that."""

import math

import numpy
from gbstats.frequentist.tests import SequentialConfig, SequentialTwoSidedTTest
from gbstats.models.statistics import SampleMeanStatistic
from scipy import integrate, optimize, stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.power import normal_sample_size_one_tail
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW

from command import ask, branch, goal

SEED = 20261127
compared = 0


def equal(got, want, what):
    global compared
    compared += 1
    if want is None or got is None or isinstance(want, (bool, str)):
        assert got == want and type(got) is type(want), f"{what}: {got}, expected {want}"
    else:
        assert abs(got - want) <= 1e-9 * max(1, abs(want)), f"{what}: {got}, expected {want}"


def equal_interval(got, want, what):
    equal(got is None, want is None, what)
    if want is not None:
        equal(got["low"], want[0], f"{what}, low")
        equal(got["high"], want[1], f"{what}, high")


# Clients

def rates(random, n, mean, effect, correlation):
    """Conversions before and after, with this correlation; a third of the clients converted before."""
    x = random.random(n) < 1 / 3
    slope = correlation * math.sqrt(mean * (1 - mean)) / math.sqrt(2 / 9)
    return x.astype(int), (random.random(n) < mean * (1 + effect) + slope * (x - 1 / 3)).astype(int)


def occurrences(random, n, mean, effect, correlation):
    """Counts with a long tail, and counts before that share a part of them."""
    shared = random.negative_binomial(0.3, 0.3 / (0.3 + mean * correlation + 1e-9), n)
    before, after = (random.negative_binomial(0.3, 0.3 / (0.3 + mean * (part - correlation) + 1e-9), n)
                     for part in (1, 1 + effect))
    return shared + before, shared + after


def amounts(random, n, mean, effect, correlation):
    """Money in thousandths, of a fifth of the clients; its logarithm is normal. Before: numbers of purchases."""
    liking = random.normal(size=n)
    logarithm = correlation * liking + math.sqrt(1 - correlation ** 2) * random.normal(size=n)
    spent = numpy.exp(logarithm) * 1000 * mean * (1 + effect) * (random.random(n) < 0.2)
    return random.poisson(numpy.exp(liking)), numpy.floor(spent).astype(int)


RATE = {"mean": 0.1, "mde": 0.1}
# Clients, mean, effect, correlation (None: nothing is known from before), clients by branch, ratios, and members of
# the goal.
SETS = [
    (rates, 0.1, 0.1, 0.3, [4000, 4100], [1, 1], {}),
    (rates, 0.1, 0.1, 0.3, [4000, 4100], [1, 1], {"plan": RATE}),
    (rates, 0.1, 0.0, 0.0, [15000, 15011], [1, 1], {"plan": RATE, "cuped": False}),
    (rates, 0.05, 0.0, 0.2, [9000, 9100], [1, 1], {"plan": RATE}),
    (rates, 0.2, -0.3, 0.4, [2000, 6100], [1, 3], {"direction": "down"}),
    (rates, 0.4, 0.3, 0.5, [700, 650, 720], [1, 1, 1], {"plan": {"mean": 0.4, "mde": 0.2, "correlation": 0.5}}),
    (rates, 0.97, 0.0, 0.0, [900, 1000], [1, 1], {}),
    (rates, 0.02, 0.5, 0.1, [5000, 2500, 2600, 5100], [2, 1, 1, 2], {"plan": {"mean": 0.02, "mde": 0.3, "power": 0.9}}),
    (rates, 0.1, 0.5, None, [1000, 1000], [1, 1], {}),
    (rates, 0.3, 0.0, 0.3, [99, 400], [1, 4], {}),
    (rates, 0.05, 0.0, 0.3, [200, 210], [1, 1], {}),
    (occurrences, 2.5, 0.0, 0.6, [3000, 3100], [1, 1], {"cap": 50}),
    (occurrences, 2.5, 0.3, 0.6, [3000, 3100], [1, 1],
     {"cap": 50, "plan": {"mean": 2.5, "mde": 0.1, "sd": 4.6, "correlation": 0.6}}),
    (occurrences, 0.4, -0.5, 0.3, [8000, 2000], [4, 1], {"plan": {"mean": 0.4, "mde": 0.2, "sd": 1.2}}),
    (occurrences, 1.0, -0.2, 0.5, [2000, 2050, 1990], [1, 1, 1], {"direction": "down"}),
    (occurrences, 0.2, 0.5, None, [1500, 1600], [1, 1], {"cap": 3}),
    (amounts, 20, 0.0, 0.5, [6000, 6050], [1, 1], {"property": "amount"}),
    (amounts, 20, 0.2, 0.9, [6000, 5900], [1, 1],
     {"property": "amount", "cap": 500, "plan": {"mean": 6.6, "mde": 0.2, "sd": 24}}),
    (amounts, 9000, 0.1, 0.7, [3000, 1000, 3000], [3, 1, 3], {"property": "amount", "cap": 1_000_000}),
    (amounts, 0.004, 0.0, 0.2, [20000, 30500], [2, 3],
     {"property": "amount", "plan": {"mean": 0.0013, "mde": 1, "sd": 0.01}}),
]


# The critical value

def mixture_boundary(x, alpha):
    """The k at which a mixture of tests, normal with the variance x, reaches 1/alpha."""
    return optimize.brentq(
        lambda k: k * k * x / (2 * (1 + x)) - math.log(1 + x) / 2 + math.log(alpha), 1e-9, 1e4, xtol=1e-13, rtol=1e-14)


def check_mixture():
    """The mixture above, computed as what it is: an integral over effects."""
    for x, alpha in ((0.01, 0.05), (1.3, 0.05), (40, 0.05 / 3)):
        k = mixture_boundary(x, alpha)
        mixture, _ = integrate.quad(
            lambda effect: math.exp(effect * k - effect ** 2 / 2) * stats.norm.pdf(effect, scale=math.sqrt(x)),
            -40, 40, points=[0, k], epsabs=0, epsrel=1e-11, limit=500)
        equal(mixture * alpha, 1.0, "mixture")


def tuning(alpha):
    return -2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))


def constant_boundary(alpha):
    return optimize.brentq(
        lambda c: 6 * stats.norm.sf(c) - 2 * math.exp(4 * c * c + stats.norm.logsf(3 * c)) - 0.9 * alpha,
        1, 9, xtol=1e-14, rtol=1e-14)


def critical(n, error, a, b, alpha, size):
    if size is None:
        return mixture_boundary(tuning(alpha) * n / 5000, alpha)
    harmonic = stats.hmean([a, b]) / 2
    u = 4 * harmonic ** 2 * error ** 2 / (size["plan_clients"] * size["variance"])
    return min(constant_boundary(alpha) * math.sqrt(max(u, 1 / u)),
               mixture_boundary(tuning(0.1 * alpha) * u / 0.1, 0.1 * alpha))


def size_of(plan, counts, direction, branches, per_day=None):
    alpha, power, correlation = 0.05 / (branches - 1), plan.get("power", 0.8), plan.get("correlation", 0)
    mean, difference = plan["mean"], plan["mean"] * plan["mde"]
    after = mean + difference if direction == "up" else mean - difference
    variances = [plan["sd"] ** 2] * 2 if counts == "sum" else [stats.bernoulli.var(mean), stats.bernoulli.var(after)]
    one = normal_sample_size_one_tail(difference, power, alpha / 2, math.sqrt(sum(variances) * (1 - correlation ** 2)))
    fixed = 2 * math.ceil(one - 1e-9)
    clients = math.ceil(1.2 * fixed - 1e-9)
    everyone = math.ceil(clients * branches / 2 - 1e-9)
    bound, drift = constant_boundary(alpha), math.sqrt(1.2) * (stats.norm.isf(alpha / 2) + stats.norm.ppf(power))
    return {"fixed_clients": fixed, "plan_clients": clients, "all_clients": everyone, "variance": sum(variances) / 2,
            "power_by_plan": stats.invgauss.cdf(1, 1 / (bound * drift), scale=bound ** 2),
            "days": per_day and math.ceil(everyone / per_day)}


def check_sizes():
    lines, wants = [], []
    for counts, mean, sd in (
            ("converted", 0.1, None), ("converted", 0.37, None), ("sum", 2.5, 4.6), ("sum", 0.07, 1.9)):
        for mde, power, correlation, branches, direction in (
                (0.1, 0.8, 0, 2, "up"), (0.03, 0.9, 0.5, 2, "down"), (0.5, 0.5, 0.3, 4, "up"),
                (0.9, 0.99, 0.99, 3, "down")):
            plan = {"mean": mean, "mde": mde, "power": power, "correlation": correlation}
            plan |= {} if sd is None else {"sd": sd}
            lines.append({"size": {"counts": counts, "direction": direction, "branches": branches,
                                   "exposed_per_day": 700, **plan}})
            wants.append(size_of(plan, counts, direction, branches, 700))
    for line, answer, want in zip(lines, ask(lines), wants):
        assert answer.keys() == want.keys(), answer
        for name in want:
            equal(answer[name], want[name], f"{line} {name}")
    return len(lines)


# The estimate

def lifts(a, b, k):
    """All lifts that the means and standard errors do not exclude: from the estimate outwards to the roots."""
    (mean_a, error_a), (mean_b, error_b) = a, b
    if mean_a <= k * error_a:
        return None

    def beyond(lift):
        return abs(mean_b - (1 + lift) * mean_a) - k * math.hypot(error_b, (1 + lift) * error_a)

    middle, ends = mean_b / mean_a - 1, []
    for sign in (-1, 1):
        step = 1e-6
        while beyond(middle + sign * step) <= 0:
            step *= 2
        ends.append(optimize.brentq(beyond, middle, middle + sign * step, xtol=1e-14, rtol=1e-14))
    return ends


def check_estimate(got, a, b, k, what):
    """The difference, its interval and the lift of two lists of numbers."""
    (mean_a, error_a), (mean_b, error_b) = ends = [(numpy.mean(y), stats.sem(y)) for y in (a, b)]
    error = CompareMeans(DescrStatsW(b), DescrStatsW(a)).std_meandiff_separatevar
    difference = mean_b - mean_a
    equal(got["difference"], difference, f"{what}: difference")
    equal(got["standard_error"], error, f"{what}: standard error")
    equal(got["difference"] / got["standard_error"], stats.ttest_ind(b, a, equal_var=False).statistic, f"{what}: t")
    equal(got["lift"], mean_b / mean_a - 1, f"{what}: lift")
    equal_interval(got["interval"], k and (difference - k * error, difference + k * error), f"{what}: interval")
    equal_interval(got["lift_interval"], k and lifts(*ends, k), f"{what}: lift's interval")
    return error


def check_comparison(got, declared, control, other, alpha, size, what):
    converted = declared["counts"] == "converted"
    scale = 1000 if "property" in declared else 1
    (x_a, y_a), (x_b, y_b) = [(x, y / scale) for x, y in (control, other)]
    n = len(y_a) + len(y_b)
    both = numpy.concatenate([y_a, y_b])
    enough = min(len(y_a), len(y_b)) >= 100 and (both > 0).sum() >= 25 and (not converted or (both == 0).sum() >= 25)
    error = math.hypot(stats.sem(y_a), stats.sem(y_b))
    k = critical(n, error, len(y_a), len(y_b), alpha, size) if enough else None
    equal(got["critical"], k, f"{what}: critical value")
    check_estimate(got, y_a, y_b, k, what)
    best = got
    x = numpy.concatenate([x_a, x_b])
    if declared.get("cuped", True) and x.any():
        best = got["cuped"]
        treated = numpy.repeat([0, 1], [len(y_a), len(y_b)])
        fit = OLS(both, numpy.column_stack([numpy.ones(n), treated, x])).fit()
        equal(best["theta"], fit.params[2], f"{what}: theta")
        equal(best["difference"], fit.params[1], f"{what}: difference by regression")
        adjusted = [y - fit.params[2] * (part - x.mean()) for part, y in ((x_a, y_a), (x_b, y_b))]
        less = check_estimate(best, *adjusted, k, f"{what}, CUPED")
        equal(best["variance_reduction"], 1 - less ** 2 / error ** 2, f"{what}: variance reduction")
    else:
        equal(got["cuped"], None, f"{what}: CUPED")
    verdict = "too_little_data"
    if k is not None:
        sign = -1 if declared.get("direction") == "down" else 1
        low, high = sorted(sign * end for end in best["interval"].values())
        verdict = "better" if low > 0 else "worse" if high < 0 else "no_difference_shown"
    equal(got["verdict"], verdict, f"{what}: verdict")
    if k is not None and size is None:
        statistics = [SampleMeanStatistic(n=len(y), sum=float(y.sum()), sum_squares=float((y * y).sum()))
                      for y in (y_a, y_b)]
        test = SequentialTwoSidedTTest(*statistics, SequentialConfig(difference_type="absolute", alpha=alpha))
        equal_interval(got["interval"], test.confidence_interval, f"{what}: gbstats")
    return verdict


def check_branch(got, declared, y):
    converted = declared["counts"] == "converted"
    y = y / (1000 if "property" in declared else 1)
    what, n = got["branch"], len(y)
    equal(got["exposed"], n, f"{what}: exposed")
    equal(got["converted"], int((y > 0).sum()), f"{what}: converted")
    equal(got["sum"], math.fsum(y), f"{what}: sum")
    equal(got["mean"], DescrStatsW(y).mean, f"{what}: mean")
    want = None
    if n >= 100:
        k = mixture_boundary(tuning(0.05) * n / 5000, 0.05)
        if converted:
            want = proportion_confint(int(y.sum()), n, alpha=2 * stats.norm.sf(k), method="wilson")
        else:
            want = (max(0, y.mean() - k * stats.sem(y)), y.mean() + k * stats.sem(y))
    equal_interval(got["interval"], want, f"{what}: interval")


def check_sets():
    random = numpy.random.default_rng(SEED)
    lines, sets = [], []
    for clients, mean, effect, correlation, counts, ratios, members in SETS:
        kind = "converted" if clients is rates else "sum"
        declared = goal(kind, **members)
        limit = 1 if kind == "converted" else declared.get("cap", 1000)
        people = []
        for number, n in enumerate(counts):
            x, y = clients(random, n, mean, effect if number else 0, correlation or 0)
            x = x if correlation is not None else x * 0
            people.append((numpy.minimum(limit, x), numpy.minimum(limit * (1000 if "property" in declared else 1), y)))
        names = [f"b{number}" for number in range(len(counts))]
        lines.append({"goal": declared, "control": "b0", "branches": [
            branch(name, *person, ratio) for name, person, ratio in zip(names, people, ratios)]})
        sets.append((declared, names, people, ratios))
    verdicts = {}
    for number, (answer, (declared, names, people, ratios)) in enumerate(zip(ask(lines), sets)):
        alpha = 0.05 / (len(names) - 1)
        size = declared.get("plan") and size_of(
            declared["plan"], declared["counts"], declared.get("direction", "up"), len(names))
        assert [got["branch"] for got in answer["branches"]] == names
        assert [got["branch"] for got in answer["comparisons"]] == names[1:]
        for got, (_, y) in zip(answer["branches"], people):
            check_branch(got, declared, y)
        for got, other in zip(answer["comparisons"], people[1:]):
            verdict = check_comparison(got, declared, people[0], other, alpha, size, f"set {number}, {got['branch']}")
            verdicts[verdict] = verdicts.get(verdict, 0) + 1
        seen = numpy.array([len(y) for _, y in people])
        test = stats.chisquare(seen, numpy.array(ratios) * seen.sum() / sum(ratios))
        equal(answer["sample_ratio"]["statistic"], test.statistic, f"set {number}: chi square")
        equal(answer["sample_ratio"]["p"], test.pvalue, f"set {number}: p")
        equal(answer["sample_ratio"]["warning"], bool(test.pvalue < 0.001), f"set {number}: warning")
    assert len(verdicts) == 4, f"the sets do not show every verdict: {verdicts}"
    return verdicts


check_mixture()
sizes = check_sizes()
verdicts = check_sets()
print(f"goals: {compared} values of {len(SETS)} sets of clients and {sizes} sizes: as scipy, statsmodels and gbstats;",
      "verdicts:", verdicts)
