#include "scene/views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "core/written.h"

typedef struct view_file {
  const char *follow, *color;
  double zoom, camera[3];
  pc_node look_at, path;
} view_file;
#define LOOK_KEYS(aim_)                                                                            \
  {PC_KEY(view_file, look_at),                                                                     \
   PC_NUMBERS | PC_A_NAME,                                                                         \
   .unit = "m",                                                                                    \
   .count = {2, 3},                                                                                \
   .left_out = "centre of the scene",                                                              \
   .meaning = "centre of the picture: a point, or " aim_},                                         \
      {PC_KEY(view_file, zoom), PC_A_NUMBER, PC_POSITIVE, .otherwise = "1",                        \
       .meaning = "magnification; 2 shows half the width"},                                        \
  {                                                                                                \
    PC_KEY(view_file, follow), PC_A_NAME, .left_out = "the picture does not move",                 \
                                          .meaning = "the picture follows " aim_                   \
  }
static const pc_key body_keys[] = {
    LOOK_KEYS("a body, or the mean of a generator's bodies or of `stone-*`"), {0}};
static const pc_key person_keys[] = {LOOK_KEYS("a person, or the mean of a group"), {0}};
static const pc_key solid_keys[] = {
    LOOK_KEYS("a rigid body"),
    {PC_KEY(view_file, camera), PC_NUMBERS, .unit = "m", .count = {3, 3},
     .left_out = "the standard direction",
     .meaning = "for a mesh in space: a point in the direction from which the mesh is seen, in "
                "parallel projection"},
    {0}};
static const pc_key camera_keys[] = {
    {PC_KEY(view_file, camera), PC_NUMBERS, .unit = "m", .count = {3, 3},
     .left_out = "shows everything that moves",
     .meaning = "position of the camera; with `follow`, at the first frame"},
    {PC_KEY(view_file, path), PC_POINTS, .count = {7, 7}, .left_out = "the camera does not move",
     .meaning =
         "camera path: entries `[time, x, y, z, look_x, look_y, look_z]`, smoothly interpolated"},
    {0}};
#define COLOR_KEY(...)                                                                             \
  {                                                                                                \
    PC_KEY(view_file, color), PC_A_WORD, .words = PC_WORDS(__VA_ARGS__), .noun = "colour",         \
                                         .left_out = "default of the viewer",                      \
                                         .meaning = "quantity shown by the colours"                \
  }
static const pc_key rigid_colors[] = {COLOR_KEY({"group", 0}, {"speed", 0}, {"spin", 0},
                                                {"percussion", 0}, {"temperature", 0},
                                                {"material", 0}, {"resting", 0}),
                                      {0}};
static const pc_key crowd_colors[] = {COLOR_KEY({"group", 0}, {"speed", 0}, {"percussion", 0},
                                                {"largest", 0}, {"goal", 0}, {"exit", 0}),
                                      {0}};
static const pc_key continuum_colors[] = {
    COLOR_KEY({"speed", 0}, {"vx", 0}, {"vy", 0}, {"vz", 0}, {"pressure", 0}, {"sxx", 0},
              {"syy", 0}, {"szz", 0}, {"sxy", 0}, {"syz", 0}, {"szx", 0}, {"stress", 0},
              {"displacement", 0}, {"ux", 0}, {"temperature", 0}, {"liquid", 0}, {"martensite1", 0},
              {"martensite2", 0}, {"austenite", 0}),
    {0}};
const pc_mapping pc_table_rigid_view = {"view", "a view", "A named view of the run.",
                                        .keys = {camera_keys, body_keys, rigid_colors}};
const pc_mapping pc_table_crowd_view = {"crowd_view", "a view of a crowd",
                                        "A named view of the run, from above.",
                                        .keys = {person_keys, crowd_colors}};
const pc_mapping pc_table_continuum_view = {"continuum_view", "a view of a continuum",
                                            "A named view of the run.",
                                            .keys = {solid_keys, continuum_colors}};

bool pc_views_has_name(int count, char *const *names, const char *name)
{
  size_t length = strlen(name);
  bool prefix = length > 1 && name[length - 1] == '*';
  for (int i = 0; i < count; i++)
    if (prefix ? strncmp(names[i], name, length - 1) == 0 : strcmp(names[i], name) == 0)
      return true;
  return false;
}

typedef struct views_reader {
  pc_json json;
  const pc_mapping *table;
  bool flat;
  pc_views_known *is_known;
  const void *context;
} views_reader;

// The name of something that can be seen.
static void write_thing(views_reader *r, const char *key, pc_node node)
{
  const char *name = pc_read_name(node);
  if (!pc_failed(node) && !r->is_known(r->context, name))
    pc_complain(node, "no body, group or generator is named '%s'", pc_node_text(node).text);
  pc_json_key(&r->json, key), pc_json_string(&r->json, name);
}

static void write_look_at(views_reader *r, pc_node node, double look_at[3])
{
  if (!pc_is_present(node))
    return;
  if (!pc_is_sequence(node)) {
    write_thing(r, "look_at", node);
    return;
  }
  pc_read_vector(node, 2, 3, look_at);
  pc_json_key(&r->json, "look_at"), pc_json_vector(&r->json, look_at, 3);
}

static bool is_same_place(const double a[3], const double b[3])
{
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static void write_path(views_reader *r, pc_node list)
{
  if (!pc_is_present(list))
    return;
  double before = -INFINITY;
  pc_json_key(&r->json, "path"), pc_json_open(&r->json, '[');
  int count = pc_read_list(list, "a path");
  if (count == 0)
    pc_complain(list, "the camera path is empty");
  for (int i = 0; i < count && !pc_failed(list); i++) {
    double row[7] = {0};
    pc_read_vector(pc_item(list, i), 7, 7, row);
    if (!pc_failed(list) && !(row[0] > before))
      pc_complain(pc_item(list, i), "the times of a camera path must increase");
    if (!pc_failed(list) && is_same_place(row + 1, row + 4))
      pc_complain(pc_item(list, i), "the camera must not be at the point it looks at");
    before = row[0];
    pc_json_vector(&r->json, row, 7);
  }
  pc_json_close(&r->json);
}

static void read_view(views_reader *r, pc_node name, pc_node node)
{
  view_file view = {.follow = NULL};
  double look_at[3] = {NAN, NAN, NAN};
  if (!pc_bind(&node, r->table, &view))
    return;
  pc_node camera = PC_NODE(node, view_file, camera), follow = PC_NODE(node, view_file, follow);
  if (pc_is_present(view.path) &&
      (pc_is_present(camera) || pc_is_present(view.look_at) || pc_is_present(follow)))
    pc_complain(view.path, "'path' cannot be combined with 'camera', 'look_at' or 'follow'");
  if (pc_is_present(camera) && r->flat)
    pc_complain(camera, "a view of a plane scene has no 'camera'");
  pc_json_open(&r->json, '{');
  pc_json_key(&r->json, "name"), pc_json_string(&r->json, pc_read_label(name));
  if (pc_is_present(camera))
    pc_json_key(&r->json, "camera"), pc_json_vector(&r->json, view.camera, 3);
  write_look_at(r, view.look_at, look_at);
  if (pc_is_present(camera) && is_same_place(view.camera, look_at))
    pc_complain(view.look_at, "the camera must not be at the point it looks at");
  if (pc_is_present(follow))
    write_thing(r, "follow", follow);
  pc_json_key(&r->json, "zoom"), pc_json_number(&r->json, view.zoom);
  if (PC_GIVEN(node, view_file, color))
    pc_json_key(&r->json, "color"), pc_json_string(&r->json, view.color);
  write_path(r, view.path);
  pc_json_close(&r->json);
}

void pc_scene_read_views(pc_scene *scene, pc_node node, const pc_mapping *table, bool flat,
                         pc_views_known *is_known, const void *context)
{
  pc_written written;
  int count = pc_is_present(node) ? pc_read_pairs(node, "'views'") : 0;
  if (pc_failed(node) || count == 0)
    return;
  if (!pc_written_begin(&written)) {
    pc_complain(node, "out of memory");
    return;
  }
  views_reader r = {{.file = written.to}, table, flat, is_known, context};
  pc_json_open(&r.json, '[');
  for (int i = 0; i < count && !pc_failed(node); i++)
    read_view(&r, pc_pair_key(node, i), pc_pair_value(node, i));
  pc_json_close(&r.json);
  scene->views = pc_written_end(&written);
  if (scene->views == NULL)
    pc_complain(node, "out of memory");
}
