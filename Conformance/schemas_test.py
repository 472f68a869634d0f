"""The schemas of kinds, judged by the package jsonschema: each is a valid schema, the samples of the repository and the
vectors are valid by it, and a value of another type is not."""

import json
import os
import pathlib
import subprocess

from jsonschema import Draft202012Validator

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ["BELLWETHER"]
KINDS = ["experiment", "flow", "manifest", "messages", "questionnaire", "survey"]

# A block, and the key whose value has another type.
WRONG_BLOCKS = [
    ({"type": "countdown_timer", "duration_seconds": "ten"}, "duration_seconds"),
    ({"type": "button", "text": "Go", "gradient_colors": "red"}, "gradient_colors"),
    ({"type": "text", "text": "Hi", "block_style": {"opacity": 7}}, "opacity"),
    ({"type": "rating", "field_id": "r", "required": "yes"}, "required"),
    ({"type": "pricing_card", "plans": [{"is_highlighted": 1}]}, "is_highlighted"),
    ({"type": "input_number", "field_id": "n", "step": "one"}, "step"),
    ({"type": "form", "fields": [{"id": "n", "type": "number", "config": {"step": "one"}}]}, "step"),
]
# Parts of a document of a kind, and the key whose value has another type.
WRONG = [
    ("survey", {"questions": [{"question_type": "date_picker", "date_diff": {"day": True}}]}, "day"),
    ("survey", {"questions": [{"question_type": "segment_select", "values": "one"}]}, "values"),
    ("questionnaire", {"schema": {"questions": [{"type": "rating", "scale": 12}]}}, "scale"),
    ("questionnaire", {"offer": {"pacing": {"quotas": [{"limit": -1}]}}}, "limit"),
    ("messages", {"messages": {"m": {"is-control": "no"}}}, "is-control"),
    ("experiment", {"branches": [{"features": [{"featureId": "messaging", "value": {"on-control": 1}}]}]}, "on-control"),
    ("manifest", {"features": {"f": {"variables": {"v": {"type": "text"}}}}}, "type"),
]


def schema(kind):
    printed = subprocess.run([PROGRAM, "schema", kind], check=True, capture_output=True).stdout
    Draft202012Validator.check_schema(json.loads(printed))
    return Draft202012Validator(json.loads(printed))


def kind_of(document):
    kinds = [
        document.get("kind"),
        "experiment" if "branches" in document else None,
        "manifest" if "app_name" in document else None,
        "messages" if "messages" in document else None,
    ]
    return next((kind for kind in kinds if kind in KINDS), None)


def samples():
    for path in sorted((ROOT / "recipes").rglob("*.json")):
        document = json.loads(path.read_text())
        for recipe in document if isinstance(document, list) else [document]:
            if isinstance(recipe, dict) and kind_of(recipe):
                yield path.name, recipe


def vectors():
    folder = ROOT / "vectors"
    for case in json.loads((folder / "flows.json").read_text())["cases"]:
        yield "flow", case["flow"]
    for case in json.loads((folder / "surveys.json").read_text())["cases"]:
        definition = case["definition"]
        kind = "questionnaire" if "schema" in definition else "survey"
        yield kind, {"kind": kind, "name": "of a vector"} | definition


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
    for kind, document in vectors():
        found = faults(validators[kind], document)
        assert found == [], f"{document}: {found}"
    blocks = [("flow", {"steps": [{"type": "custom", "config": {"content_blocks": [block]}}]}, key) for block, key in WRONG_BLOCKS]
    for kind, document, key in blocks + WRONG:
        errors = [error for error in validators[kind].iter_errors(document) if error.path]
        assert errors and all(error.path[-1] == key for error in errors), f"{key}: {errors}"
    print(f"{len(blocks + WRONG)} values of another type were found at their keys")


main()
