// Collisions, chains, continua, scenes and runs of the contract suite.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/objects.h"

#define own fixture_own

// --- collisions, chains, continua
// -----------------------------------------------------------------

pc_impact *fixture_impact(void)
{
  if (own.impact != NULL)
    return own.impact;
  own.impact = pc_impact_create();
  pc_impact_body body = pc_impact_body_default();
  body.velocity[2] = -1;
  pc_impact_add_body(own.impact, &body);
  body.position[2] = 1;
  pc_impact_add_body(own.impact, &body);
  pc_interaction contact = fixture_interaction();
  pc_impact_add_interaction(own.impact, &contact);
  pc_solve_options options = pc_solve_options_default();
  pc_solve_info info;
  if (pc_impact_solve(own.impact, &options, &info) != PC_OK)
    contract_complain("the fixture has no collision: %s", pc_impact_error(own.impact));
  return own.impact;
}

pc_impact *fixture_response(void)
{
  if (own.response != NULL)
    return own.response;
  own.response = pc_impact_create();
  pc_interaction row = pc_interaction_default(PC_ROWS);
  row.rows = 1;
  row.unilateral = true;
  row.law.normal.kind = PC_NORMAL_INELASTIC;
  if (pc_impact_add_interaction(own.response, &row) != 0)
    contract_complain("the fixture has no rows: %s", pc_impact_error(own.response));
  return own.response;
}

pc_heat *fixture_heat(void)
{
  if (own.heat == NULL)
    own.heat = pc_heat_create();
  return own.heat;
}

pc_chain_motion *fixture_chain_motion(void)
{
  if (own.chain_motion != NULL)
    return own.chain_motion;
  pc_chain chain = fixture_chain();
  pc_chain_law law = pc_chain_law_default(PC_CHAIN_HERTZ);
  pc_chain_options options = pc_chain_options_default();
  pc_error error = {.text = ""};
  own.chain_motion = pc_chain_motion_create(&chain, &law, &options, &error);
  if (own.chain_motion == NULL)
    contract_complain("the fixture has no chain: %s", error.text);
  return own.chain_motion;
}

const void *fixture_chain_bytes(void)
{
  static double bytes[1000];
  if (fixture_chain_size() <= sizeof bytes)
    pc_chain_motion_save(fixture_chain_motion(), bytes);
  return bytes;
}

size_t fixture_chain_size(void)
{
  return pc_chain_motion_save(fixture_chain_motion(), NULL);
}

static pc_scene *read_scene(pc_scene **scene, const char *text)
{
  if (*scene != NULL)
    return *scene;
  pc_error error = {.text = ""};
  *scene = calloc(1, sizeof **scene);
  if (pc_scene_parse("fixture.yaml", text, *scene, &error) != PC_OK)
    contract_complain("the fixture has no scene: %s", error.text);
  return *scene;
}

#define BAR                                                                                        \
  "kind: continuum\nmesh: {lines: [{name: bar, from: 0, to: 1, cells: 4, left: foot, right: "      \
  "head}]}\n"

pc_continuum *fixture_continuum(void)
{
  return read_scene(&own.collision,
                    BAR "media: {bar: {density: 1000, viscosity: 500, velocity: [-1]}}\n"
                        "contacts: [{sides: foot, normal: 2000}]\n")
      ->continuum;
}

pc_continuum *fixture_warm_continuum(void)
{
  return read_scene(&own.warm, BAR "media: {bar: {density: 1000, viscosity: 500, velocity: [-1],\n"
                                   "  heat: {capacity: 1e6, conductivity: 1, temperature: 300}}}\n"
                                   "contacts: [{sides: foot, normal: 2000}]\n")
      ->continuum;
}

pc_continuum *fixture_moving_continuum(void)
{
  return read_scene(&own.motion,
                    "kind: continuum\n"
                    "mesh: {bars: [{name: bar, length: 0.6, width: 0.1, angle: 54, cells: [8, 4], "
                    "sides: {foot: foot}}]}\n"
                    "media: {bar: {density: 7877, viscosity: 1e5, young: 2.5e10, poisson: 0.3, "
                    "velocity: [0, -1]}}\n"
                    "contacts: [{sides: foot, normal: 18670}]\n"
                    "duration: 1.6e-4\nstep: 2e-5\n")
      ->continuum;
}

pc_continuum_motion *fixture_continuum_motion(void)
{
  pc_error error = {.text = ""};
  if (own.continuum_motion == NULL)
    own.continuum_motion = pc_continuum_motion_create(fixture_moving_continuum(), &error);
  if (own.continuum_motion == NULL)
    contract_complain("the fixture has no motion: %s", error.text);
  return own.continuum_motion;
}

static pc_continuum_answer *solve(pc_continuum_answer **answer)
{
  if (*answer != NULL)
    return *answer;
  *answer = calloc(1, sizeof **answer);
  if (pc_continuum_solve(fixture_continuum(), 0, *answer, NULL) != PC_OK)
    contract_complain("the fixture has no answer");
  return *answer;
}

pc_continuum_answer *fixture_answer(void)
{
  return solve(&own.answer);
}

pc_continuum_answer *fixture_own_answer(void)
{
  return solve(&own.own_answer);
}

// --- scenes and runs
// ------------------------------------------------------------------------------

pc_scene *fixture_scene(void)
{
  return read_scene(&own.rigid, fixture_rigid_text());
}

pc_scene *fixture_crowd_scene(void)
{
  return read_scene(
      &own.crowd_scene,
      "kind: crowd\nduration: 0.08\nstep: 0.04\nroutes: {spacing: 0.25}\n"
      "floors: [{walls: [{points: [[0, 0], [2, 0]]}, {points: [[2, 1], [2, 1.5], [0, 1.5], [0, "
      "0]]}]}]\n"
      "exits: [{name: door, line: [[2, 0], [2, 1]]}]\n"
      "people: [{name: p, positions: [[1.2, 0.5], [1.7, 0.5]], to: door}]\n");
}

pc_scene *fixture_many_scene(void)
{
  static char text[2000];
  snprintf(text, sizeof text,
           "%sruns: 1\nsweep: [{key: step, values: [1e-3, 2e-3]}]\n"
           "curves: [{name: energy, quantities: steps, against: step}]\n",
           fixture_rigid_text());
  return read_scene(&own.many, text);
}

pc_scene_impact *fixture_scene_impact(void)
{
  if (own.scene_impact != NULL)
    return own.scene_impact;
  pc_error error = {.text = ""};
  own.scene_impact = calloc(1, sizeof *own.scene_impact);
  if (pc_scene_parse_impact("i.yaml", fixture_impact_text(), own.scene_impact, &error) != PC_OK)
    contract_complain("the fixture has no impact: %s", error.text);
  pc_solve_options options = pc_solve_options_default();
  pc_solve_info info;
  pc_impact_solve(own.scene_impact->problem, &options, &info);
  return own.scene_impact;
}

pc_scene_identification *fixture_identification(void)
{
  if (own.identification != NULL)
    return own.identification;
  pc_error error = {.text = ""};
  own.identification = calloc(1, sizeof *own.identification);
  if (pc_scene_read_identification(FIXTURE_SCENES "/identify.yaml", own.identification, &error) !=
      PC_OK)
    contract_complain("the fixture has no identification: %s", error.text);
  return own.identification;
}

static pc_runs *make_runs(pc_runs **runs)
{
  pc_error error = {.text = ""};
  if (*runs == NULL)
    *runs = pc_runs_create(fixture_many_scene(), &error);
  if (*runs == NULL)
    contract_complain("the fixture has no runs: %s", error.text);
  return *runs;
}

pc_runs *fixture_fresh_runs(void)
{
  return make_runs(&own.fresh_runs);
}

pc_runs *fixture_runs(void)
{
  if (own.runs != NULL)
    return own.runs;
  pc_error error = {.text = ""};
  if (pc_runs_run(make_runs(&own.runs), &(pc_runs_options){.threads = 1}, &error) != PC_OK)
    contract_complain("the fixture's runs fail: %s", error.text);
  return own.runs;
}

const char *fixture_record(void)
{
  return "record.h5";
}

pc_view *fixture_view(void)
{
  if (own.view == NULL)
    own.view = pc_view_open(&(pc_view_options){.path = fixture_record()}, NULL);
  return own.view;
}
