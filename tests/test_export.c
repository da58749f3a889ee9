// Exports are read by parsers of their own here, and compared with places that are known: nothing
// pulls the bodies, so they move evenly, and one is turned by a third of a turn about (1, 1, 1),
// which takes x to y, y to z and z to x.
#include "support.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/array.h"
#include "folder.h"
#include "json.h"
#include "percuss/export.h"
#include "percuss/run.h"

static const char *const text =
    "kind: rigid\ntitle: Shapes\nduration: 0.4\nstep: 0.1\ngravity: [0, 0, 0]\n"
    "materials: [{name: stone, density: 2500}, {name: ground, density: 2000}]\n"
    "obstacles:\n"
    "  - {name: floor, material: ground, shape: {type: plane}}\n"
    "  - {name: block, material: ground, shape: {type: box, size: [1, 2, 3]}, position: [50, 0, "
    "0]}\n"
    "bodies:\n"
    "  - {name: ball, material: stone, shape: {type: sphere, radius: 0.5}, position: [0, 0, 9], "
    "velocity: [1, 2, 3]}\n"
    "  - {name: wedge, material: stone, shape: {type: polyhedron, vertices: [[0, 0, 0], [1, 0, 0], "
    "[0, 2, 0], [0, 0, 3]]}, position: [10, 0, 20], orientation: [0.5, 0.5, 0.5, 0.5], "
    "velocity: [0, 1, 0]}\n"
    "  - {name: can, material: stone, shape: {type: cylinder, radius: 0.5, length: 2}, "
    "position: [20, 0, 9]}\n"
    "  - {name: pill, material: stone, shape: {type: capsule, radius: 0.5, length: 2}, "
    "position: [30, 0, 9]}\n"
    "  - name: both\n    material: stone\n    position: [40, 0, 9]\n"
    "    shape: {type: compound, pieces: [{shape: {type: box, size: [1, 1, 1]}, position: [1, 0, "
    "0]}, "
    "{shape: {type: box, size: [1, 1, 1]}, position: [-1, 0, 0]}]}\n"
    "output: {every: 0.1}\n";
enum { BALL = 2, WEDGE, CAN, PILL, BOTH, BODIES, FRAMES = 5, MOST_NODES = 31 };
#define END 0.4

static int make_run(void **state)
{
  int result = make_folder(state);
  write_file("scene.yaml", text);
  pc_scene scene;
  pc_error error = {.text = ""};
  pc_run_summary summary;
  char output[200];
  strcpy(output, in_folder("run.h5"));
  if (pc_scene_read(in_folder("scene.yaml"), &scene, &error) != PC_OK ||
      pc_run_scene(&scene, &(pc_run_options){.output = output}, &summary, &error) != PC_OK)
    fail_msg("%s", error.text);
  pc_scene_free(&scene);
  return result;
}

static pc_exported export(pc_export_format format, const char *output, long first, long last)
{
  pc_exported exported;
  pc_error error = {.text = ""};
  pc_export_options options = {format, in_folder(output), first, last, 1};
  assert_ok(pc_run_export(in_folder("run.h5"), &options, &exported, &error), &error);
  assert_int_equal(exported.bodies, 5);
  assert_int_equal(exported.obstacles, 1);
  assert_int_equal(exported.left_out, 1);
  return exported;
}

// VTK: where an array begins, after its size, and its type and width.
typedef struct vtk {
  char *all, *data;
} vtk;

static vtk read_vtk(const char *path)
{
  vtk v = {.all = text_of(path)};
  char *mark = strstr(v.all, "<AppendedData encoding=\"raw\">\n_");
  assert_non_null(mark);
  v.data = strchr(mark, '_') + 1;
  return v;
}

static const void *array_of(const vtk *v, const char *section, const char *name, const char *type,
                            int width, int *rows)
{
  char wanted[80], found[20];
  int components, size = strcmp(type, "UInt8") == 0 ? 1 : 4;
  unsigned long long offset;
  uint64_t bytes;
  const char *at = strstr(v->all, section);
  assert_non_null(at);
  snprintf(wanted, sizeof wanted, "Name=\"%s\"", name);
  at = strstr(at, wanted);
  assert_non_null(at);
  while (*at != '<')
    at--;
  assert_int_equal(sscanf(at,
                          "<DataArray type=\"%19[^\"]\" Name=\"%*[^\"]\" NumberOfComponents=\"%d\" "
                          "format=\"appended\" offset=\"%llu\"/>",
                          found, &components, &offset),
                   3);
  assert_string_equal(found, type);
  assert_int_equal(components, width);
  memcpy(&bytes, v->data + offset, sizeof bytes);
  *rows = (int)(bytes / (uint64_t)(size * width));
  // In the file they stand at any byte. The last few are kept.
  static double kept[16][1 << 16];
  static int next;
  assert_true(bytes <= sizeof kept[0]);
  next = (next + 1) % 16;
  return memcpy(kept[next], v->data + offset + sizeof bytes, bytes);
}

typedef struct surface {
  int points, faces;
  const float *place, *speed;
  const int32_t *body, *point, *end;
} surface;

static surface surface_of(const vtk *v)
{
  surface s;
  int rows, faces;
  s.place = array_of(v, "<Points>", "Points", "Float32", 3, &s.points);
  s.body = array_of(v, "<PointData", "body", "Int32", 1, &rows);
  assert_int_equal(rows, s.points);
  s.speed = array_of(v, "<PointData", "speed", "Float32", 1, &rows);
  assert_int_equal(rows, s.points);
  s.point = array_of(v, "<Polys>", "connectivity", "Int32", 1, &rows);
  s.end = array_of(v, "<Polys>", "offsets", "Int32", 1, &faces);
  s.faces = faces;
  assert_int_equal(s.end[faces - 1], rows);
  return s;
}

// The volume within the faces of a body by Gauss's theorem; every edge is met once in each
// direction, so they close it and all look out.
static double volume_of(const surface *s, int body)
{
  double volume = 0;
  int edges = 0;
  static int32_t edge[20000][2];
  for (int f = 0; f < s->faces; f++) {
    int from = f > 0 ? s->end[f - 1] : 0, count = s->end[f] - from;
    const int32_t *p = s->point + from;
    if (s->body[p[0]] != body)
      continue;
    for (int k = 0; k < count; k++, edges++) {
      edge[edges][0] = p[k];
      edge[edges][1] = p[(k + 1) % count];
    }
    for (int k = 1; k + 1 < count; k++) {
      const float *a = s->place + 3 * p[0], *b = s->place + 3 * p[k], *c = s->place + 3 * p[k + 1];
      double u[3], w[3];
      for (int i = 0; i < 3; i++) {
        u[i] = (double)b[i] - (double)a[i];
        w[i] = (double)c[i] - (double)a[i];
      }
      volume +=
          ((double)a[0] * (u[1] * w[2] - u[2] * w[1]) + (double)a[1] * (u[2] * w[0] - u[0] * w[2]) +
           (double)a[2] * (u[0] * w[1] - u[1] * w[0])) /
          6;
    }
  }
  for (int i = 0; i < edges; i++) {
    int back = 0, same = 0;
    for (int k = 0; k < edges; k++) {
      back += edge[k][0] == edge[i][1] && edge[k][1] == edge[i][0];
      same += edge[k][0] == edge[i][0] && edge[k][1] == edge[i][1];
    }
    assert_true(back == 1 && same == 1);
  }
  return volume;
}

static bool has_corner(const surface *s, int body, const double corner[3])
{
  for (int i = 0; i < s->points; i++) {
    double away = 0;
    for (int c = 0; c < 3; c++)
      away = fmax(away, fabs((double)s->place[3 * i + c] - corner[c]));
    if (s->body[i] == body && away < 1e-5)
      return true;
  }
  return false;
}

static void check_bodies(long frame)
{
  char name[60];
  snprintf(name, sizeof name, "vtk/bodies-%06ld.vtp", frame);
  double t = 0.1 * (double)frame;
  vtk v = read_vtk(in_folder(name));
  surface s = surface_of(&v);
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < s.points; i++)
    if (s.body[i] == BALL) {
      double square = 0;
      assert_near((double)s.speed[i], sqrt(14), 1e-6);
      for (int c = 0; c < 3; c++) {
        double x = (double)s.place[3 * i + c], middle = (c == 2 ? 9 : 0) + (c + 1) * t;
        square += (x - middle) * (x - middle);
        low[c] = fmin(low[c], x - middle);
        high[c] = fmax(high[c], x - middle);
      }
      assert_near(sqrt(square), 0.5, 1e-5);
    }
  for (int c = 0; c < 3; c++) {
    assert_near(low[c], -0.5, 1e-5);
    assert_near(high[c], 0.5, 1e-5);
  }
  // Its vertices (1, 0, 0), (0, 2, 0), (0, 0, 3), turned.
  const double corner[][3] = {{0, 0, 0}, {0, 1, 0}, {0, 0, 2}, {3, 0, 0}};
  for (int k = 0; k < 4; k++)
    assert_true(
        has_corner(&s, WEDGE, (double[]){10 + corner[k][0], corner[k][1] + t, 20 + corner[k][2]}));
  const double pi = 3.14159265358979;
  assert_near(volume_of(&s, WEDGE), 1, 1e-4);
  assert_near(volume_of(&s, BOTH), 2, 1e-4);
  assert_near(volume_of(&s, BALL) / (pi / 6), 0.97, 0.03); // inscribed
  assert_near(volume_of(&s, CAN) / (pi / 2), 0.98, 0.02);
  assert_near(volume_of(&s, PILL) / (pi / 2 + pi / 6), 0.98, 0.02);
  free(v.all);
}

static void vtk_surfaces_are_where_the_bodies_are(void **state)
{
  pc_exported exported = export(PC_EXPORT_VTK, "vtk", 0, -1);
  assert_int_equal(exported.frames, FRAMES);
  check_bodies(0);
  check_bodies(FRAMES - 1);
  char *series = text_of(in_folder("vtk/bodies.pvd")), *at = series;
  for (int k = 0; k < FRAMES; k++) {
    double time;
    char name[40];
    at = strstr(at, "<DataSet ");
    assert_non_null(at);
    assert_int_equal(
        sscanf(at++, "<DataSet timestep=\"%lf\" part=\"0\" file=\"%39[^\"]\"/>", &time, name), 2);
    assert_near(time, 0.1 * k, 1e-12);
    char path[60];
    snprintf(path, sizeof path, "vtk/%s", name);
    assert_int_equal(access(in_folder(path), R_OK), 0);
  }
  assert_null(strstr(at, "<DataSet "));
  free(series);
  int points;
  vtk obstacles = read_vtk(in_folder("vtk/obstacles.vtp"));
  const float *place = array_of(&obstacles, "<Points>", "Points", "Float32", 3, &points);
  assert_int_equal(points, 8); // of the block; the plane has no end
  for (int i = 0; i < points; i++)
    assert_true(fabsf(fabsf(place[3 * i] - 50) - 0.5F) < 1e-5F &&
                fabsf(fabsf(place[3 * i + 2]) - 1.5F) < 1e-5F);
  free(obstacles.all);
}

// glTF: the two chunks.
typedef struct glb {
  char *all, *json;
  size_t json_size, binary_size;
  const char *binary;
} glb;

static uint32_t word(const char *at)
{
  uint32_t number;
  memcpy(&number, at, sizeof number);
  return number;
}

static glb read_glb(const char *path)
{
  struct stat there;
  assert_int_equal(stat(path, &there), 0);
  glb g = {.all = text_of(path)};
  assert_memory_equal(g.all, "glTF", 4);
  assert_int_equal(word(g.all + 4), 2);
  assert_int_equal(word(g.all + 8), there.st_size);
  g.json_size = word(g.all + 12);
  assert_memory_equal(g.all + 16, "JSON", 4);
  g.json = g.all + 20;
  assert_int_equal(g.json_size % 4, 0);
  const char *next = g.json + g.json_size;
  g.binary_size = word(next);
  assert_memory_equal(next + 4, "BIN\0", 4);
  assert_int_equal(g.binary_size % 4, 0);
  g.binary = next + 8;
  assert_int_equal(g.binary + g.binary_size - g.all, there.st_size);
  g.json[g.json_size - 1] = 0; // it ends with a blank or a newline
  assert_true(json_read(g.json, strlen(g.json), NULL).why == NULL);
  return g;
}

// The value at a path such as "nodes/1/mesh"; NULL: there is none.
static const char *value_at(const glb *g, const char *path)
{
  char copy[120], *part[12], *rest = NULL;
  int count = 0;
  snprintf(copy, sizeof copy, "%s", path);
  for (char *at = strtok_r(copy, "/", &rest); at != NULL; at = strtok_r(NULL, "/", &rest))
    part[count++] = at;
  part[count] = NULL;
  return json_read(g->json, strlen(g->json), part).found;
}

static double number_at(const glb *g, const char *format, int i, const char *tail)
{
  char path[120];
  snprintf(path, sizeof path, format, i, tail);
  const char *found = value_at(g, path);
  if (found == NULL)
    fail_msg("nothing at %s", path);
  return strtod(found, NULL);
}

// The numbers of an accessor, which lie in its view of the buffer.
static const void *accessor_of(const glb *g, int i, int *count)
{
  int view = (int)number_at(g, "accessors/%d/%s", i, "bufferView");
  size_t offset = (size_t)number_at(g, "bufferViews/%d/%s", view, "byteOffset");
  size_t bytes = (size_t)number_at(g, "bufferViews/%d/%s", view, "byteLength");
  *count = (int)number_at(g, "accessors/%d/%s", i, "count");
  assert_int_equal(offset % 4, 0);
  assert_true(offset + bytes <= g->binary_size);
  return g->binary + offset;
}

// The node of a name, from 1; 0 is the root.
static int node_of(const glb *g, const char *name)
{
  for (int i = 1; i <= MOST_NODES; i++) {
    char path[40], wanted[40];
    snprintf(path, sizeof path, "nodes/%d/name", i);
    snprintf(wanted, sizeof wanted, "\"%s\"", name);
    const char *found = value_at(g, path);
    if (found != NULL && strncmp(found, wanted, strlen(wanted)) == 0)
      return i;
  }
  fail_msg("no node %s", name);
  return 0;
}

// The output of the channel that moves a node.
static const float *track_of(const glb *g, int node, const char *path, int *count)
{
  for (int i = 0; i < 2 * MOST_NODES; i++) {
    char at[80];
    snprintf(at, sizeof at, "animations/0/channels/%d/target/path", i);
    const char *found = value_at(g, at);
    if (found == NULL)
      break;
    if (strncmp(found + 1, path, strlen(path)) != 0 ||
        (int)number_at(g, "animations/0/channels/%d/%s", i, "target/node") != node)
      continue;
    int sampler = (int)number_at(g, "animations/0/channels/%d/%s", i, "sampler");
    return accessor_of(g, (int)number_at(g, "animations/0/samplers/%d/%s", sampler, "output"),
                       count);
  }
  *count = 0;
  return NULL;
}

static void gltf_has_a_mesh_a_node_and_tracks_for_each_body(void **state)
{
  export(PC_EXPORT_GLTF, "run.glb", 0, -1);
  glb g = read_glb(in_folder("run.glb"));
  int count, block = node_of(&g, "block"), ball = node_of(&g, "ball"), wedge = node_of(&g, "wedge");
  assert_non_null(strstr(value_at(&g, "asset/version"), "\"2.0\""));
  assert_int_equal(number_at(&g, "buffers/%d/%s", 0, "byteLength"), g.binary_size);
  // Dull, unlike the metal that glTF takes a material for that says nothing.
  assert_near(number_at(&g, "materials/%d/pbrMetallicRoughness/%s", 0, "metallicFactor"), 0, 0);
  // A quarter of a turn about x takes z up to y up.
  assert_near(number_at(&g, "nodes/%d/%s", 0, "rotation/0"), -sqrt(0.5), 1e-7);
  assert_near(number_at(&g, "nodes/%d/%s", 0, "rotation/3"), sqrt(0.5), 1e-7);
  // A box: range and corners of its mesh, and its place.
  int mesh = (int)number_at(&g, "nodes/%d/%s", block, "mesh");
  int place = (int)number_at(&g, "meshes/%d/primitives/0/%s", mesh, "attributes/POSITION");
  const float *corner = accessor_of(&g, place, &count);
  assert_int_equal(count, 8);
  for (int c = 0; c < 3; c++) {
    char tail[20];
    float half = 0.5F * (float)(c + 1);
    snprintf(tail, sizeof tail, "max/%d", c);
    assert_true(number_at(&g, "accessors/%d/%s", place, tail) == (double)half);
    snprintf(tail, sizeof tail, "min/%d", c);
    assert_true(number_at(&g, "accessors/%d/%s", place, tail) == (double)-half);
    for (int i = 0; i < count; i++)
      assert_true(fabsf(corner[3 * i + c]) == half);
  }
  const uint32_t *index =
      accessor_of(&g, (int)number_at(&g, "meshes/%d/primitives/0/%s", mesh, "indices"), &count);
  assert_int_equal(count, 36);
  for (int i = 0; i < count; i++)
    assert_true(index[i] < 8);
  assert_near(number_at(&g, "nodes/%d/%s", block, "translation/0"), 50, 1e-6);
  assert_null(track_of(&g, block, "translation", &count)); // it stands still
  // The ball: from (0, 0, 9) with (1, 2, 3) m/s.
  const float *at = track_of(&g, ball, "translation", &count);
  assert_int_equal(count, FRAMES);
  for (int k = 0; k < FRAMES; k++)
    for (int c = 0; c < 3; c++)
      assert_near((double)at[3 * k + c], (c == 2 ? 9 : 0) + 0.1 * k * (c + 1), 1e-6);
  int sampler_input = (int)number_at(&g, "animations/0/samplers/%d/%s", 0, "input");
  const float *time = accessor_of(&g, sampler_input, &count);
  assert_int_equal(count, FRAMES);
  assert_near((double)time[FRAMES - 1], END, 1e-7);
  assert_near(number_at(&g, "accessors/%d/%s", sampler_input, "max/0"), END, 1e-7);
  // The wedge: x, y, z, w of its turn; its mesh has the vertices of the file.
  const float *turn = track_of(&g, wedge, "rotation", &count);
  assert_int_equal(count, FRAMES);
  for (int i = 0; i < 4 * FRAMES; i++)
    assert_near((double)turn[i], 0.5, 1e-7);
  at = track_of(&g, wedge, "translation", &count);
  assert_near((double)at[3 * (FRAMES - 1)], 10, 1e-6); // the origin of its shape, not its middle
  assert_near((double)at[3 * (FRAMES - 1) + 1], END, 1e-6);
  assert_near((double)at[3 * (FRAMES - 1) + 2], 20, 1e-6);
  free(g.all);
}

// In coordinates of a national grid, on a terrain whose own place is (0, 0, 0): what glTF has in 32
// bits beside its top node is what the table has in 64.
static void gltf_keeps_places_far_from_the_origin(void **state)
{
  enum { CELLS = 51, BALLS = 30 };
  const double corner[] = {2600000, 1190000}, middle[] = {2600250, 1190250, 1040};
  char grid[200 + CELLS * CELLS * 12], *end = grid;
  end += sprintf(end, "ncols %d\nnrows %d\nxllcenter %.0f\nyllcenter %.0f\ncellsize 10\n", CELLS,
                 CELLS, corner[0], corner[1]);
  for (int i = 0; i < CELLS * CELLS; i++)
    end += sprintf(end, "%.2f%c", 1000 + 0.8 * (i % CELLS), i % CELLS == CELLS - 1 ? '\n' : ' ');
  write_file("far.asc", grid);
  write_file("far.yaml",
             "kind: rigid\nduration: 0.5\nstep: 0.01\n"
             "materials: [{name: stone, density: 2500}]\n"
             "obstacles: [{name: terrain, shape: {type: heights, file: far.asc}}]\n"
             "generators: [{type: random, name: ball, count: 30, inside: {box: [[2600010, 1190010, "
             "1045], [2600490, 1190490, 1080]]}, shape: {type: sphere, radius: 1}}]\noutput: "
             "{every: 0.1}\n");
  pc_scene scene;
  pc_error error = {.text = ""};
  pc_run_summary summary;
  char run[200];
  snprintf(run, sizeof run, "%s", in_folder("far.h5"));
  assert_ok(pc_scene_read(in_folder("far.yaml"), &scene, &error), &error);
  assert_ok(pc_run_scene(&scene, &(pc_run_options){.output = run}, &summary, &error), &error);
  pc_scene_free(&scene);
  pc_export_options options = {PC_EXPORT_GLTF, in_folder("far.glb"), 0, -1, 1};
  assert_ok(pc_run_export(run, &options, NULL, &error), &error);
  options = (pc_export_options){PC_EXPORT_CSV, in_folder("far-table.csv"), 0, -1, 1};
  assert_ok(pc_run_export(run, &options, NULL, &error), &error);
  glb g = read_glb(in_folder("far.glb"));
  // The root has y up: its place is (x, z, -y) of that in the world.
  const double origin[] = {number_at(&g, "nodes/%d/%s", 0, "translation/0"),
                           -number_at(&g, "nodes/%d/%s", 0, "translation/2"),
                           number_at(&g, "nodes/%d/%s", 0, "translation/1")};
  for (int c = 0; c < 3; c++)
    assert_near(origin[c], middle[c], 21); // the scene's box reaches to the highest ball
  char *table = text_of(in_folder("far-table.csv")), *at = strchr(table, '\n') + 1;
  int rows = 0, count;
  for (; *at != 0; at = strchr(at, '\n') + 1, rows++) {
    char name[20];
    double x[3];
    int frame;
    assert_int_equal(sscanf(at, "%d,%*f,%19[^,],%lf,%lf,%lf", &frame, name, x, x + 1, x + 2), 5);
    const float *track = track_of(&g, node_of(&g, name), "translation", &count);
    for (int c = 0; c < 3; c++) {
      assert_near(origin[c] + (double)track[3 * frame + c], x[c], 1e-4);
      assert_true(fabsf(track[3 * frame + c]) < 260);
    }
  }
  assert_int_equal(rows, 6 * BALLS);
  free(table);
  // The points of the terrain: heights by their places.
  int terrain = node_of(&g, "terrain"), mesh = (int)number_at(&g, "nodes/%d/%s", terrain, "mesh");
  const float *point = accessor_of(
      &g, (int)number_at(&g, "meshes/%d/primitives/0/%s", mesh, "attributes/POSITION"), &count);
  assert_int_equal(count, CELLS * CELLS);
  for (int i = 0; i < count; i++) {
    double world[3];
    for (int c = 0; c < 3; c++) {
      char tail[20];
      snprintf(tail, sizeof tail, "translation/%d", c);
      world[c] = origin[c] + number_at(&g, "nodes/%d/%s", terrain, tail) + (double)point[3 * i + c];
    }
    double column = (world[0] - corner[0]) / 10, row = (world[1] - corner[1]) / 10;
    assert_near(column, round(column), 1e-5);
    assert_near(row, round(row), 1e-5);
    assert_near(world[2], 1000 + 0.8 * round(column), 1e-4);
  }
  free(g.all);
}

static void tables_have_a_line_for_each_body_and_frame(void **state)
{
  export(PC_EXPORT_CSV, "run.csv.csv", 1, 3);
  char *table = text_of(in_folder("run.csv.csv")), *at = strchr(table, '\n') + 1;
  assert_int_equal(
      strncmp(table, "frame,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,mass\n", at - table), 0);
  int rows = 0;
  for (; *at != 0; at = strchr(at, '\n') + 1, rows++) {
    char name[20];
    double time, x[3], q[4], v[3], w[3], mass;
    int frame;
    assert_int_equal(
        sscanf(at, "%d,%lf,%19[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf\n",
               &frame, &time, name, x, x + 1, x + 2, q, q + 1, q + 2, q + 3, v, v + 1, v + 2, w,
               w + 1, w + 2, &mass),
        17);
    assert_int_equal(frame, 1 + rows / 5);
    assert_near(time, 0.1 * frame, 1e-12);
    if (strcmp(name, "ball") == 0)
      for (int c = 0; c < 3; c++) {
        assert_near(x[c], (c == 2 ? 9 : 0) + time * (c + 1), 1e-12);
        assert_near(v[c], c + 1, 1e-12);
      }
    if (strcmp(name, "ball") == 0)
      assert_near(mass, 2500 * 3.14159265358979 / 6, 1e-9 * mass);
    if (strcmp(name, "wedge") == 0)
      assert_near(x[2], 20 + 2.0 / 4, 1e-12); // the middle of a tetrahedron
  }
  assert_int_equal(rows, 3 * 5);
  free(table);
  char *units = text_of(in_folder("run.csv-units.csv"));
  assert_non_null(strstr(units, "\nbodies,vx,m/s\n"));
  free(units);
}

static void what_is_not_its_own_stays(void **state)
{
  static const struct {
    pc_export_format format;
    const char *output, *file;
  } cases[] = {{PC_EXPORT_GLTF, "mine.glb", "mine.glb"},
               {PC_EXPORT_CSV, "mine.csv", "mine.csv"},
               {PC_EXPORT_CSV, "other.csv", "other-units.csv"},
               {PC_EXPORT_VTK, "mine", "mine"},
               {PC_EXPORT_VTK, "full", "full/bodies-000002.vtp"},
               {PC_EXPORT_VTK, "ends", "ends/contacts.pvd"}};
  assert_int_equal(mkdir(in_folder("full"), 0700), 0);
  assert_int_equal(mkdir(in_folder("ends"), 0700), 0);
  for (int i = 0; i < PC_COUNT(cases); i++) {
    pc_error error = {.text = ""};
    pc_export_options options = {cases[i].format, in_folder(cases[i].output), 0, -1, 0};
    write_file(cases[i].file, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\">\n");
    assert_int_equal(pc_run_export(in_folder("run.h5"), &options, NULL, &error), PC_ERROR_INPUT);
    assert_non_null(strstr(error.text, cases[i].file));
    char *there = text_of(in_folder(cases[i].file));
    assert_string_equal(there, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\">\n");
    free(there);
  }
  assert_int_not_equal(access(in_folder("full/bodies-000000.vtp"), F_OK), 0); // nothing was begun
  assert_int_not_equal(access(in_folder("other.csv"), F_OK), 0);
  export(PC_EXPORT_GLTF, "run.glb", 2, 2); // its own is replaced
  glb g = read_glb(in_folder("run.glb"));
  assert_null(value_at(&g, "animations")); // of one frame
  free(g.all);
}

static void frames_that_are_not_there_are_refused(void **state)
{
  static const long ranges[][3] = {{0, 5, 1},   {5, -1, 1}, {3, 2, 1},
                                   {-1, -1, 1}, {0, -2, 1}, {0, -1, -1}};
  for (int i = 0; i < PC_COUNT(ranges); i++) {
    pc_error error = {.text = ""};
    pc_export_options options = {PC_EXPORT_CSV, in_folder("none.csv"), ranges[i][0], ranges[i][1],
                                 ranges[i][2]};
    assert_int_not_equal(pc_run_export(in_folder("run.h5"), &options, NULL, &error), PC_OK);
    assert_true(*error.text != 0);
    assert_int_not_equal(access(in_folder("none.csv"), F_OK), 0);
  }
  pc_exported exported;
  pc_export_options every = {PC_EXPORT_CSV, in_folder("some.csv"), 0, -1, 3};
  assert_int_equal(pc_run_export(in_folder("run.h5"), &every, &exported, NULL), PC_OK);
  assert_int_equal(exported.frames, 2); // 0 and 3
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vtk_surfaces_are_where_the_bodies_are),
      cmocka_unit_test(gltf_has_a_mesh_a_node_and_tracks_for_each_body),
      cmocka_unit_test(gltf_keeps_places_far_from_the_origin),
      cmocka_unit_test(tables_have_a_line_for_each_body_and_frame),
      cmocka_unit_test(what_is_not_its_own_stays),
      cmocka_unit_test(frames_that_are_not_there_are_refused),
  };
  return cmocka_run_group_tests(tests, make_run, remove_folder);
}
