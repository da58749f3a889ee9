"""Reads runs and draws them as SVG, for the figures of docs/. Used by the scripts figures-*.

Needs build/percuss, Python (package python3; nothing beyond its standard library) and h5dump (package
hdf5-tools). Runs are kept in build/figures and used again; remove that folder to run anew.
"""
import array
import csv
import math
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUNS = os.path.join(ROOT, "build", "figures")
FIGURES = os.path.join(ROOT, "docs", "figures")
STONE, LINE, WALL, INK = "#d9c7a3", "#5b4a2f", "#8a8f98", "#222222"
COLOURS = ["#1f5fa8", "#c2521a", "#2f8f4e", "#7a4fa3", "#a0283c"]


# --- reading a run --------------------------------------------------------------------------------

class Run:
    def __init__(self, path):
        self.path = path
        self.known_facets = {}
        self.times = self.read("frames/time")
        self.kind = self.read("bodies/kind")
        self.bodies = len(self.kind)
        self.position = self.read("frames/position")
        self.orientation = self.read("frames/orientation")
        self.velocity = self.read("frames/velocity")
        self.offset = self.read("bodies/offset")
        self.shape = self.read("bodies/shape")
        self.type = self.read("shapes/type")
        self.size = self.read("shapes/size")
        self.vertex_start = self.read("shapes/vertex_start")
        self.vertex = self.read("shapes/vertex")
        self.triangle_start = self.read("shapes/triangle_start")
        self.triangle = self.read("shapes/triangle")
        self.piece_start = self.read("shapes/piece_start")
        self.piece = self.read("shapes/piece")
        self.piece_position = self.read("shapes/piece_position")
        with open(path[:-3] + ".csv", newline="") as file:
            rows = list(csv.reader(file))
        names = [name.split(" [")[0] for name in rows[0]]
        self.column = {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(names)}

    def read(self, name):
        header = subprocess.run(["h5dump", "-H", "-d", "/" + name, self.path], capture_output=True, text=True).stdout
        kind = re.search(r"DATATYPE\s+H5T_(?:STD|IEEE)_(\w+?)LE", header) or re.search(r"H5T_STD_(U8)", header)
        if kind is None:
            return []
        code = {"F64": "d", "F32": "f", "I64": "q", "I32": "i", "U8": "B"}[kind.group(1)]
        raw = os.path.join(RUNS, "raw.bin")
        subprocess.run(["h5dump", "-d", "/" + name, "-b", "LE", "-o", raw, self.path], check=True,
                       stdout=subprocess.DEVNULL)
        numbers = array.array(code)
        with open(raw, "rb") as file:
            numbers.frombytes(file.read())
        os.unlink(raw)
        return numbers

    def names(self):
        """Of the bodies."""
        text = subprocess.run(["h5dump", "-w", "0", "-y", "-d", "/bodies/name", self.path], check=True,
                              capture_output=True, text=True).stdout
        data = re.search(r"DATA \{(.*)\}", text, re.S).group(1)
        return [name.split("\\000")[0] for name in re.findall(r'"([^"]*)"', data)]

    def frame_at(self, time):
        return min(range(len(self.times)), key=lambda k: abs(self.times[k] - time))

    def place(self, frame, body):
        i = 3 * (frame * self.bodies + body)
        return self.position[i:i + 3]

    def speed(self, frame, body):
        i = 3 * (frame * self.bodies + body)
        return self.velocity[i:i + 3]

    def turn(self, frame, body):
        i = 4 * (frame * self.bodies + body)
        return self.orientation[i:i + 4]

    def facets(self, shape):
        """Flat faces of a polyhedron, or the triangles of a mesh: normals and vertices, in the shape's axes."""
        if shape in self.known_facets:
            return self.known_facets[shape]
        first, found = self.vertex_start[shape], []
        points = [self.vertex[3 * i:3 * i + 3] for i in range(first, self.vertex_start[shape + 1])]
        for t in range(self.triangle_start[shape], self.triangle_start[shape + 1]):
            corners = list(self.triangle[3 * t:3 * t + 3])
            n = unit(cross(minus(points[corners[1]], points[corners[0]]), minus(points[corners[2]], points[corners[0]])))
            flat = self.type[shape] == 2 and next((f for f in found if dot(f[0], n) > 1 - 1e-9), None)
            if flat:
                flat[1].extend(c for c in corners if c not in flat[1])
            else:
                found.append((n, corners))
        for n, corners in found: # counter-clockwise about the middle
            if len(corners) > 3:
                middle = [sum(points[c][k] for c in corners) / len(corners) for k in range(3)]
                along = unit(minus(points[corners[0]], middle))
                across = cross(n, along)
                corners.sort(key=lambda c: math.atan2(dot(minus(points[c], middle), across),
                                                      dot(minus(points[c], middle), along)))
        self.known_facets[shape] = found
        return found

    def free(self):
        return [b for b in range(self.bodies) if self.kind[b] == 0]


def run(name, scene=None, options=()):
    """The run of scenes/NAME.yaml, or of a scene text that is called so."""
    path = os.path.join(RUNS, name + ".h5")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    source = os.path.join(ROOT, "scenes", name + ".yaml")
    if scene is not None:
        source = os.path.join(RUNS, name + ".yaml")
        with open(source, "w") as file:
            file.write(scene)
    if not os.path.exists(path):
        subprocess.run([os.path.join(ROOT, "build", "percuss"), "run", source, "-o", path, *options], check=True)
    return Run(path)


def scene_text(name):
    with open(os.path.join(ROOT, "scenes", name + ".yaml")) as file:
        return file.read()


def rotate(q, p):
    w, x, y, z = q
    tx, ty, tz = 2 * (y * p[2] - z * p[1]), 2 * (z * p[0] - x * p[2]), 2 * (x * p[1] - y * p[0])
    return (p[0] + w * tx + y * tz - z * ty, p[1] + w * ty + z * tx - x * tz, p[2] + w * tz + x * ty - y * tx)


# --- SVG ------------------------------------------------------------------------------------------

class Svg:
    def __init__(self, width, height):
        self.width, self.height = width, height
        self.parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 0 %g %g" '
                      'font-family="sans-serif">' % (width, height, width, height),
                      '<rect width="100%" height="100%" fill="white"/>']

    def add(self, text):
        self.parts.append(text)

    def text(self, x, y, words, size=12, anchor="start", colour=INK, turn=0):
        turned = ' transform="rotate(%g %g %g)"' % (turn, x, y) if turn else ""
        self.add('<text x="%.1f" y="%.1f" font-size="%g" text-anchor="%s" fill="%s"%s>%s</text>' %
                 (x, y, size, anchor, colour, turned, words))

    def line(self, points, colour=INK, width=1.0, dash=""):
        dashed = ' stroke-dasharray="%s"' % dash if dash else ""
        self.add('<polyline points="%s" fill="none" stroke="%s" stroke-width="%g"%s/>' %
                 (" ".join("%.1f,%.1f" % p for p in points), colour, width, dashed))

    def polygon(self, points, fill=STONE, stroke=LINE, width=0.5):
        self.add('<polygon points="%s" fill="%s" stroke="%s" stroke-width="%g"/>' %
                 (" ".join("%.1f,%.1f" % p for p in points), fill, stroke, width))

    def circle(self, x, y, r, fill=STONE, stroke=LINE, width=0.5):
        self.add('<circle cx="%.1f" cy="%.1f" r="%.2f" fill="%s" stroke="%s" stroke-width="%g"/>' %
                 (x, y, r, fill, stroke, width))

    def save(self, name):
        os.makedirs(FIGURES, exist_ok=True)
        path = os.path.join(FIGURES, name + ".svg")
        with open(path, "w") as file:
            file.write("\n".join(self.parts + ["</svg>", ""]))
        print(path)


class Plot:
    """Axes in a rectangle of the figure, in numbers of the data; in powers of ten with `logs`."""

    def __init__(self, svg, box, x_range, y_range, x_name, y_name, logs=False):
        self.svg, self.box, self.x_range, self.y_range = svg, box, x_range, y_range
        self.scale = math.log10 if logs else float
        ticks = powers if logs else steps
        left, top, width, height = box
        svg.add('<rect x="%g" y="%g" width="%g" height="%g" fill="none" stroke="%s"/>' % (*box, INK))
        for value in ticks(*x_range):
            x, _ = self.at(value, y_range[0])
            svg.line([(x, top + height), (x, top + height - 4)])
            svg.text(x, top + height + 14, "%g" % value, 10, "middle")
        for value in ticks(*y_range):
            _, y = self.at(x_range[0], value)
            svg.line([(left, y), (left + 4, y)])
            svg.text(left - 5, y + 3, "%g" % value, 10, "end")
        svg.text(left + width / 2, top + height + 30, x_name, 11, "middle")
        svg.text(left - 40, top + height / 2, y_name, 11, "middle", turn=-90)

    def at(self, x, y):
        left, top, width, height = self.box
        along, up = self.part(x, self.x_range), self.part(y, self.y_range)
        return left + width * along, top + height * (1 - up)

    def part(self, value, between):
        low, high = (self.scale(end) for end in between)
        return (self.scale(value) - low) / (high - low)

    def curve(self, xs, ys, colour=COLOURS[0], width=1.3, dash=""):
        low, high = self.y_range
        self.svg.line([self.at(x, min(max(y, low), high)) for x, y in zip(xs, ys)], colour, width, dash)

    def dots(self, xs, ys, colour=COLOURS[0]):
        for x, y in zip(xs, ys):
            self.svg.circle(*self.at(x, y), 3, colour, colour)

    def name(self, row, words, colour):
        left, top, width, _ = self.box
        self.svg.text(left + width - 8, top + 16 + 15 * row, words, 11, "end", colour)


def steps(low, high):
    raw = (high - low) / 5
    unit = 10 ** math.floor(math.log10(raw))
    step = min((s * unit for s in (1, 2, 5, 10)), key=lambda s: abs(s - raw))
    first = math.ceil(low / step - 1e-9)
    return [round((first + i) * step, 10) for i in range(int((high - low) / step + 1e-9) + 1)
            if (first + i) * step <= high + 1e-9 * step]


def powers(low, high):
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    return [10.0 ** k for k in range(first, last + 1, 1 + (last - first) // 6)]


def panel(svg, box, title):
    svg.text(box[0] + 4, box[1] + 14, title, 12)


class View:
    """Bodies of a run in the plane, drawn into a rectangle of the figure."""

    def __init__(self, svg, box, low, high):
        self.svg, self.box, self.low = svg, box, low
        self.scale = min(box[2] / (high[0] - low[0]), box[3] / (high[1] - low[1]))

    def at(self, x, y):
        return (self.box[0] + (x - self.low[0]) * self.scale,
                self.box[1] + self.box[3] - (y - self.low[1]) * self.scale)

    def body(self, r, frame, body, fill=STONE):
        x, y, _ = r.place(frame, body)
        q = r.turn(frame, body)
        self.shape(r, r.shape[body], r.offset[3 * body:3 * body + 3], (x, y), q, fill)

    def shape(self, r, shape, offset, place, q, fill):
        def world(px, py):
            moved = rotate(q, (px + offset[0], py + offset[1], 0))
            return self.at(place[0] + moved[0], place[1] + moved[1])

        kind = r.type[shape]
        if kind == 9:
            centre, rim = world(0, 0), world(r.size[3 * shape], 0)
            self.svg.circle(*centre, r.size[3 * shape] * self.scale, fill)
            self.svg.line([centre, rim], LINE, 0.5)
        elif kind == 5:
            for i in range(r.piece_start[shape], r.piece_start[shape + 1]):
                p = r.piece_position[3 * i:3 * i + 3]
                self.shape(r, r.piece[i], (offset[0] + p[0], offset[1] + p[1]), place, q, fill)
        elif kind in (1, 10):
            rows = range(r.vertex_start[shape], r.vertex_start[shape + 1])
            self.svg.polygon([world(r.vertex[3 * i], r.vertex[3 * i + 1]) for i in rows], fill)


# --- bodies in space ------------------------------------------------------------------------------

class Space:
    """Bodies of a run in space, seen from the front, above and aside, far ones first."""

    def __init__(self, svg, box, centre, scale, turn=25, tilt=20):
        self.svg, self.box, self.centre, self.scale = svg, box, centre, scale
        self.a, self.b = math.radians(turn), math.radians(tilt)

    def at(self, p):
        x, y, z = (p[i] - self.centre[i] for i in range(3))
        u = x * math.cos(self.a) + y * math.sin(self.a)
        away = -x * math.sin(self.a) + y * math.cos(self.a)
        v = z * math.cos(self.b) + away * math.sin(self.b)
        depth = away * math.cos(self.b) - z * math.sin(self.b)
        return (self.box[0] + self.box[2] / 2 + u * self.scale, self.box[1] + self.box[3] / 2 - v * self.scale, depth)

    def facing(self, n):
        return n[0] * math.sin(self.a) * math.cos(self.b) - n[1] * math.cos(self.a) * math.cos(self.b) + \
            n[2] * math.sin(self.b)

    def bodies(self, r, frame, colour, shown=lambda place: True, which=None):
        drawn = []
        for b in r.free() if which is None else which:
            place, q, shape = r.place(frame, b), r.turn(frame, b), r.shape[b]
            if not shown(place):
                continue
            if r.type[shape] == 0:
                x, y, depth = self.at(place)
                drawn.append((depth, "ball", (x, y, r.size[3 * shape] * self.scale), colour(b)))
            elif r.type[shape] == 1:
                drawn += self.box_faces(place, q, r.size[3 * shape:3 * shape + 3], colour(b))
            else:
                drawn += self.faces(r, shape, r.offset[3 * b:3 * b + 3], place, q, colour(b))
        self.paint(drawn)

    def paint(self, drawn):
        self.svg.add('<g stroke="%s" stroke-width="0.4" stroke-linejoin="round">' % LINE)
        for _, kind, what, fill in sorted(drawn, key=lambda d: -d[0]):
            if kind == "ball":
                self.svg.circle(*what, fill)
                continue
            edge = "" if kind == "face" else ' stroke="%s"' % fill
            points = " ".join("%g,%g" % (round(x, 1), round(y, 1)) for x, y in what)
            self.svg.add('<polygon points="%s" fill="%s"%s/>' % (points, fill, edge))
        self.svg.add("</g>")

    def box_faces(self, place, q, size, fill):
        out = []
        for axis in range(3):
            for side in (-1, 1):
                normal = [0, 0, 0]
                normal[axis] = side
                facing = self.facing(rotate(q, normal))
                if facing <= 0:
                    continue
                i, j = [k for k in range(3) if k != axis]
                corners = []
                for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                    p = [0, 0, 0]
                    p[axis], p[i], p[j] = side * size[axis] / 2, s * size[i] / 2, t * size[j] / 2
                    moved = rotate(q, p)
                    corners.append(self.at([place[k] + moved[k] for k in range(3)]))
                depth = sum(c[2] for c in corners) / 4
                out.append((depth, "face", [c[:2] for c in corners], shade(fill, 0.65 + 0.35 * facing)))
        return out

    def faces(self, r, shape, offset, place, q, fill):
        """A polyhedron or a mesh; what looks away is not drawn."""
        out, points = [], []
        for i in range(r.vertex_start[shape], r.vertex_start[shape + 1]):
            moved = rotate(q, [r.vertex[3 * i + k] + offset[k] for k in range(3)])
            points.append([place[k] + moved[k] for k in range(3)])
        for normal, corners in r.facets(shape):
            facing = self.facing(rotate(q, normal))
            if facing > 0:
                seen = [self.at(points[i]) for i in corners]
                depth = sum(p[2] for p in seen) / len(seen)
                kind = "face" if r.type[shape] == 2 else "triangle"
                out.append((depth, kind, [p[:2] for p in seen], shade(fill, 0.55 + 0.45 * facing)))
        return out


def minus(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def unit(a):
    size = math.sqrt(dot(a, a)) or 1
    return (a[0] / size, a[1] / size, a[2] / size)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def shade(colour, factor):
    return "#" + "".join("%02x" % int(int(colour[i:i + 2], 16) * factor) for i in (1, 3, 5))


def draw(figures, usage):
    """The figures named on the command line, or all."""
    names = sys.argv[1:] or list(figures)
    if any(name not in figures for name in names):
        sys.exit(usage)
    for name in names:
        figures[name]()
