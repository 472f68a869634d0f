"""The published vectors (docs/vectors.md): the program gives the generated ones, and the page describes what there is."""

import json
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/vectors.md").read_text()


def lists(file):
    """The lists of cases of a file, by their names."""
    document = json.loads(file.read_text())
    return {name: value for name, value in document.items() if isinstance(value, list)}


class Vectors(unittest.TestCase):
    def test_the_program_gives_the_generated_vectors(self):
        told = subprocess.run([ROOT / "Scripts/vectors", "--check"], text=True, capture_output=True)
        self.assertEqual(told.returncode, 0, told.stdout + told.stderr)
        counts = [int(line.split(": ")[1]) for line in told.stdout.splitlines()]
        self.assertEqual(sum(counts), 10_000)
        print(f"ok: {sum(counts)} generated vectors are the program's answers")

    def test_the_page_lists_each_file_with_its_cases(self):
        rows = dict(re.findall(r"^\| `([a-z/-]+\.json)` \| ([^|]+) \|", PAGE, re.MULTILINE))
        files = {str(file.relative_to(ROOT / "vectors")): file for file in (ROOT / "vectors").rglob("*.json")}
        self.assertEqual(sorted(rows), sorted(files))
        for name, cell in rows.items():
            told = [int(number.replace(",", "")) for number in re.findall(r"[0-9][0-9,]*[0-9]|[0-9]", cell)]
            self.assertEqual(told, [len(cases) for cases in lists(files[name]).values()], name)

    def test_each_example_is_a_case_of_its_file(self):
        examples = re.findall(r"^```json ([a-z-]+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
        self.assertGreater(len(examples), 8)
        for name, text in examples:
            cases = [case for found in lists(ROOT / f"vectors/{name}.json").values() for case in found]
            cases += [query for case in cases for query in case.get("queries", [])]
            self.assertIn(json.loads(text), cases, name)

    def test_the_table_of_features_is_that_of_the_tests(self):
        told = subprocess.run([ROOT / "Scripts/client-features", "--check"], text=True, capture_output=True)
        self.assertEqual(told.returncode, 0, told.stderr)


if __name__ == "__main__":
    unittest.main()
