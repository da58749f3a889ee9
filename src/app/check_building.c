// percuss check SCENE.yaml: what is wrong with the plan of a building.
#include "app/check_building.h"

#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "core/json.h"
#include "core/plain.h"
#include "crowd/crowd.h"
#include "run/inspection_picture.h"
#include "scene/scene_file.h"

static const char *const kinds[PC_FOUND_KINDS] = {[PC_FOUND_EXIT] = "exit",
                                                  [PC_FOUND_OPEN] = "open",
                                                  [PC_FOUND_GAP] = "gap",
                                                  [PC_FOUND_ISLAND] = "island",
                                                  [PC_FOUND_NARROW] = "narrow"};

static void tell(void *context, pc_told what, const char *text)
{
  (void)context;
  fprintf(stderr, "%s%s\n", what == PC_TOLD_WARNING ? "WARNING     " : "", text);
}

// NAME-plan.svg in the present folder, or NAME-plan-2.svg of the second of several floors.
static void name_picture(const pc_scene *scene, const char *output, int floor, char *name,
                         size_t size)
{
  const char *path = output != NULL ? output : scene->path;
  const char *slash = output == NULL ? strrchr(path, '/') : NULL;
  const char *begin = slash != NULL ? slash + 1 : path, *dot = strrchr(begin, '.');
  int length = (int)(dot != NULL && dot > begin ? dot - begin : (long)strlen(begin));
  char number[20] = "";
  if (scene->people.floors > 1)
    snprintf(number, sizeof number, "-%d", floor + 1);
  snprintf(name, size, "%.*s%s%s.svg", length, begin, output == NULL ? "-plan" : "", number);
}

// What a finding says, after its place.
static void describe(const pc_scene *scene, const pc_finding *found, double person, char *text,
                     size_t size)
{
  static const double limits[] = {0.8, 0.9, 1.2};
  switch (found->kind) {
  case PC_FOUND_EXIT:
    pc_print(text, size, "'%s' %s", scene->people.goal[found->goal].name, found->what);
    return;
  case PC_FOUND_OPEN:
    pc_print(text, size, "a wall is missing here: one can walk out where no exit is");
    return;
  case PC_FOUND_GAP:
    pc_print(text, size, "the end of a wall is %.3g m away from another wall", found->width);
    return;
  case PC_FOUND_ISLAND:
    pc_print(text, size, "from here no way leads to an exit or area: %.4g m^2", found->area);
    return;
  default:
    break;
  }
  int used = pc_print(text, size, "%.3g m wide", found->width);
  if (found->landing) // which the plan does not show
    used += pc_print(text + used, size - (size_t)used,
                     " beside stairs (half a metre behind their line)");
  if (found->width < person)
    pc_print(text + used, size - (size_t)used, ", too narrow for everybody (%.3g m)", person);
  for (int i = 0; i < 3 && !(found->width < person); i++)
    if (found->width < limits[i] - 1e-6) {
      pc_print(text + used, size - (size_t)used, ", less than %.2g m", limits[i]);
      return;
    }
}

static void print_table(const pc_scene *scene, const pc_inspection *result)
{
  const pc_scene_people *people = &scene->people;
  double person = scene->crowd->narrowest;
  char text[200];
  for (int f = 0; f < people->floors; f++) {
    pc_print(text, sizeof text, "%.4g", result->area.at[f]);
    printf("floor       %s: %s m^2 can be walked on\n", people->floor_names[f], text);
    for (int i = 0; i < result->lines.count; i++) {
      const pc_inspected_line *line = &result->lines.at[i];
      if (line->floor != f)
        continue;
      pc_print(text, sizeof text, "%.3g m wide, from (%.6g, %.6g) to (%.6g, %.6g)", line->width,
               line->line[0][0], line->line[0][1], line->line[1][0], line->line[1][1]);
      printf("            %s: %s\n", line->goal >= 0 ? people->goal[line->goal].name : "stairs",
             text);
    }
  }
  for (int i = 0; i < result->findings.count; i++) {
    const pc_finding *found = &result->findings.at[i];
    char place[60];
    describe(scene, found, person, text, sizeof text);
    pc_print(place, sizeof place, "(%.6g, %.6g)", found->place[0], found->place[1]);
    printf("%4d %-6s %s%s%s: %s\n", i + 1, kinds[found->kind],
           people->floors > 1 ? people->floor_names[found->floor] : "",
           people->floors > 1 ? " " : "", place, text);
  }
  if (result->findings.count == 0)
    printf("nothing is wrong with the plan\n");
}

static void write_json(const pc_scene *scene, const pc_inspection *result)
{
  const pc_scene_people *people = &scene->people;
  pc_json json = {.file = stdout};
  pc_json_open(&json, '{');
  pc_json_key(&json, "floors"), pc_json_open(&json, '[');
  for (int f = 0; f < people->floors; f++) {
    pc_json_open(&json, '{');
    pc_json_key(&json, "name"), pc_json_string(&json, people->floor_names[f]);
    pc_json_key(&json, "area"), pc_json_number(&json, result->area.at[f]);
    pc_json_close(&json);
  }
  pc_json_close(&json);
  pc_json_key(&json, "exits"), pc_json_open(&json, '[');
  for (int i = 0; i < result->lines.count; i++) {
    const pc_inspected_line *line = &result->lines.at[i];
    if (line->goal < 0)
      continue;
    pc_json_open(&json, '{');
    pc_json_key(&json, "name"), pc_json_string(&json, people->goal[line->goal].name);
    pc_json_key(&json, "floor"), pc_json_string(&json, people->floor_names[line->floor]);
    pc_json_key(&json, "width"), pc_json_number(&json, line->width);
    pc_json_close(&json);
  }
  pc_json_close(&json);
  pc_json_key(&json, "findings"), pc_json_open(&json, '[');
  for (int i = 0; i < result->findings.count; i++) {
    const pc_finding *found = &result->findings.at[i];
    char text[200];
    describe(scene, found, scene->crowd->narrowest, text, sizeof text);
    pc_json_open(&json, '{');
    pc_json_key(&json, "kind"), pc_json_string(&json, kinds[found->kind]);
    pc_json_key(&json, "floor"), pc_json_string(&json, people->floor_names[found->floor]);
    pc_json_key(&json, "place"), pc_json_open(&json, '[');
    pc_json_number(&json, found->place[0]), pc_json_number(&json, found->place[1]);
    pc_json_close(&json);
    if (found->kind == PC_FOUND_GAP || found->kind == PC_FOUND_NARROW)
      pc_json_key(&json, "width"), pc_json_number(&json, found->width);
    if (found->kind == PC_FOUND_NARROW)
      pc_json_key(&json, "landing"), pc_json_boolean(&json, found->landing);
    if (found->kind == PC_FOUND_ISLAND)
      pc_json_key(&json, "area"), pc_json_number(&json, found->area);
    pc_json_key(&json, "text"), pc_json_string(&json, text);
    pc_json_close(&json);
  }
  pc_json_close(&json);
  pc_json_close(&json);
}

static int draw_all(const pc_scene *scene, const pc_inspection *result, const char *output,
                    bool quiet)
{
  pc_error error = {.status = PC_OK};
  for (int f = 0; f < scene->people.floors; f++) {
    char name[1024];
    name_picture(scene, output, f, name, sizeof name);
    if (pc_inspection_draw(scene, result, f, name, &error) != PC_OK)
      return app_complain_error(&error, "percuss check");
    if (!quiet)
      printf("picture     %s\n", pc_text_path(name).text);
  }
  return APP_OK;
}

int app_check_building(const char *path, const char *output, double narrow, bool json)
{
  pc_scene scene;
  pc_inspection result = {.findings = {0}};
  pc_error error = {.status = PC_OK};
  if (pc_scene_read_building(path, &scene, tell, NULL, &error) != PC_OK)
    return error.status == PC_ERROR_MEMORY ? APP_FAILED : APP_BAD_INPUT;
  int status = APP_OK;
  if (pc_inspect(scene.crowd, narrow, &result) != PC_OK)
    status = app_complain("percuss check: %s", pc_crowd_error(scene.crowd));
  if (status == APP_OK && json)
    write_json(&scene, &result);
  else if (status == APP_OK)
    print_table(&scene, &result);
  if (status == APP_OK)
    status = draw_all(&scene, &result, output, json);
  for (int i = 0; i < result.findings.count && status == APP_OK; i++)
    if (result.findings.at[i].kind != PC_FOUND_NARROW)
      status = APP_FAILED;
  pc_inspection_free(&result);
  pc_scene_free(&scene);
  return status;
}
