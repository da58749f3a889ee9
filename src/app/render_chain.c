// percuss render of a chain file, as SVG with a table beside it.
#define _GNU_SOURCE
#include "app/render_chain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/simulation.h"
#include "chain/picture.h"
#include "percuss/chain_pictures.h"
#include "percuss/scene.h"
#include "run/inputs.h"
#include "scene/text.h"

static const char pictures[] = "geometry wave bounds";
// In the order of pc_chain_quantity.
static const char quantities[] = "ker taper anti-taper decorated mass";

enum { MOST_VALUES = 8 };

// The place of a word in a list; -1 after a complaint if it is not there.
static int read_word(const char *option, const char *list, const char *word)
{
  size_t length;
  int place = 0;
  const char *rest = list;
  for (const char *one; (one = pc_word_next(&rest, &length)) != NULL; place++)
    if (length == strlen(word) && strncmp(one, word, length) == 0)
      return place;
  char hint[80], known[200];
  pc_word_describe(list, word, hint, sizeof hint, known, sizeof known);
  app_complain("percuss render: unknown %s '%.40s' (known: %s)%s", option, word, known, hint);
  return -1;
}

// A quantity: a word of the list, that of a mass with the number of a ball, mass:3.
static bool read_quantity(const char *option, const char *text, size_t length,
                          pc_chain_quantity *quantity, int *ball)
{
  char word[48];
  snprintf(word, sizeof word, "%.*s", (int)length, text);
  char *colon = strchr(word, ':'), *end = NULL;
  if (colon != NULL)
    *colon = 0;
  int place = read_word(option, quantities, word);
  if (place < 0)
    return false;
  *quantity = (pc_chain_quantity)place;
  if ((*quantity == PC_CHAIN_BY_MASS) != (colon != NULL)) {
    app_complain(
        "percuss render: %s: 'mass' needs a ball number, as in mass:3; other quantities take none",
        option);
    return false;
  }
  if (colon == NULL)
    return true;
  long number = strtol(colon + 1, &end, 10);
  *ball = number >= 2 && number <= 1000000 ? (int)number - 1 : -1;
  if (*ball >= 0 && *end == 0)
    return true;
  app_complain("percuss render: %s: mass:%.20s: the ball number must be 2 or more, as in mass:3",
               option, colon + 1);
  return false;
}

// --each taper=0,0.1,0.2
static bool read_each(const char *text, pc_chain_sweep *sweep, double values[MOST_VALUES])
{
  if (text == NULL)
    return true;
  const char *equals = strchr(text, '=');
  if (equals == NULL || equals == text) {
    app_complain("percuss render: --each must be like ker=1,0.75");
    return false;
  }
  if (!read_quantity("--each", text, (size_t)(equals - text), &sweep->each, &sweep->each_ball))
    return false;
  const char *at = equals + 1;
  sweep->value = values;
  for (char *end; sweep->count < MOST_VALUES; at = end + 1) {
    values[sweep->count++] = strtod(at, &end);
    if (end == at || (*end != 0 && *end != ',')) {
      app_complain("percuss render: --each %.60s: write numbers separated by commas after '='",
                   text);
      return false;
    }
    if (*end == 0)
      return true;
  }
  app_complain("percuss render: --each takes at most %d numbers", MOST_VALUES);
  return false;
}

static bool read_sweep(const app_chain_texts *t, const pc_chain *chain, pc_chain_sweep *sweep,
                       double values[MOST_VALUES])
{
  pc_chain_quantity against = PC_CHAIN_BY_KER;
  int ball = 0;
  double points;
  if (t->against != NULL &&
      !read_quantity("--against", t->against, strlen(t->against), &against, &ball))
    return false;
  *sweep = pc_chain_sweep_default(chain, against);
  sweep->ball = ball;
  points = sweep->points;
  if (!app_read_number(t->from, &sweep->from) || !app_read_number(t->to, &sweep->to) ||
      !app_read_number(t->points, &points)) {
    app_complain("percuss render: --from, --to and --points must be numbers");
    return false;
  }
  if (!(points >= 2 && points <= 100000) || points != floor(points)) {
    app_complain("percuss render: --points must be a whole number from 2 to 100000");
    return false;
  }
  sweep->points = (int)points;
  return read_each(t->each, sweep, values);
}

static bool about_bounds(const app_chain_texts *t)
{
  return t->against != NULL || t->each != NULL || t->points != NULL || t->from != NULL ||
         t->to != NULL;
}

// The default picture: the plane of three balls, else the wave of a law that has time, else bounds.
static int suitable(const app_chain_texts *t, const pc_scene_chain *scene)
{
  const pc_chain *chain = &scene->chain;
  if (about_bounds(t))
    return 2;
  if (chain->balls == 3 && !chain->wall_left && !chain->wall_right)
    return 0;
  return scene->law.kind == PC_CHAIN_LZB || scene->law.kind == PC_CHAIN_HERTZ ? 1 : 2;
}

static int draw(const pc_scene_chain *scene, int which, const pc_chain_sweep *sweep,
                const pc_chain_picture *picture, const char *path)
{
  pc_error error;
  pc_status status;
  if (which == 0)
    status = pc_chain_draw_geometry(&scene->chain, &scene->law, picture, &error);
  else if (which == 1)
    status = pc_chain_draw_wave(&scene->chain, &scene->law, scene->radius, scene->duration, picture,
                                &error);
  else
    status = pc_chain_draw_bounds(&scene->chain, sweep, picture, &error);
  if (status == PC_OK)
    return APP_OK;
  bool bad = status == PC_ERROR_INPUT || status == PC_ERROR_ARGUMENT;
  app_complain("percuss render: %s%s%s", bad ? pc_text_path(path).text : "", bad ? ": " : "",
               error.text);
  return bad ? APP_BAD_INPUT : APP_FAILED;
}

// Whether both files can be written without overwriting the chain's input or unrelated files.
static bool loses_nothing(const pc_scene *scene, const char *svg, const char *csv)
{
  pc_error error;
  if (pc_run_spare_inputs(scene, svg, &error) == PC_OK &&
      pc_run_spare_inputs(scene, csv, &error) == PC_OK &&
      pc_replace_check(svg, &pc_svg_own, &error) == PC_OK &&
      pc_replace_check(csv, &pc_picture_table_own, &error) == PC_OK)
    return true;
  app_complain("percuss render: %s", error.text);
  return false;
}

static int draw_file(const char *path, const app_chain_texts *t, char *table)
{
  pc_error error;
  pc_scene scene;
  pc_chain_sweep sweep = {0};
  double values[MOST_VALUES];
  pc_chain_picture picture = {.svg = t->output, .csv = table};
  if (pc_scene_read(path, &scene, &error) != PC_OK)
    return app_complain_file(path, &error);
  int which =
      t->picture != NULL ? read_word("--picture", pictures, t->picture) : suitable(t, scene.chain);
  int result = APP_BAD_INPUT;
  if (which >= 0 && which != 2 && about_bounds(t))
    app_complain(
        "percuss render: --against, --from, --to, --points and --each need --picture bounds");
  else if (which >= 0 && loses_nothing(&scene, t->output, table) &&
           (which != 2 || read_sweep(t, &scene.chain->chain, &sweep, values)))
    result = draw(scene.chain, which, &sweep, &picture, path);
  pc_scene_free(&scene);
  return result;
}

int app_render_chain(const char *path, const app_chain_texts *t)
{
  size_t length = t->output != NULL ? strlen(t->output) : 0;
  if (length < 5 || strcmp(t->output + length - 4, ".svg") != 0)
    return app_complain("percuss render: a chain needs -o PICTURE.svg");
  char *table = strdup(t->output);
  if (table == NULL) {
    app_complain("percuss render: out of memory");
    return APP_FAILED;
  }
  memcpy(table + length - 4, ".csv", 4);
  int result = app_check_output("render", t->output, false);
  if (result == APP_OK)
    result = app_check_output("render", table, false);
  if (result == APP_OK)
    result = draw_file(path, t, table);
  if (result == APP_OK && !t->quiet)
    printf("files       %s, %s\n", pc_text_path(t->output).text, pc_text_path(table).text);
  free(table);
  return result;
}
