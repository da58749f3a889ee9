// percuss bench continuum: the collision of a diver with a pool (book, 8.5), with finer and finer
// meshes: the cost of each part.
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "measure.h"
#include "percuss/scene.h"

// scenes/continuum/diver.yaml with this many rows of quadrangles of 9 nodes.
static const char pool[] = "kind: continuum\n"
                           "mesh:\n"
                           "  rectangles:\n"
                           "    - {name: water, x: [-1, 1], y: [-1, 0], cells: [%d, %d], "
                           "sides: {bottom: floor, left: west, right: east, top: surface}}\n"
                           "  parts: [{of: surface, name: diver, x: [-0.5, 0.5]}]\n"
                           "media:\n"
                           "  water: {fluid: true, density: 1000, viscosity: 0.25}\n"
                           "bodies: [{name: diver, mass: 100, inertia: 8, velocity: [0, -4.47]}]\n"
                           "contacts:\n"
                           "  - {sides: diver, with: diver, normal: 1, tangential: 1}\n"
                           "  - {sides: floor, normal: 1, tangential: 1}\n"
                           "  - {sides: west, normal: 1, tangential: 1}\n"
                           "  - {sides: east, normal: 1, tangential: 1}\n";

static void show(bench_context *context, const pc_continuum_answer *a, double processor)
{
  char remark[160];
  const pc_continuum_cost *c = &a->cost;
  double size = c->unknowns;
  bench_row(context, "assembly", size, c->assembly_s, "s");
  bench_row(context, "analysis", size, c->analysis_s, "s");
  bench_row(context, "factorisation", size, c->factor_s, "s");
  snprintf(remark, sizeof remark, "%d nodes touch", a->points);
  bench_row_remarked(context, "response of the contacts", size, c->response_s, "s", remark);
  snprintf(remark, sizeof remark, "%d iterations, residual %.1e", a->iterations, a->residual);
  bench_row_remarked(context, "contacts", size, c->contact_s, "s", remark);
  snprintf(remark, sizeof remark, "velocity of the diver after %.4f m/s, energy balance %.1e",
           a->body[0].after[1], a->account.identity);
  bench_row_remarked(context, "all", size, c->assembly_s + c->analysis_s + c->factor_s + c->solve_s,
                     "s", remark);
  bench_row(context, "all, processor time", size, processor, "s");
  snprintf(remark, sizeof remark, "of the process; factors %.2f GB", 1e-9 * (double)c->memory);
  bench_row_remarked(context, "memory", size, 1e-9 * bench_peak_memory(), "GB", remark);
}

static void measure(bench_context *context, int rows)
{
  char text[sizeof pool + 32];
  pc_error error = {.status = PC_OK};
  pc_scene scene;
  pc_continuum_answer answer;
  snprintf(text, sizeof text, pool, 2 * rows, rows);
  if (pc_scene_parse("pool.yaml", text, &scene, &error) != PC_OK) {
    bench_failed(context, error.text);
    return;
  }
  double begun = bench_processor_seconds();
  if (pc_continuum_solve(scene.continuum, 0, &answer, &error) != PC_OK)
    bench_failed(context, error.text);
  else if (!answer.solved || !answer.closed)
    bench_failed(context, "a collision was not solved");
  else
    show(context, &answer, bench_processor_seconds() - begun);
  pc_continuum_answer_free(&answer);
  pc_scene_free(&scene);
}

void bench_continuum(bench_context *context)
{
  measure(context, 24);
  measure(context, 74);
  if (!context->quick)
    measure(context, 236);
}
