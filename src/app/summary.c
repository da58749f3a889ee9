#include "app/summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/progress.h"
#include "core/file.h"
#include "core/json.h"
#include "run/crowd_doubts.h"
#include "scene/continuum.h"
#include "scene/text.h"

void app_write_state(pc_json *json, uint64_t hash)
{
  char state[20];
  snprintf(state, sizeof state, "%016" PRIx64, hash);
  pc_json_key(json, "state"), pc_json_string(json, hash != 0 ? state : NULL);
}

static void write_quantity(pc_json *json, const pc_quantity *q)
{
  pc_json_key(json, q->name);
  if (q->whole)
    pc_json_integer(json, (long)q->value);
  else
    pc_json_number(json, q->value);
}

// Writes the quantities of one group, from number i on, as an object. Returns the number after
// them.
static int write_group(pc_json *json, const pc_quantity *list, int count, int i, bool named)
{
  int first = i;
  pc_json_open(json, '{');
  if (named)
    pc_json_key(json, "name"), pc_json_string(json, list[i].group);
  for (; i < count && list[i].of == list[first].of && strcmp(list[i].group, list[first].group) == 0;
       i++)
    write_quantity(json, &list[i]);
  return i;
}

// Names of bodies have no place among the quantities, which are numbers.
static void write_strikes(pc_json *json, const pc_scene *scene, const char *group)
{
  for (int k = 0; k < scene->sensors; k++) {
    const pc_sensor *sensor = scene->sensor + k;
    const pc_strike *strikes[] = {&sensor->hardest, &sensor->strongest};
    static const char *const keys[] = {"kinetic_max_body", "impulse_max_body"};
    if (sensor->kind != PC_SENSOR_HITS || strncmp(sensor->name, group, 70) != 0)
      continue;
    for (int i = 0; i < 2; i++) {
      int id = strikes[i]->body.id;
      pc_json_key(json, keys[i]);
      pc_json_string(json, id > 0 ? scene->names[id - 1] : NULL);
    }
    return;
  }
}

// Groups of the same kind are a list.
static int write_groups(pc_json *json, const pc_scene *scene, const char *key,
                        const pc_quantity *list, int count, int i)
{
  pc_quantity_of of = list[i].of;
  pc_json_key(json, key), pc_json_open(json, '[');
  while (i < count && list[i].of == of) {
    const char *group = list[i].group;
    i = write_group(json, list, count, i, true);
    if (of == PC_OF_SENSOR)
      write_strikes(json, scene, group);
    pc_json_close(json);
  }
  pc_json_close(json);
  return i;
}

static void write_deposit(pc_json *json, const pc_deposit *d)
{
  pc_json_key(json, "source"), pc_json_vector(json, d->source, 3);
  pc_json_key(json, "toe"), pc_json_vector(json, d->toe, 3);
}

static void write_quantities(pc_json *json, const pc_scene *scene, const pc_run_summary *s,
                             const pc_quantity *list, int count)
{
  int i = 0;
  while (i < count) {
    pc_quantity_of of = list[i].of;
    static const char *const lists[] = {[PC_OF_EXIT] = "exits",
                                        [PC_OF_SENSOR] = "sensors",
                                        [PC_OF_TOUCH] = "touches",
                                        [PC_OF_MEDIUM] = "media",
                                        [PC_OF_RIGID] = "rigid",
                                        [PC_OF_BODY] = "bodies",
                                        [PC_OF_INTERACTION] = "interactions"};
    if (lists[of] != NULL) {
      i = write_groups(json, scene, lists[of], list, count, i);
    } else if (of == PC_OF_RUN) {
      write_quantity(json, &list[i++]);
    } else {
      pc_json_key(json, of == PC_OF_DEPOSIT ? "deposit" : "leaving");
      i = write_group(json, list, count, i, false);
      if (of == PC_OF_DEPOSIT)
        write_deposit(json, &s->deposit);
      pc_json_close(json);
    }
  }
}

static void write_place(pc_json *json, const pc_scene *scene, const char *name,
                        const pc_crowd_peak *peak)
{
  if (!isfinite(peak->value))
    return;
  pc_json_key(json, name), pc_json_open(json, '{');
  pc_json_key(json, "time"), pc_json_number(json, peak->time);
  pc_json_key(json, "floor"), pc_json_string(json, scene->people.floor_names[peak->floor]);
  pc_json_key(json, "place"), pc_json_vector(json, peak->place, 2);
  pc_json_close(json);
}

// Where the largest values were measured, and of which person.
static void write_places(pc_json *json, const pc_scene *scene, const pc_crowd_summary *s)
{
  int first = pc_crowd_body(scene->crowd, 0).id - 1;
  write_place(json, scene, "density_where", &s->densest);
  write_place(json, scene, "pressure_where", &s->pressed);
  if (s->push_person >= 0)
    pc_json_key(json, "push_person"), pc_json_string(json, scene->names[first + s->push_person]);
  if (s->load_person >= 0)
    pc_json_key(json, "load_person"), pc_json_string(json, scene->names[first + s->load_person]);
}

static pc_status print_exit(const pc_scene *scene, int goal, const char *name, pc_error *error)
{
  pc_exit_summary e = {0};
  pc_status status = pc_run_exit(scene, goal, &e, error);
  if (status != PC_OK)
    return status;
  printf("            %s: %d out", name, e.out);
  if (e.out > 0)
    printf(", mean %.4g s, last %.4g s", e.mean, e.last);
  if (isfinite(e.flow))
    printf("; %.4g people/min (%.4g averaged from the start)", e.flow, e.origin);
  printf("\n");
  return PC_OK;
}

static void print_peak(const pc_scene *scene, const char *name, const char *unit,
                       const pc_crowd_peak *peak)
{
  if (!isfinite(peak->value))
    return;
  printf("%s%.3g %s at (%g, %g)", name, peak->value, unit, peak->place[0], peak->place[1]);
  if (scene->people.floors > 1)
    printf(" on %s", pc_text_path(scene->people.floor_names[peak->floor]).text);
  printf(", %g s\n", peak->time);
}

static void print_measures(const pc_scene *scene, const pc_crowd_summary *s)
{
  double all = 0;
  for (int k = 0; k < 6; k++)
    all += s->level_time[k];
  print_peak(scene, "densest     ", "people/m^2", &s->densest);
  print_peak(scene, "pressure    at most ", "N/m^2", &s->pressed);
  if (s->load_person >= 0) {
    int first = pc_crowd_body(scene->crowd, 0).id - 1;
    printf("load        at most %.3g N on %s, mean over %g s\n", s->load_largest,
           pc_text_path(scene->names[first + s->load_person]).text, s->load_window);
  }
  if (all > 0) {
    printf("            people's time by level of service (Fruin):");
    for (int k = 0; k < 6; k++)
      printf("%s %c %.0f %%", k > 0 ? "," : "", 'A' + k, 100 * s->level_time[k] / all);
    printf("\n");
  }
  if (isfinite(s->lanes))
    printf("lanes       order %.3g at the end\n", s->lanes);
}

static void print_tight(const pc_scene_people *people)
{
  for (int i = people->tights - 1; i >= 0; i--) {
    const pc_scene_tight *t = &people->tight[i];
    char on[100] = "";
    if (people->floors > 1)
      snprintf(on, sizeof on, " on floor '%.60s'", people->floor_names[t->at.floor]);
    printf("            WARNING: %d of '%s' do not fit through the gap of %.3g m at (%.4g, "
           "%.4g)%s, on the way to '%s'\n",
           t->people, people->group_names[t->group], t->at.width, t->at.place[0], t->at.place[1],
           on, people->goal[t->goal].name);
  }
}

// Flow rates do not show people who stay.
static pc_status print_stuck(const pc_scene *scene, const pc_run_summary *s, pc_error *error)
{
  const double long_time = 10; // s
  pc_exit_summary e;
  if (!scene->people.until_empty || s->inside == s->waiting + s->incapacitated)
    return PC_OK;
  pc_status status = pc_run_exit(scene, -1, &e, error);
  if (status != PC_OK)
    return status;
  if (e.out == 0)
    printf("            WARNING: nobody has left\n");
  else if (s->time - e.last > long_time)
    printf("            WARNING: nobody has left since %.4g s: people are stuck or do not fit "
           "through; the flow rate is up to that time\n",
           e.last);
  return PC_OK;
}

static pc_status print_doubts(const pc_scene *scene, const pc_run_summary *s, pc_error *error)
{
  pc_crowd_doubt *list;
  int count;
  pc_status status = pc_crowd_doubts(scene, &s->crowd, &list, &count, error);
  for (int i = 0; i < count; i++)
    printf("            WARNING: %s\n", list[i].text);
  free(list);
  return status;
}

// What was wrong with the run besides its scene.
static void write_doubts(pc_json *json, const pc_scene *scene, const pc_run_summary *s)
{
  pc_crowd_doubt *list;
  int count;
  pc_error error;
  pc_crowd_doubts(scene, &s->crowd, &list, &count, &error);
  pc_json_key(json, "doubts"), pc_json_open(json, '[');
  for (int i = 0; i < count; i++)
    pc_json_string(json, list[i].text);
  pc_json_close(json);
  free(list);
}

static pc_status print_people(const pc_scene *scene, const pc_run_summary *s, pc_error *error)
{
  int exits = 0;
  pc_status status = PC_OK;
  printf("people      %d, %d still inside%s\n", s->people, s->inside - s->waiting,
         s->inside == 0 && s->finished && scene->people.until_empty ? ": the run ended then" : "");
  if (s->waiting > 0)
    printf("            %d have not entered yet\n", s->waiting);
  if (s->incapacitated > 0)
    printf("            %d are incapacitated by smoke and gases\n", s->incapacitated);
  for (int i = 0; i < scene->people.goals && status == PC_OK; i++)
    if (scene->people.goal[i].kind == PC_GOAL_EXIT) {
      status = print_exit(scene, i, pc_text_path(scene->people.goal[i].name).text, error);
      exits++;
    }
  if (exits > 1 && status == PC_OK)
    status = print_exit(scene, -1, "all exits", error);
  if (status != PC_OK)
    return status;
  print_tight(&scene->people);
  status = print_stuck(scene, s, error);
  if (status == PC_OK)
    status = print_doubts(scene, s, error);
  print_measures(scene, &s->crowd);
  return status;
}

static void print_chain(const pc_run_summary *s)
{
  static const char *const patterns[] = {"none", "I", "II", "III"};
  const pc_chain_measures *m = &s->chain.measures;
  printf("chain       KER %.6g (minimum %.6g), C_KE %.6g, pattern %s\n", m->ker, m->ker_min, m->cke,
         patterns[m->pattern]);
  if (s->chain.bounded)
    printf(
        "            C_KE is between %.6g and %.6g for this KER, proven to within %.0e and %.0e\n",
        s->chain.bounds.min.found, s->chain.bounds.max.found, s->chain.bounds.min.gap,
        s->chain.bounds.max.gap);
  printf("            momentum %.6g N s before, %.6g N s at the end\n", m->momentum_before,
         m->momentum_after);
  if (s->chain.impacts > 0)
    printf("            %ld impact%s\n", s->chain.impacts, app_plural(s->chain.impacts));
  if (s->stored > 1e-9 * s->turnover)
    printf("            contacts are still compressed; use a longer duration\n");
  else if (!m->kinematic || !m->kinetic || !m->energetic)
    printf("            WARNING: not consistent:%s%s%s\n",
           m->kinematic ? "" : " touching balls approach each other",
           m->kinetic ? "" : " contacts pull", m->energetic ? "" : " energy increased");
}

static void write_certificate(pc_json *json, const pc_run_certificate *c)
{
  pc_json_key(json, "certificate");
  pc_json_open(json, '{');
  pc_json_key(json, "steps"), pc_json_integer(json, c->steps);
  pc_json_key(json, "refused"), pc_json_integer(json, c->refused);
  pc_json_key(json, "rms"), pc_json_number(json, c->rms);
  pc_json_key(json, "estimate"), pc_json_number(json, c->estimate);
  pc_json_key(json, "shift"), pc_json_number(json, c->shift);
  pc_json_key(json, "frozen"), pc_json_boolean(json, c->frozen);
  pc_json_close(json);
}

void app_print_warnings(FILE *to, const pc_scene *scene)
{
  for (int i = 0; i < scene->warning_count; i++)
    fprintf(to, "WARNING     %s\n", scene->warnings[i]);
}

void app_write_warnings(pc_json *json, const pc_scene *scene)
{
  pc_json_key(json, "warnings"), pc_json_open(json, '[');
  for (int i = 0; i < scene->warning_count; i++)
    pc_json_string(json, scene->warnings[i]);
  pc_json_close(json);
}

pc_status app_summary_json(const char *path, const pc_scene *scene, const pc_run_options *options,
                           const pc_run_summary *s, const pc_error *failure, pc_error *error)
{
  pc_quantity *list = NULL;
  int count = 0;
  pc_status measured = pc_run_measure(scene, s, &list, &count, error);
  const char *why = failure != NULL ? failure->text : measured != PC_OK ? error->text : NULL;
  pc_json json = {.file = stdout};
  pc_json_open(&json, '{');
  pc_json_key(&json, "status");
  pc_json_string(&json, why != NULL               ? "failed"
                        : !s->finished            ? "stopped"
                        : pc_run_is_inaccurate(s) ? "inaccurate"
                                                  : "finished");
  pc_json_key(&json, "error"), pc_json_string(&json, why);
  pc_json_key(&json, "scene"), pc_json_string(&json, path);
  pc_json_key(&json, "output"), pc_json_string(&json, options->output);
  app_write_warnings(&json, scene);
  if (measured == PC_OK)
    write_quantities(&json, scene, s, list, count);
  free(list);
  if (scene->crowd != NULL) {
    write_places(&json, scene, &s->crowd);
    write_doubts(&json, scene, s);
  }
  if (s->heat.hottest_body.id > 0) {
    pc_json_key(&json, "hottest_body");
    pc_json_string(&json, scene->names[s->heat.hottest_body.id - 1]);
  }
  app_write_state(&json, s->state);
  if (options->certify)
    write_certificate(&json, &s->certificate);
  pc_json_key(&json, "problems_kept"), pc_json_integer(&json, s->problems_kept);
  pc_json_key(&json, "problems_over"), pc_json_integer(&json, s->problems_over);
  pc_json_key(&json, "problems_refused"), pc_json_integer(&json, s->problems_refused);
  pc_json_key(&json, "wall_s"), pc_json_number(&json, s->wall_s);
  pc_json_key(&json, "detection_s"), pc_json_number(&json, s->detection_s);
  pc_json_key(&json, "solve_s"), pc_json_number(&json, s->solve_s);
  pc_json_key(&json, "record_s"), pc_json_number(&json, s->record_s);
  pc_json_close(&json);
  return measured;
}

static double energies(const pc_run_summary *s)
{
  return fabs(s->kinetic) + fabs(s->potential) + fabs(s->stored) + s->turnover;
}

// Only round-off of the energies is shown as 0: a few joules at the start are still shown in a run
// that turns over a million times as much.
static const double round_off = 1e-12;

// For works: at rest the solver leaves a little in every step, beside the energy that is there.
static double energy(const pc_run_summary *s, double value)
{
  double least = 1e-9 * (energies(s) - s->turnover) + round_off * s->turnover;
  return fabs(value) > least ? value : 0;
}

// The energy at a time. Potential energies cancel to the round-off of what falls; and at rest the
// solver leaves some motion, which is noise beside the energy before. `zero`: said of the potential
// energy.
static void print_sum(const char *when, double scale, double kinetic, double potential,
                      const char *zero, double stored)
{
  double least = round_off * scale;
  kinetic = kinetic > least ? kinetic : 0;
  potential = fabs(potential) > least ? potential : 0;
  stored = fabs(stored) > least ? stored : 0;
  printf("%.6g J %s: kinetic %.6g J, potential %.6g J%s, stored %.6g J\n",
         kinetic + potential + stored, when, kinetic, potential, zero, stored);
}

static void print_given(const pc_run_summary *s, double value, const char *by)
{
  if (energy(s, value) != 0)
    printf("          %c %.6g J %s\n", value < 0 ? '-' : '+', fabs(value), by);
}

// The name of a line of the balance; some kinds of scene have their own words. An integration error
// below a thousandth of what was turned over is no reason for a shorter step.
static void name_line(char *text, size_t size, const pc_scene *scene, const pc_run_summary *s,
                      pc_line line)
{
  const pc_world_def *def = scene->world != NULL ? pc_world_definition(scene->world) : NULL;
  if (line == PC_LINE_stored_error)
    snprintf(text, size, "integration error of springs, strings%s%s",
             def != NULL && def->treatment == PC_PENALTY ? ", nets and overlaps" : " and nets",
             s->stored_error > 0.01 * energies(s)
                 ? " (WARNING: the time step is too long for their stiffness)"
             : fabs(s->stored_error) > 1e-3 * s->turnover
                 ? " (time step too long for their stiffness)"
                 : "");
  else if (line == PC_LINE_work_forces && scene->crowd != NULL)
    snprintf(text, size, "work of walking and other forces");
  else if (line == PC_LINE_work_forces && scene->chain != NULL)
    snprintf(text, size, "work of the static force");
  else if (line == PC_LINE_given && scene->crowd != NULL)
    snprintf(text, size, "by people who entered or left");
  else if (line == PC_LINE_given && scene->removes_lost)
    snprintf(text, size, "by lost bodies that left%s", scene->events > 0 ? ", and events" : "");
  else if (line == PC_LINE_dissipated)
    snprintf(text, size,
             s->dissipated < 0 ? "given by contacts (more than they dissipated)" : "dissipated");
  else
    snprintf(text, size, "%s %s", pc_balance[line].step_sign != 0 ? "work of" : "by",
             pc_balance[line].source);
}

// The energy balance, whose lines add up; lines of 0 are left out. The potential energy is counted
// from its value at the end: its zero depends on the coordinates, and on a mountain it would hide
// all others. With heat, dissipated energy and
// heat given by events are part of the heat.
static void print_balance(const pc_scene *scene, const pc_run_summary *s)
{
  double start = s->kinetic_start + fabs(s->potential_start) + s->stored_start +
                 fabs(s->potential - s->potential_start);
  printf("energy      ");
  print_sum("at the start", start, s->kinetic_start, s->potential_start - s->potential, "",
            s->stored_start);
  for (int sign = 1; sign >= -1; sign -= 2) // gains first
    for (int i = 0; i < PC_BALANCE_COUNT; i++)
      if (pc_balance[i].run_sign == sign && !(s->heat.on && sign < 0)) {
        char text[160];
        name_line(text, sizeof text, scene, s, i);
        print_given(s, sign * pc_run_line(s, i), text);
      }
  if (s->heat.on)
    print_given(s, -s->heat.thermal - s->heat.outside - s->heat.obstacles, "heat, see below");
  printf("          = ");
  print_sum("at the end", start + s->kinetic + s->stored, s->kinetic, 0,
            s->potential != 0 || s->potential_start != 0 ? " (counted from here)" : "", s->stored);
  if (s->heat.on && energy(s, s->dissipated) != 0)
    printf("            (%.6g J of the heat was dissipated)\n", s->dissipated);
}

// A length with a unit that suits it.
static const char *length_text(double metres, char text[24])
{
  static const struct {
    double size;
    const char *unit;
  } units[] = {{1, "m"}, {1e-3, "mm"}, {1e-6, "µm"}};
  int i = 0;
  while (i < 2 && metres < units[i].size)
    i++;
  if (metres < 1e-9)
    snprintf(text, 24, "%.1e m", metres);
  else if (metres >= 99.5 * units[i].size)
    snprintf(text, 24, "%.0f %s", metres / units[i].size, units[i].unit);
  else
    snprintf(text, 24, "%.2g %s", metres / units[i].size, units[i].unit);
  return text;
}

static void print_accuracy(const pc_run_summary *s)
{
  char reached[24], asked[24];
  length_text(s->contact_error_largest, reached);
  length_text(s->accuracy, asked);
  if (s->accuracy > 0 && s->steps_inaccurate == 0 && s->contact_error_largest > s->accuracy)
    printf("solver      contact error below %s, or residual within tolerance, in every step: "
           "contact error up to %s, largest residual %.1e\n",
           asked, reached, s->residual_largest);
  else if (s->accuracy > 0 && s->steps_inaccurate == 0)
    printf("solver      contact error up to %s (accepted: %s), largest residual %.1e\n", reached,
           asked, s->residual_largest);
  else if (s->accuracy > 0 && s->contact_error_largest <= s->accuracy)
    printf(
        "solver      WARNING: %ld step%s did not converge (largest residual %.1e), but the contact "
        "error, up to %s, is within the accepted %s\n",
        s->steps_inaccurate, app_plural(s->steps_inaccurate), s->residual_largest, reached, asked);
  else if (s->accuracy > 0)
    printf("solver      WARNING: %ld step%s missed the accuracy of %s: contact error up to %s, "
           "largest residual %.1e\n",
           s->steps_inaccurate, app_plural(s->steps_inaccurate), asked, reached,
           s->residual_largest);
  else if (s->steps_inaccurate == 0)
    printf("solver      tolerance reached in every step, largest residual %.1e\n",
           s->residual_largest);
  else
    printf("solver      WARNING: %ld step%s missed the tolerance, largest residual %.1e\n",
           s->steps_inaccurate, app_plural(s->steps_inaccurate), s->residual_largest);
  if (s->velocity_error_largest > 0)
    printf("            estimated velocity error %.1e m/s (root mean square, weighted by mass)\n",
           s->velocity_error_largest);
}

static void print_energies(const pc_scene *scene, const pc_run_summary *s)
{
  // At rest the turnover is only what the solver leaves in every step.
  double worth_saying = 1e-6 * s->turnover + 1e-8 * energies(s);
  double separating = fabs(s->separating) > worth_saying ? s->separating : 0;
  print_balance(scene, s);
  if (s->pierced > worth_saying)
    printf("            (dissipated: %.5g J at pierced contacts)\n", energy(s, s->pierced));
  if (s->at_distance > worth_saying)
    printf("            (dissipated: %.5g J by interactions at a distance and between spins)\n",
           energy(s, s->at_distance));
  if (s->given_by_laws + fmin(0, separating) > worth_saying)
    printf("            contacts gave %.3g J (simultaneous rebounds, or rebounds with friction, "
           "can give energy)\n",
           s->given_by_laws);
  if (scene->world != NULL && pc_world_definition(scene->world)->sleep_after > 0)
    printf("sleep       %d bod%s asleep at the end; of the dissipated energy, %.3g J was lost by "
           "bodies falling asleep\n",
           s->asleep, s->asleep == 1 ? "y" : "ies", s->frozen);
}

static void print_heat(const pc_scene *scene, const pc_run_summary *s)
{
  const pc_run_heat *h = &s->heat;
  if (!h->on)
    return;
  printf("heat        stored in bodies %.5g J, given to the surroundings %.5g J, to obstacles %.5g "
         "J; entropy produced %.4g J/K\n",
         energy(s, h->thermal), energy(s, h->outside), energy(s, h->obstacles),
         h->entropy_produced);
  if (h->hottest_body.id == 0)
    return;
  printf("            hottest '%s', %.7g K at %.4g s",
         pc_text_path(scene->names[h->hottest_body.id - 1]).text, h->hottest, h->hottest_time);
  if (h->hottest_end_body.id > 0)
    printf("; at the end %.7g K ('%s') to %.7g K", h->hottest_end,
           pc_text_path(scene->names[h->hottest_end_body.id - 1]).text, h->coldest_end);
  printf("\n");
}

static void print_overlap(const pc_scene *scene, const pc_run_summary *s)
{
  const pc_body *body = s->overlap_bodies;
  if (body[0].id == 0 || body[1].id == 0)
    return;
  printf("overlap     %.2g m at the end, %.2g %% of the smaller body's radius\n", s->overlap_end,
         100 * s->overlap_relative);
  if (s->overlap_relative > 0.02)
    printf("            WARNING: '%s' and '%s' overlap too much; use a shorter time step\n",
           pc_text_path(scene->names[body[0].id - 1]).text,
           pc_text_path(scene->names[body[1].id - 1]).text);
}

static void print_certificate(const pc_run_certificate *c)
{
  if (c->steps > 0)
    printf("certified   velocity error at most %.1e m/s in %s step%s (root mean square, weighted "
           "by mass)%s\n",
           c->rms, c->refused > 0 ? "certified" : "every", c->refused > 0 ? "s" : "",
           c->frozen ? ", for fixed friction thresholds" : "");
  if (c->shift > 0)
    printf("            for contact and tie conditions satisfied to %.1e m/s\n", c->shift);
  if (c->refused > 0)
    printf("            %ld step%s not certified: %s\n", c->refused, app_plural(c->refused),
           c->why);
}

static void print_problems(const pc_run_dump *dump, const pc_run_summary *s)
{
  printf("problems    %ld saved in %s", s->problems_kept, pc_text_path(dump->folder).text);
  if (s->problems_over > 0)
    printf(", %ld more not saved (--dump-limit)", s->problems_over);
  if (s->problems_refused > 0)
    printf("\n"
           "            %ld not saved: %s",
           s->problems_refused, s->problems_why);
  printf("\n");
}

static void print_deposit(const pc_deposit *d, int outside)
{
  if (d->bodies > 0)
    printf(
        "deposit     runout %.4g m, longest travel %.4g m, drop %.4g m, reach angle %.3g degrees\n"
        "            area %.4g m^2, thickness up to %.3g m, %.4g m^3 of rock in a deposit of %.4g "
        "m^3\n",
        d->runout, d->longest < 1e-6 ? 0 : d->longest, d->drop, d->reach_angle, d->area,
        d->thickest, d->volume, d->bulk);
  printf("            %d bod%s on the ground, %d still moving%s\n", d->bodies,
         d->bodies == 1 ? "y" : "ies", d->moving,
         d->astray > 0 || outside > 0 ? "" : ", none lost");
  if (d->astray > d->below)
    printf(
        "            %d beyond the edge of the terrain: use a larger terrain, or take them out of "
        "the run (output: bounds and lost: removed)\n",
        d->astray - d->below);
  if (d->below > 0)
    printf("            %d below the terrain: they fell through a hole of it, or the step is too "
           "long\n",
           d->below);
}

static void print_files(const pc_scene *scene, const pc_run_options *options,
                        const pc_run_summary *s)
{
  int stem = (int)pc_path_stem(options->output, ".h5");
  if (s->state != 0)
    printf("state       %016" PRIx64
           " (checksum of the final state: equal if two runs agree bit for bit)\n",
           s->state);
  printf("files       %s", options->output);
  if (scene->csv)
    printf(", %.*s.csv", stem, options->output);
  if (scene->xdmf)
    printf(", %.*s.xdmf (for ParaView)", stem, options->output);
  if (scene->continuum != NULL && scene->csv && scene->continuum->def.contacts > 0)
    printf(", %.*s-%s.csv", stem, options->output,
           scene->continuum->moves ? "collisions" : "profile");
  if (scene->end_table && s->finished)
    printf(", %.*s-end.csv", stem, options->output);
  bool hits = false;
  for (int i = 0; i < scene->sensors; i++)
    hits = hits || scene->sensor[i].kind == PC_SENSOR_HITS;
  if (hits && scene->csv)
    printf(", %.*s-hits.csv", stem, options->output);
  if (scene->crowd != NULL && scene->csv)
    printf(", %.*s-exits.csv", stem, options->output);
  if (s->crowd.mapped && scene->csv)
    printf(", %.*s-maps.csv", stem, options->output);
  if (scene->people.trajectories)
    printf(", %.*s-trajectories.txt", stem, options->output);
  for (int i = 0; i < scene->plan.pictures && s->finished; i++)
    if (scene->plan.picture[i].against[0] < 0)
      printf(", %.*s-%s.svg", stem, options->output, scene->plan.picture[i].name);
  if (s->deposit.measured)
    printf(", %.*s-deposit.asc, %.*s-outline.csv", stem, options->output, stem, options->output);
  printf("\n");
}

pc_status app_summary_print(const pc_scene *scene, const pc_run_options *options,
                            const pc_run_summary *s, pc_error *error)
{
  char wall[32];
  pc_status status = PC_OK;
  app_write_span(s->wall_s, wall, sizeof wall);
  if (scene->title != NULL)
    printf("%s\n", pc_text_path(scene->title).text);
  app_print_warnings(stdout, scene);
  if (scene->continuum != NULL && scene->continuum->moves) {
    printf("%d nodes, %ld step%s to %g s in %s\n", scene->continuum->mesh.nodes, s->steps,
           app_plural(s->steps), s->time, wall);
    app_motion_print(scene->continuum, s);
    print_files(scene, options, s);
    return PC_OK;
  }
  if (scene->continuum != NULL) {
    printf("one collision of %d nodes in %s\n", scene->continuum->answer.nodes, wall);
    app_continuum_print(&scene->continuum->answer);
    print_files(scene, options, s);
    return PC_OK;
  }
  printf("%d %s, %ld step%s to %g s in %s\n", s->bodies,
         scene->chain != NULL ? "balls"
         : s->bodies == 1     ? "body"
                              : "bodies",
         s->steps, app_plural(s->steps), s->time, wall);
  if (scene->crowd != NULL)
    status = print_people(scene, s, error);
  if (status != PC_OK)
    return status;
  if (scene->chain != NULL)
    print_chain(s);
  if (s->chain.impacts == 0)
    printf("contacts    %.4g per step, maximum %d, deepest %s %.2g m\n",
           s->steps > 0 ? (double)s->contacts_total / (double)s->steps : 0, s->contacts_largest,
           scene->chain != NULL ? "compression" : "overlap", s->deepest);
  print_overlap(scene, s);
  print_energies(scene, s);
  print_heat(scene, s);
  if (s->steps_open == 0)
    printf("balance     closed in every step, relative drift %.1e\n", s->drift);
  else
    printf("balance     NOT CLOSED in %ld step%s, largest relative error %.1e, "
           "drift %.1e\n",
           s->steps_open, app_plural(s->steps_open), s->audit_largest, s->drift);
  print_accuracy(s);
  if (s->steps_calmed > 0)
    printf("            %ld step%s had no solution with rebound and %s solved without it\n",
           s->steps_calmed, app_plural(s->steps_calmed), s->steps_calmed == 1 ? "was" : "were");
  if (s->steps_inaccurate > 0 && s->residual_largest > 0.1) // no motion satisfies all contacts
    printf("            a body may be squeezed between closing obstacles; its energies are then "
           "not meaningful\n");
  if (options->certify)
    print_certificate(&s->certificate);
  if (options->dump.folder != NULL)
    print_problems(&options->dump, s);
  if (s->lost > 0 && scene->crowd != NULL)
    printf("lost        WARNING: %d people have passed through walls; use a shorter time step\n",
           s->lost);
  else if (s->lost > 0)
    printf("lost        %d bod%s outside the bounds at the end%s\n", s->lost,
           s->lost == 1 ? "y is" : "ies are", scene->removes_lost ? " and out of the run" : "");
  if (s->deposit.measured)
    print_deposit(&s->deposit, s->lost);
  app_sensors_print(scene);
  print_files(scene, options, s);
  return PC_OK;
}
