# Holds the ready scenes, and some wrong ones, against the JSON Schema of `percuss schema --json`.
#
#     python3 tests/cli/check-schema.py SCHEMA.json SCENES
import json
import pathlib
import re
import sys

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    """YAML 1.2, as editors read it: 1e-3 is a number, and `on` a word."""


Loader.yaml_implicit_resolvers = {
    first: [rule for rule in rules if rule[0] != "tag:yaml.org,2002:bool"]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false|True|False)$"), list("tfTF"))
Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$"),
    list("-+.0123456789"),
)

HEAD = "kind: rigid\nduration: 1\nstep: 1e-3\n"
BALL = "{type: sphere, radius: 0.1}"
WRONG = [
    "kind: nothing\n",
    "kind: rigid\nduration: 1\n",
    "kind: rigid\nduration: 0\nstep: 1e-3\n",
    HEAD + "colour: red\n",
    HEAD + "dimension: 4\n",
    HEAD + "overlaps: maybe\n",
    HEAD + "bodies: [{shape: {type: sphere}, position: [0, 0, 0]}]\n",
    HEAD + "bodies: [{shape: {type: ball, radius: 1}, position: [0, 0, 0]}]\n",
    HEAD + "bodies: [{shape: %s}]\n" % BALL,
    HEAD + "bodies: [{shape: %s, position: [0]}]\n" % BALL,
    HEAD + "default_law: {normal: {kind: restitution, e: 1.5}}\n",
    HEAD + "default_law: {normal: {kind: bilateral}}\n",
    HEAD + "sensors: [{name: s, kind: smell, bodies: a}]\n",
    "kind: impact\nbodies: [{id: a, dof: 1, mass: $m}]\n",
    "kind: impact\nbodies: [{id: a, dof: 1, mass: 0}]\n",
    "kind: identification\nunknowns: {k: {low: 1}}\nexperiments: []\n",
]
RIGHT = [
    "kind: rigid\nbase: other.yaml\n",
    HEAD + "bodies: [{shape: ball, position: [0, 0], spin: 1}]\nstart: [a.csv, b.csv]\n",
    HEAD + "forces: [{bodies: [a, {material: m}], force: [0, 0, 1]}]\n",
    "kind: impact\nbodies: [{id: 1, dof: 6, mass: inf, inertia: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}]\ninteractions:\n",
]


def main():
    schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = 0
    scenes = sorted(pathlib.Path(sys.argv[2]).rglob("*.yaml"))
    texts = [(str(path), path.read_text(), True) for path in scenes]
    texts += [(text, text, True) for text in RIGHT] + [(text, text, False) for text in WRONG]
    for name, text, good in texts:
        error = next(validator.iter_errors(yaml.load(text, Loader)), None)
        if (error is None) != good:
            print(name, "is", "accepted" if error is None else "refused: " + error.message[:300])
            failures += 1
    sys.exit(failures > 0 or len(scenes) < 10)


main()
