// What a run says at its end, for people and for machines.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/simulation.h"
#include "core/json.h"
#include "scene/text.h"

void app_write_span(double seconds, char *text, size_t size)
{
  long s = (long)fmin(seconds + 0.5, 1e9);
  if (s < 60)
    snprintf(text, size, "%ld s", s);
  else if (s < 3600)
    snprintf(text, size, "%ld:%02ld min", s / 60, s % 60);
  else
    snprintf(text, size, "%ld:%02ld h", s / 3600, s / 60 % 60);
}

static void write_deposit(pc_json *json, const pc_deposit *d)
{
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"runout", d->runout},
                 {"drop", d->drop},
                 {"reach_angle", d->reach_angle},
                 {"longest_travel", d->longest},
                 {"centre_travel", d->centre_travel},
                 {"centre_drop", d->centre_drop},
                 {"spacing", d->spacing},
                 {"area", d->area},
                 {"thickest", d->thickest},
                 {"bulk_volume", d->bulk},
                 {"volume", d->volume}};
  pc_json_key(json, "deposit"), pc_json_open(json, '{');
  pc_json_key(json, "bodies"), pc_json_integer(json, d->bodies);
  pc_json_key(json, "moving"), pc_json_integer(json, d->moving);
  pc_json_key(json, "astray"), pc_json_integer(json, d->astray);
  pc_json_key(json, "source"), pc_json_vector(json, d->source, 3);
  pc_json_key(json, "toe"), pc_json_vector(json, d->toe, 3);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    pc_json_key(json, numbers[i].name), pc_json_number(json, numbers[i].value);
  pc_json_close(json);
}

// --- people -------------------------------------------------------------------------------------

static void write_exit(pc_json *json, const pc_scene_rigid *scene, int goal)
{
  pc_exit_summary e;
  if (pc_run_exit(scene, goal, &e, NULL) != PC_OK)
    e = (pc_exit_summary){.last = NAN};
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"last", e.last},          {"mean", e.mean},
                 {"flow", e.slope},         {"flow_trimmed", e.trimmed},
                 {"flow_origin", e.origin}, {"flow_between", e.between}};
  pc_json_open(json, '{');
  if (goal >= 0)
    pc_json_key(json, "name"), pc_json_string(json, scene->people.goal[goal].name);
  pc_json_key(json, "out"), pc_json_integer(json, e.out);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    pc_json_key(json, numbers[i].name), pc_json_number(json, numbers[i].value);
  pc_json_close(json);
}

static void write_people(pc_json *json, const pc_scene_rigid *scene, const pc_run_summary *s)
{
  pc_json_key(json, "people"), pc_json_integer(json, s->people);
  pc_json_key(json, "inside"), pc_json_integer(json, s->inside);
  pc_json_key(json, "leaving"), write_exit(json, scene, -1);
  pc_json_key(json, "exits"), pc_json_open(json, '[');
  for (int i = 0; i < scene->people.goals; i++)
    if (scene->people.goal[i].kind == PC_GOAL_EXIT)
      write_exit(json, scene, i);
  pc_json_close(json);
}

static void print_exit(const pc_scene_rigid *scene, int goal, const char *name)
{
  pc_exit_summary e;
  if (pc_run_exit(scene, goal, &e, NULL) != PC_OK)
    return;
  printf("            %s: %d out", name, e.out);
  if (e.out > 0)
    printf(", mean %.4g s, last %.4g s", e.mean, e.last);
  if (isfinite(e.slope))
    printf("; %.4g people/min (%.4g from the start)", e.slope, e.origin);
  printf("\n");
}

static void print_people(const pc_scene_rigid *scene, const pc_run_summary *s)
{
  int exits = 0;
  printf("people      %d, %d still inside%s\n", s->people, s->inside,
         s->inside == 0 && s->finished && scene->people.until_empty ? ": the run ended there" : "");
  for (int i = 0; i < scene->people.goals; i++)
    if (scene->people.goal[i].kind == PC_GOAL_EXIT) {
      print_exit(scene, i, pc_text_path(scene->people.goal[i].name).text);
      exits++;
    }
  if (exits > 1)
    print_exit(scene, -1, "all exits");
}

// --- all of it ----------------------------------------------------------------------------------

void app_summary_json(const char *status, const char *path, const pc_scene_rigid *scene,
                      const pc_run_options *options, const pc_run_summary *s, const char *error)
{
  pc_json json = {.file = stdout};
  pc_json_open(&json, '{');
  pc_json_key(&json, "status"), pc_json_string(&json, status);
  pc_json_key(&json, "error"), pc_json_string(&json, error);
  pc_json_key(&json, "scene"), pc_json_string(&json, path);
  pc_json_key(&json, "output"), pc_json_string(&json, options->output);
  const struct {
    const char *name;
    long value;
  } counts[] = {{"steps", s->steps},
                {"bodies", s->bodies},
                {"contacts_total", s->contacts_total},
                {"contacts_largest", s->contacts_largest},
                {"steps_inaccurate", s->steps_inaccurate},
                {"steps_open", s->steps_open},
                {"lost", s->lost},
                {"asleep", s->asleep},
                {"problems_kept", s->problems_kept},
                {"problems_over", s->problems_over},
                {"problems_refused", s->problems_refused}};
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"time", s->time},
                 {"residual_largest", s->residual_largest},
                 {"audit_largest", s->audit_largest},
                 {"deepest", s->deepest},
                 {"kinetic", s->kinetic},
                 {"potential", s->potential},
                 {"stored", s->stored},
                 {"dissipated", s->dissipated},
                 {"frozen", s->frozen},
                 {"correction", s->correction},
                 {"drift", s->drift},
                 {"overlap_end", s->overlap_end},
                 {"overlap_relative", s->overlap_relative},
                 {"turnover", s->turnover},
                 {"given_by_laws", s->given_by_laws},
                 {"stored_error", s->stored_error},
                 {"given_by_events", s->given_by_events},
                 {"wall_s", s->wall_s},
                 {"detection_s", s->detection_s},
                 {"solve_s", s->solve_s},
                 {"record_s", s->record_s}};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    pc_json_key(&json, counts[i].name), pc_json_integer(&json, counts[i].value);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    pc_json_key(&json, numbers[i].name), pc_json_number(&json, numbers[i].value);
  if (s->deposit.measured)
    write_deposit(&json, &s->deposit);
  if (scene->crowd != NULL)
    write_people(&json, scene, s);
  pc_json_close(&json);
}

static const char *plural(long count)
{
  return count == 1 ? "" : "s";
}

static double energies(const pc_run_summary *s)
{
  return fabs(s->kinetic) + fabs(s->potential) + fabs(s->stored) + s->turnover;
}

// What is round-off of the energies is shown as 0.
static double energy(const pc_run_summary *s, double value)
{
  return fabs(value) > 1e-9 * energies(s) ? value : 0;
}

static void print_energies(const pc_scene_rigid *scene, const pc_run_summary *s)
{
  // At rest nothing is turned over but what the solver leaves, step by step.
  double worth_saying = 1e-6 * s->turnover + 1e-8 * energies(s);
  bool penalty = pc_world_definition(scene->world)->treatment == PC_PENALTY;
  printf("energy      kinetic %.5g J, potential %.5g J, stored %.5g J\n", energy(s, s->kinetic),
         energy(s, s->potential), energy(s, s->stored));
  printf("            dissipated %.5g J; given by pushing overlaps out %.3g J\n",
         energy(s, s->dissipated), energy(s, s->correction));
  if (energy(s, s->given_by_events) != 0)
    printf("            given by %s %.5g J\n",
           scene->crowd != NULL ? "people who came or left" : "events", s->given_by_events);
  if (s->given_by_laws > worth_saying)
    printf("            given by contacts %.3g J (rebounds of several contacts at once, or with "
           "friction, can give energy)\n",
           s->given_by_laws);
  if (fabs(s->stored_error) > worth_saying)
    printf("            springs%s and nets: %.3g J not explained by their work (step too large for "
           "their stiffness)\n",
           penalty ? ", overlaps" : "", s->stored_error);
  if (pc_world_definition(scene->world)->sleep_after > 0)
    printf(
        "sleep       %d bodies at the end; %.3g J of what was dissipated they had when they fell "
        "asleep\n",
        s->asleep, s->frozen);
}

static void print_overlap(const pc_scene_rigid *scene, const pc_run_summary *s)
{
  const pc_body *body = s->overlap_bodies;
  if (body[0].id == 0 || body[1].id == 0)
    return;
  printf("overlap     %.2g m at the end, %.2g %% of the smaller body's radius\n", s->overlap_end,
         100 * s->overlap_relative);
  if (s->overlap_relative > 0.02)
    printf("            WARNING: '%s' and '%s' overlap by so much; try a smaller step\n",
           pc_text_path(scene->names[body[0].id - 1]).text,
           pc_text_path(scene->names[body[1].id - 1]).text);
}

static void print_problems(const pc_run_dump *dump, const pc_run_summary *s)
{
  printf("problems    %ld kept in %s", s->problems_kept, pc_text_path(dump->folder).text);
  if (s->problems_over > 0)
    printf(", %ld more beyond the limit (--dump-limit)", s->problems_over);
  if (s->problems_refused > 0)
    printf("\n            %ld not kept: %s", s->problems_refused, s->problems_why);
  printf("\n");
}

static void print_deposit(const pc_deposit *d)
{
  if (d->bodies > 0)
    printf("deposit     runout %.4g m, drop %.4g m, reach angle %.3g degrees\n"
           "            area %.4g m2, at most %.3g m thick, %.4g m3 of rock in %.4g m3\n",
           d->runout, d->drop, d->reach_angle, d->area, d->thickest, d->volume, d->bulk);
  printf("            %d bod%s on the ground, %d still moving%s\n", d->bodies,
         d->bodies == 1 ? "y" : "ies", d->moving, d->astray > 0 ? "" : ", none astray");
  if (d->astray > 0)
    printf("            %d astray: off the terrain or below it\n", d->astray);
}

void app_summary_print(const pc_scene_rigid *scene, const pc_run_options *options,
                       const pc_run_summary *s)
{
  char wall[32];
  app_write_span(s->wall_s, wall, sizeof wall);
  if (scene->title != NULL)
    printf("%s\n", pc_text_path(scene->title).text);
  printf("%d bod%s, %ld step%s to %g s in %s\n", s->bodies, s->bodies == 1 ? "y" : "ies", s->steps,
         plural(s->steps), s->time, wall);
  if (scene->crowd != NULL)
    print_people(scene, s);
  printf("contacts    %.4g a step, %d at most, deepest overlap %.2g m\n",
         s->steps > 0 ? (double)s->contacts_total / (double)s->steps : 0, s->contacts_largest,
         s->deepest);
  print_overlap(scene, s);
  print_energies(scene, s);
  if (s->steps_open == 0)
    printf("account     closed in every step, drift %.1e\n", s->drift);
  else
    printf("account     NOT CLOSED in %ld step%s, worst %.1e, drift %.1e\n", s->steps_open,
           plural(s->steps_open), s->audit_largest, s->drift);
  if (s->steps_inaccurate == 0)
    printf("solver      every step to its tolerance, worst residual %.1e\n", s->residual_largest);
  else
    printf("solver      %ld step%s missed the tolerance, worst residual %.1e\n",
           s->steps_inaccurate, plural(s->steps_inaccurate), s->residual_largest);
  if (s->residual_largest > 0.1) // nothing moves as all contacts demand
    printf(
        "            something may be squeezed between obstacles that close on it; energies mean "
        "nothing then\n");
  if (options->dump.folder != NULL)
    print_problems(&options->dump, s);
  if (s->lost > 0)
    printf("lost        %d bod%s outside the bounds\n", s->lost, s->lost == 1 ? "y is" : "ies are");
  if (s->deposit.measured)
    print_deposit(&s->deposit);
  size_t length = strlen(options->output);
  int stem = (int)length - (length > 3 && strcmp(options->output + length - 3, ".h5") == 0 ? 3 : 0);
  printf("files       %s", options->output);
  if (scene->csv)
    printf(", %.*s.csv", stem, options->output);
  if (scene->xdmf)
    printf(", %.*s.xdmf (for ParaView)", stem, options->output);
  if (scene->end_table && s->finished)
    printf(", %.*s-end.csv", stem, options->output);
  if (scene->crowd != NULL && scene->csv)
    printf(", %.*s-exits.csv", stem, options->output);
  if (scene->people.trajectories)
    printf(", %.*s-trajectories.txt", stem, options->output);
  if (s->deposit.measured)
    printf(", %.*s-deposit.asc, %.*s-outline.csv", stem, options->output, stem, options->output);
  printf("\n");
}
