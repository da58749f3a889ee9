// percuss bench continuum: the collision of a diver with a pool (book, 8.5), the pool cut into more
// and more elements: what each part of it costs.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "app/bench.h"
#include "continuum/collision.h"

// Water of 2 m x 1 m in quadrangles of 9 nodes; the middle metre of its surface is the diver's.
static pc_status make_pool(pc_fe_mesh *mesh, int rows, pc_error *error)
{
  int columns = 2 * rows;
  double *x = malloc(((size_t)columns + 1) * sizeof *x),
         *y = malloc(((size_t)rows + 1) * sizeof *y);
  *mesh = pc_fe_mesh_empty(2);
  pc_status status = PC_ERROR_MEMORY;
  if (x != NULL && y != NULL) {
    pc_fe_grade(-1, 1, columns, 1, x);
    pc_fe_grade(-1, 0, rows, 1, y);
    pc_fe_mesh_add_rectangle(mesh, &(pc_fe_rectangle){columns, rows, x, y, PC_QUAD4, "water",
                                                      "wall", "wall", "surface", "wall"});
    status = pc_fe_mesh_quadratic(mesh, true, error);
  }
  free(x);
  free(y);
  int surface = pc_fe_mesh_find_group(mesh, "surface", 1);
  int diver = pc_fe_mesh_add_group(mesh, "diver", 1);
  for (int i = 0; status == PC_OK && i < mesh->side.count; i++) {
    pc_fe_cell *side = &mesh->side.cell[i];
    const int *node = mesh->side.node + side->first;
    double middle = (mesh->node[node[0]][0] + mesh->node[node[1]][0]) / 2;
    if (side->group == surface && middle > -0.5 && middle < 0.5)
      side->group = diver;
  }
  return status;
}

static double processor_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void show(pc_bench_context *context, const pc_fe_answer *a, double processor, double memory)
{
  char remark[160];
  double size = a->numbers;
  bench_row(context, "assembly", size, a->assembly_s, "s");
  bench_row(context, "analysis", size, a->analyze_s, "s");
  bench_row(context, "factorisation", size, a->factor_s, "s");
  snprintf(remark, sizeof remark, "%d nodes touch", a->touches);
  bench_row_remarked(context, "response of the contacts", size, a->response_s, "s", remark);
  snprintf(remark, sizeof remark, "%d iterations, residual %.1e", a->iterations, a->residual);
  bench_row_remarked(context, "contacts", size, a->contact_s, "s", remark);
  snprintf(remark, sizeof remark, "the diver goes on at %.4f m/s, energy account %.1e",
           a->body[0][1], a->account.identity);
  bench_row_remarked(context, "all", size, a->assembly_s + a->analyze_s + a->factor_s + a->solve_s,
                     "s", remark);
  bench_row(context, "all, processor time", size, processor, "s");
  snprintf(remark, sizeof remark, "of the process; factors %.2f GB", 1e-9 * (double)a->memory);
  bench_row_remarked(context, "memory", size, 1e-9 * memory, "GB", remark);
}

static void measure(pc_bench_context *context, int rows)
{
  pc_error error = {0};
  pc_fe_mesh mesh;
  pc_status status = make_pool(&mesh, rows, &error);
  double start = processor_seconds(),
         *velocity = calloc(2 * (size_t)mesh.nodes + 1, sizeof *velocity);
  pc_fe_collision *collision = NULL;
  pc_fe_answer answer = {0};
  if (status == PC_OK && velocity != NULL) {
    pc_fe_medium water = {pc_fe_mesh_find_group(&mesh, "water", 2), true, 1000, 0.25, 0};
    pc_fe_body diver = {.mass = 100, .inertia = 8};
    pc_fe_contact contact[2] = {{.sides = pc_fe_mesh_find_group(&mesh, "diver", 1),
                                 .other = -1,
                                 .body = 0,
                                 .normal = 1,
                                 .tangential = 1,
                                 .condition = PC_FE_UNILATERAL},
                                {.sides = pc_fe_mesh_find_group(&mesh, "wall", 1),
                                 .other = -1,
                                 .body = -1,
                                 .normal = 1,
                                 .tangential = 1,
                                 .condition = PC_FE_UNILATERAL}};
    collision = pc_fe_collision_create(&(pc_fe_collision_def){.mesh = &mesh,
                                                              .media = 1,
                                                              .medium = &water,
                                                              .bodies = 1,
                                                              .body = &diver,
                                                              .contacts = 2,
                                                              .contact = contact},
                                       &error);
    status = collision == NULL
                 ? error.status
                 : pc_fe_collision_solve(collision, velocity, (const double[][3]){{0, -4.47, 0}},
                                         &answer, &error);
  }
  if (status != PC_OK || velocity == NULL)
    bench_failed(context, status != PC_OK ? error.text : "not enough memory");
  else if (!answer.solved || !answer.account.closed)
    bench_failed(context, "a collision was not solved");
  else
    show(context, &answer, processor_seconds() - start, bench_most_memory());
  pc_fe_collision_destroy(collision);
  pc_fe_mesh_free(&mesh);
  free(velocity);
}

void bench_continuum(pc_bench_context *context)
{
  measure(context, 24);
  measure(context, 74);
  if (!bench_is_quick(context))
    measure(context, 236);
}
