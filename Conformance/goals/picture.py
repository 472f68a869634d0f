"""Draws docs/images/goal-band.svg: the interval of an experiment, day by day. The clients are drawn from a fixed seed,
and `bellwether goals batch` estimates the goal at the end of each day.

usage: BELLWETHER=PROGRAM picture.py [--lines FILE]   (FILE: writes the lines for the program, too)
"""

import json
import pathlib
import sys

import numpy

from command import ask, goal

SEED = 6
DAYS, EACH_DAY = 21, 1900
RATES = {"plain": 0.100, "short": 0.113}
PLAN = {"mean": 0.10, "mde": 0.10}
OUTPUT = pathlib.Path(__file__).resolve().parents[2] / "docs/images/goal-band.svg"
# The plot, in pixels and in percentage points.
LEFT, RIGHT, TOP, BOTTOM, HIGHEST = 70, 700, 30, 310, 6


def lines():
    random = numpy.random.default_rng(SEED)
    n, c = dict.fromkeys(RATES, 0), dict.fromkeys(RATES, 0)
    for _ in range(DAYS):
        new = int(random.binomial(EACH_DAY, 0.5))
        for name, clients in zip(RATES, (new, EACH_DAY - new)):
            n[name] += clients
            c[name] += int(random.binomial(clients, RATES[name]))
        yield {"goal": goal("converted", within_days=7, plan=PLAN), "control": "plain", "branches": [
            {"branch": name, "ratio": 1, "n": n[name], "c": c[name], "sy": c[name], "syy": c[name], "sx": 0, "sxx": 0,
             "sxy": 0} for name in RATES]}


def drawing(comparisons):
    def x(day):
        return LEFT + (RIGHT - LEFT) * (day - 1) / (DAYS - 1)

    def y(difference):
        points = max(-HIGHEST, min(HIGHEST, 100 * difference))
        return (TOP + BOTTOM) / 2 - (BOTTOM - TOP) / 2 * points / HIGHEST

    def way(points):
        return "L".join(f"{across:.1f} {down:.1f}" for across, down in points)

    days = [(x(day), one) for day, one in enumerate(comparisons, 1)]
    band = [(place, one["interval"]) for place, one in days if one["interval"]]
    edge = [(place, y(one["high"])) for place, one in band] + [(place, y(one["low"])) for place, one in reversed(band)]
    first = next(day for day, one in enumerate(comparisons, 1) if one["verdict"] == "better")
    ticks = "".join(
        f'<path class="grid" d="M{LEFT} {y(points / 100):.1f}H{RIGHT}"/>'
        f'<text class="small" x="{LEFT - 8}" y="{y(points / 100) + 4:.1f}" text-anchor="end">{label}</text>'
        for points in range(-HIGHEST, HIGHEST + 1, 2) for label in [f"{points:+d}".replace("-", "−")] if points)
    numbers = "".join(f'<text class="small" x="{x(day):.1f}" y="{BOTTOM + 20}" text-anchor="middle">{day}</text>'
                      for day in (1, 7, 14, 21))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 370" role="img" aria-label="The difference of two branches over {DAYS} days, with its band. The band is wide at first and narrows around the difference. On day {first} it leaves zero." font-family="system-ui, sans-serif" font-size="14">
<style>.band{{fill:#2f6fb3;fill-opacity:.22;stroke:#2f6fb3;stroke-opacity:.6}}.difference{{stroke:#1f5288;stroke-width:2.5;fill:none}}.zero{{stroke:#1c252e;stroke-width:1.5}}.grid{{stroke:#5b6b7b;stroke-opacity:.25}}.first{{stroke:#5b6b7b;stroke-width:1.5;stroke-dasharray:5 4}}.small{{font-size:12px;fill:#44515e}}text{{fill:#1c252e}}@media (prefers-color-scheme:dark){{.band{{fill:#7fb2e8;fill-opacity:.28;stroke:#7fb2e8}}.difference{{stroke:#a9cdf3}}.zero{{stroke:#e8edf2}}.grid{{stroke:#93a4b5}}.first{{stroke:#93a4b5}}text{{fill:#e8edf2}}.small{{fill:#b9c5d0}}}}</style>
{ticks}
<text class="small" x="{LEFT - 8}" y="{y(0) + 4:.1f}" text-anchor="end">0</text>
<path class="band" d="M{way(edge)}Z"/>
<path class="zero" d="M{LEFT} {y(0):.1f}H{RIGHT}"/>
<path class="difference" d="M{way((place, y(one['difference'])) for place, one in days)}"/>
<path class="first" d="M{x(first):.1f} {TOP}V{BOTTOM}"/>
<text x="{x(first) - 8:.1f}" y="{TOP + 18}" text-anchor="end">day {first}: better</text>
<text class="small" x="{LEFT + 8}" y="{BOTTOM - 8}">above 0: “short” sells more often; below 0: “plain”</text>
{numbers}
<text class="small" x="{(LEFT + RIGHT) / 2}" y="{BOTTOM + 42}" text-anchor="middle">days since the start, {EACH_DAY:,} new clients each</text>
<text class="small" x="12" y="{TOP - 12}">difference, percentage points</text>
</svg>
"""


asked = list(lines())
found = [answer["comparisons"][0] for answer in ask(asked)]
OUTPUT.write_text(drawing(found))
if sys.argv[1:2] == ["--lines"]:
    pathlib.Path(sys.argv[2]).write_text("".join(json.dumps(line) + "\n" for line in asked))
for day, one in enumerate(found, 1):
    print(day, one["verdict"], *(f"{100 * one['interval'][end]:+.2f}" for end in ("low", "high") if one["interval"]))
