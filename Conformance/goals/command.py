"""Asks the real program, `bellwether goals batch`, for estimates from sums."""

import concurrent.futures
import json
import os
import subprocess

PROGRAM = os.environ.get("BELLWETHER", ".build/debug/bellwether")
PROCESSES = os.cpu_count() or 1


def ask(lines):
    """The answers to the lines, in their order. Each processor runs a program with a part of them."""
    size = max(1, -(-len(lines) // PROCESSES))
    parts = [lines[start:start + size] for start in range(0, len(lines), size)]

    def answer(part):
        text = "".join(json.dumps(line) + "\n" for line in part)
        done = subprocess.run([PROGRAM, "goals", "batch"], input=text, capture_output=True, text=True, check=True)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        faults = [answer["error"] for answer in answers if "error" in answer]
        assert len(answers) == len(part) and not faults, faults[:3]
        return answers

    with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        return [answer for answers in pool.map(answer, parts) for answer in answers]


def goal(counts, **members):
    return {"name": "bought", "event": "purchase", "counts": counts, **members}


def branch(name, x, y, ratio=1):
    """The sums of one branch, from the whole numbers x and y of its clients."""
    x, y = [int(value) for value in x], [int(value) for value in y]
    return {"branch": name, "ratio": ratio, "n": len(y), "c": sum(value > 0 for value in y), "sy": sum(y),
            "syy": sum(value * value for value in y), "sx": sum(x), "sxx": sum(value * value for value in x),
            "sxy": sum(one * other for one, other in zip(x, y))}
