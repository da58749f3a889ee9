# The report of crowds, read as a reader would and computed again from tables and runs of the program.
#
#     python3 tests/cli/report.py PERCUSS SOURCE
import csv
import html.parser
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

PERCUSS, SOURCE = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
STUDENT = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571}  # t at 0.975, by the number of values
failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print("report:", what)


def close(a, b, error, what):
    expect(a is not None and abs(a - b) <= error, f"{what}: {a} where {b} is right")


def run(*arguments, status=0, **more):
    done = subprocess.run([PERCUSS, *map(str, arguments)], capture_output=True, text=True, **more)
    expect(done.returncode == status, f"{arguments}: status {done.returncode}, {done.stderr.strip()}")
    return done


class Page(html.parser.HTMLParser):
    """Tables by rows, facts, paragraphs and figures of a page. Tags must be closed in order."""

    VOID = {"meta"}

    def __init__(self, path):
        super().__init__()
        self.open, self.rows, self.facts, self.paragraphs, self.warnings = [], [], {}, [], []
        self.pictures, self.texts, self.title = 0, [], ""
        self.text = pathlib.Path(path).read_text(encoding="utf-8")
        self.feed(self.text)
        self.close()
        expect(not self.open, f"{path}: left open: {self.open}")
        xml.etree.ElementTree.fromstring(self.text)  # raises where it is not well-formed

    def handle_starttag(self, tag, attributes):
        expect(tag not in ("script", "link", "img", "iframe", "object"), f"the page has <{tag}>")
        for name, value in attributes:
            expect(name not in ("src", "href", "onload", "onclick"), f"the page refers to {value}")
            if name not in ("xmlns", "class", "lang", "content", "name"):
                expect(not re.search(r"\b(nan|inf)\b", value or ""), f"{tag} has {name}={value}")
        if tag not in self.VOID:
            self.open.append((tag, dict(attributes).get("class"), []))
        self.pictures += tag == "svg"
        if tag == "tr":
            self.rows.append([])

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.VOID:
            self.handle_endtag(tag)

    def handle_data(self, data):
        for _, _, text in self.open:
            text.append(data)

    def handle_endtag(self, tag):
        expect(self.open and self.open[-1][0] == tag, f"</{tag}> closes {self.open[-1:]}")
        _, kind, text = self.open.pop()
        text = "".join(text)
        if tag in ("th", "td"):
            self.rows[-1].append(text)
        elif tag == "dt":
            self.fact = text
        elif tag == "dd":
            self.facts[self.fact] = text
        elif tag == "p":
            (self.warnings if kind == "warning" else self.paragraphs).append(text)
        elif tag == "h1":
            self.title = text
        if tag not in ("style", "pre", "body", "html", "svg"):
            expect(not re.search(r"\b(nan|inf)\b", text), f"'{text[:80]}'")

    def row(self, name):
        return next((row[1:] for row in self.rows if row and row[0] == name), None)

    def number(self, name, column=0):
        row = self.row(name)
        return float(row[column].split()[0]) if row and re.match(r"[-+\d]", row[column]) else None


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def interval(values):
    return STUDENT[len(values)] * statistics.stdev(values) / math.sqrt(len(values))


ROOM = """kind: crowd
title: "A room & <two> doors"
duration: {duration}
step: 0.02
seed: 5
floors: [{{walls: [{{points: [[6, 2.5], [6, 5], [0, 5], [0, 2.6]]}}, {{points: [[0, 1.7], [0, 0], [6, 0], [6, {low}]]}}]}}]
exits: [{{name: east, line: [[6, {low}], [6, 2.5]]}}, {{name: west, line: [[0, 2.6], [0, 1.7]]}}]
people: [{{name: guest, count: {count}, to: [east, west], speed: {{uniform: [1, 2]}}, radius: {{uniform: [0.2, 0.25]}},
  response: {{uniform: [0, 4]}}}}]
"""


def write_room(name, low=1.5, count=30, duration=60, more=""):
    pathlib.Path(name).write_text(ROOM.format(low=low, count=count, duration=duration) + more)


def test_one_run():
    write_room("one.yaml")
    run("run", "one.yaml", "--quiet")
    run("report", "one.h5", "--quiet")
    page = Page("one.html")
    left = table("one-exits.csv")
    times = sorted(float(row["time"]) for row in left)
    expect(page.title == "A room & <two> doors", f"the title is {page.title}")
    expect(page.facts["people"] == "30" and page.facts["still inside"] == "0", f"facts: {page.facts}")
    close(float(page.facts["evacuation time"].split()[0]), times[-1], 0.051, "evacuation time")
    for share in (25, 50, 75, 90, 95, 100):
        wanted = times[math.ceil(share / 100 * 30) - 1]
        close(page.number(f"{share} %"), wanted, 0.051, f"time of {share} %")
    for name, width in (("east", 1), ("west", 0.9)):
        own = sorted(float(row["time"]) for row in left if row["exit"] == name)
        close(page.number(name), width, 0.0051, f"width of {name}")
        close(page.number(name, 1), len(own), 0, f"people by {name}")
        close(page.number(name, 2), own[-1], 0.051, f"the last by {name}")
        slopes = [(own[j] - own[i]) / (j - i) for i in range(len(own)) for j in range(i + 1, len(own))]
        close(page.number(name, 4), 1 / statistics.median(slopes) / width, 0.0051, f"flow of {name}")
    expect("duration: 60" in page.text and "percuss 0" in page.text, "the inputs are there")
    close(page.number("seed of random numbers"), 5, 0, "seed")
    expect(page.pictures > 8, f"{page.pictures} pictures")


# Squares of an odd size, so that no density of people who stand is exactly at the limit of a level.
def test_maps():
    write_room("maps.yaml", count=60, more="output: {maps: {spacing: 0.47}}\n")
    text = pathlib.Path("maps.yaml").read_text().replace("uniform: [0, 4]", "uniform: [0, 0.01]")
    pathlib.Path("maps.yaml").write_text(text)
    summary = json.loads(run("run", "maps.yaml", "--json").stdout)
    run("report", "maps.h5", "--quiet")
    page = Page("maps.html")
    for level in "ABCDEF":
        close(page.number(level, 1), summary[f"level_{level.lower()}"], 0.51, f"level {level}")
    expect(summary["level_f"] > 1, "nobody at level F")
    close(float(page.facts["largest density"].split()[0]), summary["density_largest"], 0.051, "density")
    pressed = next(p for p in page.paragraphs if p.startswith("The largest pressure is"))
    close(float(pressed.split()[4]), summary["pressure_largest"], 0.51, "pressure")
    place = re.search(r"at \(([-\d.]+), ([-\d.]+)\)", pressed)
    expect([float(place[1]), float(place[2])] == summary["pressure_where"]["place"], pressed)


# Two storeys: the load is that of the summary, and stairs are told apart from what can be made wider.
def test_stairs():
    pathlib.Path("stairs.yaml").write_text("""kind: crowd
duration: 60
step: 0.025
floors:
  - {name: low, outline: [[0, 0], [10, 0], [10, 6], [0, 6]]}
  - {name: high, outline: [[0, 0], [10, 0], [10, 6], [0, 6]]}
stairs: [{from: {floor: high, line: [[10, 4.2], [10, 2]]}, to: {floor: low, line: [[6, 3.1], [6, 0.9]]}, length: 4}]
exits: [{name: west, floor: low, line: [[0, 1], [0, 2]]}]
people: [{count: 20, floor: high, to: west}]
output: {load_window: 0.5}
""")
    summary = json.loads(run("run", "stairs.yaml", "--json").stdout)
    run("report", "stairs.h5", "--quiet")
    page = Page("stairs.html")
    expect(summary["load_largest"] > 0 and summary["load_window"] == 0.5, f"{summary['load_largest']}")
    close(float(page.facts["largest load on a person, mean over 0.5 s"].split()[0]), summary["load_largest"], 0.51, "load")
    loads = [float(row["largest_load"]) for row in table("stairs-exits.csv")]
    close(max(loads), summary["load_largest"], 1e-6, "load of the table")
    run("report", "stairs.yaml", "--widen", "0.3", "--quiet", "-o", "wider.html")
    page = Page("wider.html")
    expect("Stairs are not made wider here" in page.text, "stairs are not mentioned")
    expect(any("beside stairs" in row for row in page.rows), f"{page.rows}")


def test_many_runs():
    write_room("many.yaml", more="runs: 5\n")
    answer = json.loads(run("report", "many.yaml", "--json", "-o", "report.html").stdout)
    page = Page("report.html")
    rows = table("report-runs.csv")
    times = [float(row["evacuation"]) for row in rows]
    variant = answer["variants"][0]
    expect((variant["runs"], variant["complete"], variant["people"]) == (5, 5, 30), f"{variant}")
    mean, half = statistics.mean(times), interval(times)
    for key, wanted in (("value", mean), ("low", mean - half), ("high", mean + half)):
        close(variant["evacuation_mean"][key], wanted, 2e-3, f"mean, {key}")
    close(variant["evacuation_median"]["value"], statistics.median(times), 1e-9, "median")
    expect(variant["evacuation_median"]["low"] is None, "five runs bound no median")
    late = sorted(times)
    close(variant["evacuation_percentile_95"]["value"], late[3] + 0.8 * (late[4] - late[3]), 1e-9, "95 %")
    close(page.number("100 %"), mean, 0.051, "mean in the table")
    close(page.number("100 %", 1), half, 0.051, "interval in the table")
    close(page.number("100 %", 3), min(times), 0.051, "the shortest")
    close(page.number("100 %", 4), max(times), 0.051, "the longest")
    left = [float(row["west/out"]) for row in rows]
    close(page.number("west", 1), statistics.mean(left), 0.051, "people by west")
    expect(page.row("seeds of random numbers")[0] == "5 to 9", f"{page.row('seeds of random numbers')}")
    # From the files alone it is the same page but for what is read from the scene.
    before = pathlib.Path("report-runs.csv").stat().st_mtime_ns
    again = json.loads(run("report", "report-runs.csv", "--json", "-o", "again.html").stdout)
    expect(again["variants"] == answer["variants"], "the files give other numbers")
    expect(before == pathlib.Path("report-runs.csv").stat().st_mtime_ns, "a report changed its source")
    Page("again.html")


# The differences of runs of two files with one seed each, done by hand.
def test_wider_exits():
    write_room("wide.yaml", count=50, more="runs: 4\n")
    answer = json.loads(run("report", "wide.yaml", "--widen", "0.3", "--json", "-o", "wide.html").stdout)
    page = Page("wide.html")
    east = next(w for w in answer["widened"] if w["name"] == "east")
    text = pathlib.Path("wide.yaml").read_text()
    text = text.replace("[6, 1.5]", "[6, 1.35]").replace("[6, 2.5]", "[6, 2.65]")
    pathlib.Path("by-hand.yaml").write_text(text)
    run("run", "by-hand.yaml", "--quiet")
    change = [float(b["evacuation"]) - float(a["evacuation"])
              for a, b in zip(table("wide-runs.csv"), table("by-hand-runs.csv"))]
    expect(east["pairs"] == 4 and east["impossible"] is None, f"{east}")
    close(east["evacuation_change"]["value"], statistics.mean(change), 1e-9, "change by a wider exit")
    close(east["evacuation_change"]["high"], statistics.mean(change) + interval(change), 2e-3, "its interval")
    expect(f"{statistics.mean(change):+.1f} s" in page.text, "the change is on the page")
    # The same by comparison of the files.
    both = run("report", "wide-runs.csv", "by-hand-runs.csv", "-o", "both.html")
    row = next(row for row in Page("both.html").rows if row and row[0] == "evacuation time [s]")
    found = re.match(r"([-+\d.]+) \(([-+\d.]+) to ([-+\d.]+)\)", row[3])
    close(float(found[1]), statistics.mean(change), 0.051, "difference of variants")
    close(float(found[3]), statistics.mean(change) + interval(change), 0.051, "interval of the difference")
    expect("2 variants" not in both.stderr, both.stderr)


def test_exits_that_cannot_be_wider():
    # Across a corridor from wall to wall, and in a corner of an outline.
    pathlib.Path("tight.yaml").write_text("""kind: crowd
duration: 20
step: 0.02
floors: [{outline: [[0, 0], [6, 0], [6, 2], [0, 2]]}]
exits: [{name: end, line: [[6, 0], [6, 2]]}, {name: side, line: [[2, 2], [3, 2]]}]
people: [{name: guest, count: 4, to: [end, side], radius: 0.2, speed: 1.5}]
""")
    answer = json.loads(run("report", "tight.yaml", "--widen", "0.2", "--json").stdout)
    end, side = answer["widened"]
    expect(end["impossible"] and "evacuation_change" not in end, f"{end}")
    expect(side["impossible"] is None and side["pairs"] == 1, f"{side}")
    expect(end["impossible"] in Page("tight.html").text, "the page says why")


# A doorway between two walls, made wider by hand and by the report.
def test_a_wider_doorway():
    text = """kind: crowd
duration: 60
step: 0.02
runs: 3
floors: [{outline: [[0, 0], [12, 0], [12, 6], [0, 6]],
  walls: [{points: [[6, 0], [6, LOW]]}, {points: [[6, 6], [6, HIGH]]}]}]
exits: [{name: out, line: [[12, 2], [12, 4]]}]
people: [{name: guest, count: 40, inside: {box: [[0.3, 0.3], [5, 5.7]]}, to: out, speed: {uniform: [1, 2]}}]
"""
    pathlib.Path("doorway.yaml").write_text(text.replace("LOW", "2.5").replace("HIGH", "3.5"))
    pathlib.Path("wider.yaml").write_text(text.replace("LOW", "2.25").replace("HIGH", "3.75"))
    answer = json.loads(run("report", "doorway.yaml", "--widen", "0.5", "--json").stdout)
    run("run", "wider.yaml", "--quiet")
    expect([w["name"] for w in answer["widened"]] == ["out", "passage at (6, 3)"], f"{answer['widened']}")
    change = [float(b["evacuation"]) - float(a["evacuation"])
              for a, b in zip(table("doorway-runs.csv"), table("wider-runs.csv"))]
    doorway = answer["widened"][1]
    close(doorway["evacuation_change"]["value"], statistics.mean(change), 1e-9, "change by a wider doorway")
    expect(statistics.mean(change) < -3, f"a wider doorway changes {change}")


def test_few_people():
    write_room("single.yaml", count=1)
    run("report", "single.yaml", "--quiet")
    page = Page("single.html")
    expect("1 person was in the building" in " ".join(page.paragraphs), f"{page.paragraphs[:2]}")
    run("report", "single.yaml", "--runs", "2", "--quiet", "-o", "twice.html")
    Page("twice.html")
    # Nobody leaves before the end.
    write_room("nobody.yaml", duration=0.1)
    answer = json.loads(run("report", "nobody.yaml", "--json", "--widen", "0.2").stdout)
    page = Page("nobody.html")
    expect(page.facts["still inside"] == "30", f"{page.facts}")
    expect(any("Nobody has left" in w for w in page.warnings), f"{page.warnings}")
    expect(answer["variants"][0]["evacuation_mean"]["value"] is None, f"{answer}")
    expect(all(w["pairs"] == 0 for w in answer["widened"]), f"{answer['widened']}")
    # Some of several runs do not end.
    write_room("some.yaml", duration=11, more="runs: 4\n")
    answer = json.loads(run("report", "some.yaml", "--json").stdout)
    inside = [int(row["inside"]) for row in table("some-runs.csv")]
    expect(answer["variants"][0]["complete"] == inside.count(0), f"{answer}, {inside}")
    expect(answer["variants"][0]["inside"] == max(inside), f"{answer}, {inside}")
    Page("some.html")
    # One run of an ensemble, a sweep as variants, a crowd without maps.
    write_room("sweep.yaml", count=6, more="runs: 1\noutput: {maps: false}\n"
               "sweep: [{key: people.guest.speed, values: [1, 2]}]\n")
    answer = json.loads(run("report", "sweep.yaml", "--json").stdout)
    expect([v["name"] for v in answer["variants"]] == ["people.guest.speed: 1", "people.guest.speed: 2"], f"{answer}")
    Page("sweep.html")


def test_smoke():
    hazard = "hazards: [{zone: [[0, 0], [6, 0], [6, 5], [0, 5]], from: 0, extinction: 1, co: 0.9, o2: 0.05}]\n"
    write_room("smoke.yaml", count=5, more=hazard)
    summary = json.loads(run("run", "smoke.yaml", "--json").stdout)
    expect(summary["incapacitated"] > 0, f"nobody is incapacitated of {summary['people']}")
    run("report", "smoke.h5", "--quiet")
    expect(any(f"{summary['incapacitated']} of those inside are incapacitated" in w for w in Page("smoke.html").warnings),
           f"{Page('smoke.html').warnings}")
    run("report", "smoke.yaml", "--runs", "2", "--quiet", "-o", "smokes.html")
    most = max(int(row["incapacitated"]) for row in table("smokes-runs.csv"))
    expect(any(f"incapacitate people, at most {most}." in w for w in Page("smokes.html").warnings), "of two runs")


def test_files():
    write_room("files.yaml", count=3)
    run("run", "files.yaml", "--quiet")
    pathlib.Path("mine.html").write_text("<html>mine</html>")
    done = run("report", "files.h5", "-o", "mine.html", status=2)
    expect("is not a report of Percuss" in done.stderr, done.stderr)
    expect(pathlib.Path("mine.html").read_text() == "<html>mine</html>", "a foreign file was replaced")
    run("report", "files.h5", "--quiet")
    first = pathlib.Path("files.html").read_bytes()
    run("report", "files.h5", "--quiet")  # replaces its own
    expect(first == pathlib.Path("files.html").read_bytes(), "the same run gives another page")
    done = run("report", "files.h5", "--widen", "0.2", status=2)
    expect("give SCENE.yaml" in done.stderr, done.stderr)
    done = run("report", "files.yaml", "-o", "files.yaml", status=2)
    expect("overwrite" in done.stderr, done.stderr)
    run("report", "files.yaml", "files.h5", "--widen", "0.2", status=2)
    run("report", status=2)
    run("report", "no.h5", status=1)
    pathlib.Path("ball.yaml").write_text("kind: rigid\nduration: 0.1\nstep: 0.01\nmaterials: [{name: m, density: 1}]\n"
                                         "bodies: [{name: b, shape: {type: sphere, radius: 1}, position: [0, 0, 0]}]\n")
    done = run("report", "ball.yaml", status=2)
    expect("crowds" in done.stderr, done.stderr)
    run("run", "ball.yaml", "--quiet")
    done = run("report", "ball.h5", status=2)
    expect("not the run of a crowd" in done.stderr, done.stderr)
    expect(not pathlib.Path("ball.html").exists(), "a page of what is no crowd")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for test in (test_one_run, test_maps, test_many_runs, test_wider_exits, test_exits_that_cannot_be_wider, test_a_wider_doorway,
                 test_few_people, test_smoke, test_stairs,
                 test_files):
        test()
    os.chdir("/")
sys.exit(1 if failures else 0)
