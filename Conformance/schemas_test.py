"""The schemas of kinds, judged by the package jsonschema: each is a valid schema, the samples of the repository and the
vectors are valid by it, and a value of another type is not."""

import json
import os
import pathlib
import subprocess

from jsonschema import Draft202012Validator

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ["BELLWETHER"]
KINDS = ["experiment", "flow", "questionnaire", "survey"]

# A block, and the key whose value has another type.
WRONG = [
    ({"type": "countdown_timer", "duration_seconds": "ten"}, "duration_seconds"),
    ({"type": "button", "text": "Go", "gradient_colors": "red"}, "gradient_colors"),
    ({"type": "text", "text": "Hi", "block_style": {"opacity": 7}}, "opacity"),
    ({"type": "rating", "field_id": "r", "required": "yes"}, "required"),
    ({"type": "pricing_card", "plans": [{"is_highlighted": 1}]}, "is_highlighted"),
    ({"type": "input_number", "field_id": "n", "step": "one"}, "step"),
    ({"type": "form", "fields": [{"id": "n", "type": "number", "config": {"step": "one"}}]}, "step"),
]


def schema(kind):
    printed = subprocess.run([PROGRAM, "schema", kind], check=True, capture_output=True).stdout
    Draft202012Validator.check_schema(json.loads(printed))
    return Draft202012Validator(json.loads(printed))


def kind_of(document):
    kind = document.get("kind") or ("experiment" if "branches" in document else None)
    return kind if kind in KINDS else None


def samples():
    for path in sorted((ROOT / "recipes").rglob("*.json")):
        document = json.loads(path.read_text())
        for recipe in document if isinstance(document, list) else [document]:
            if isinstance(recipe, dict) and kind_of(recipe):
                yield path.name, recipe


def faults(validator, document):
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]


def main():
    validators = {kind: schema(kind) for kind in KINDS}
    print(f"{len(KINDS)} schemas are valid")
    count = 0
    for name, recipe in samples():
        count += 1
        found = faults(validators[kind_of(recipe)], recipe)
        assert found == [], f"{name}: {found}"
    assert count > 3, count
    print(f"{count} samples are valid")
    for case in json.loads((ROOT / "Tests/SurveysTests/Vectors/flows.json").read_text())["cases"]:
        found = faults(validators["flow"], case["flow"])
        assert found == [], f"{case['flow'].get('id')}: {found}"
    for block, key in WRONG:
        flow = {"kind": "flow", "steps": [{"id": "a", "type": "custom", "config": {"content_blocks": [block]}}]}
        errors = list(validators["flow"].iter_errors(flow))
        assert errors and all(error.path[-1] == key for error in errors), f"{key}: {errors}"
    print(f"{len(WRONG)} values of another type were found at their keys")


main()
