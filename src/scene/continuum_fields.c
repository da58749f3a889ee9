// A `kind: continuum` file in the hands of a C caller: its nodes, integrals of its fields, and its
// motion step by step.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "scene/continuum_solve.h"

pc_continuum_nodes pc_continuum_before(const pc_continuum *c)
{
  if (c == NULL)
    return (pc_continuum_nodes){0};
  bool heated = c->thermal.media > 0;
  return (pc_continuum_nodes){.dimension = c->mesh.dimension,
                              .count = c->mesh.nodes,
                              .place = (const double(*)[3])c->mesh.node,
                              .velocity = c->velocity,
                              .temperature = heated ? c->temperature : NULL,
                              .fraction = heated ? c->fraction : NULL};
}

// Whether an answer has the velocities and pressures of the nodes of this continuum.
static bool fits(const pc_continuum *c, const pc_continuum_answer *answer)
{
  return answer != NULL && answer->velocity != NULL && answer->pressure != NULL &&
         answer->dimension == c->mesh.dimension && answer->nodes == c->mesh.nodes;
}

void pc_continuum_integrate(const pc_continuum *c, const pc_continuum_answer *answer,
                            pc_continuum_visitor *visit, void *context)
{
  if (c == NULL || visit == NULL || !fits(c, answer))
    return;
  const pc_fe_mesh *mesh = &c->mesh;
  for (int e = 0; e < mesh->body.count; e++) {
    const pc_fe_cell *cell = &mesh->body.cell[e];
    double corner[PC_ELEMENT_NODES_MAX][3];
    int nodes = pc_fe_mesh_corners(mesh, &mesh->body, e, corner);
    const int *node = mesh->body.node + cell->first;
    pc_quadrature rule;
    pc_quadrature_make(&rule, cell->type, 9);
    for (int q = 0; q < rule.points; q++) {
      pc_element_point at;
      double velocity[3] = {0}, pressure = 0;
      pc_element_map(cell->type, (const double(*)[3])corner, rule.at[q], &at);
      for (int n = 0; n < nodes; n++) {
        for (int k = 0; k < mesh->dimension; k++)
          velocity[k] += at.value[n] * answer->velocity[mesh->dimension * node[n] + k];
        pressure += at.value[n] * answer->pressure[node[n]];
      }
      visit(context, at.x, rule.weight[q] * at.determinant, velocity, pressure);
    }
  }
}

pc_status pc_continuum_start_motion(const pc_continuum *c, const pc_continuum_answer *collision,
                                    pc_fe_motion **motion, pc_error *error)
{
  if (c->alloys && !(collision->solved && collision->closed))
    return pc_fail(error, PC_ERROR_NUMERIC, "the collision was not solved: residuals %.1e and %.1e",
                   collision->residual, collision->heat.residual);
  *motion = pc_fe_motion_create(&c->motion, error);
  if (*motion == NULL)
    return error->status;
  pc_fe_thermal_state heat = {(double *)collision->temperature,
                              (double(*)[PC_FE_FRACTIONS])collision->fraction};
  return pc_fe_motion_set(*motion, c->displacement, c->alloys ? collision->velocity : c->velocity,
                          c->alloys ? &heat : NULL, error);
}

struct pc_continuum_motion {
  const pc_continuum *of;
  pc_continuum_answer answer; // of the collision at the start, if there is one
  pc_fe_motion *steps;        // of solids, or
  pc_fe_flow *flow;           // of a fluid
};

pc_status pc_continuum_start_flow(const pc_continuum *c, pc_fe_flow **flow, pc_error *error)
{
  *flow = pc_fe_flow_create(&c->flow, error);
  if (*flow == NULL)
    return error->status;
  return pc_fe_flow_set(*flow, c->velocity, NULL, (const double(*)[PC_FE_BODY])c->body_velocity,
                        error);
}

pc_continuum_motion *pc_continuum_motion_create(const pc_continuum *continuum, pc_error *error)
{
  if (continuum == NULL) {
    pc_fail_null(error, "the continuum");
    return NULL;
  }
  pc_error unheard;
  error = error != NULL ? error : &unheard;
  pc_continuum_motion *motion = calloc(1, sizeof *motion);
  if (motion == NULL) {
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    return NULL;
  }
  motion->of = continuum;
  pc_status status = PC_OK;
  if (!continuum->moves)
    status = pc_fail(error, PC_ERROR_ARGUMENT,
                     "the file has no 'duration', so it is a single collision");
  else if (continuum->alloys)
    status = pc_continuum_collide(continuum, 0, &motion->answer, error);
  if (status == PC_OK && continuum->flows)
    status = pc_continuum_start_flow(continuum, &motion->flow, error);
  else if (status == PC_OK)
    status = pc_continuum_start_motion(continuum, &motion->answer, &motion->steps, error);
  if (status == PC_OK)
    return motion;
  pc_continuum_motion_destroy(motion);
  return NULL;
}

void pc_continuum_motion_destroy(pc_continuum_motion *motion)
{
  if (motion == NULL)
    return;
  pc_fe_motion_destroy(motion->steps);
  pc_fe_flow_destroy(motion->flow);
  pc_continuum_answer_free(&motion->answer);
  free(motion);
}

pc_status pc_continuum_motion_step(pc_continuum_motion *motion, pc_error *error)
{
  if (motion == NULL)
    return pc_fail_null(error, "the motion");
  pc_error unheard;
  error = error != NULL ? error : &unheard;
  return motion->flow != NULL ? pc_fe_flow_advance(motion->flow, error)
                              : pc_fe_motion_advance(motion->steps, error);
}

pc_continuum_state pc_continuum_motion_state(const pc_continuum_motion *motion)
{
  if (motion == NULL)
    return (pc_continuum_state){0};
  if (motion->flow != NULL) {
    pc_fe_flow_state now = pc_fe_flow_look(motion->flow);
    return (pc_continuum_state){.time = now.time,
                                .steps = now.steps,
                                .displacement = now.displacement,
                                .velocity = now.velocity,
                                .pressure = now.pressure};
  }
  pc_fe_motion_state now = pc_fe_motion_look(motion->steps);
  pc_continuum_state state = {.time = now.time,
                              .steps = now.steps,
                              .displacement = now.displacement,
                              .velocity = now.velocity,
                              .temperature = now.temperature,
                              .fraction = now.fraction};
  memcpy(state.fraction_mean, now.mean, sizeof state.fraction_mean);
  return state;
}

pc_continuum_balance pc_continuum_motion_balance(const pc_continuum_motion *motion)
{
  if (motion == NULL)
    return (pc_continuum_balance){0};
  if (motion->flow != NULL) {
    pc_fe_flow_account flow = pc_fe_flow_balance(motion->flow);
    return (pc_continuum_balance){.kinetic = flow.now.fluid + flow.now.bodies,
                                  .identity = flow.identity,
                                  .closed = flow.closed};
  }
  pc_fe_motion_account account = pc_fe_motion_balance(motion->steps);
  pc_continuum_balance balance = {.kinetic = account.now.kinetic,
                                  .pushes = account.pushes,
                                  .produced = account.alloy.produced,
                                  .produced_least = account.alloy.least,
                                  .identity = account.identity,
                                  .closed = account.closed};
  pc_fe_motion_state now = pc_fe_motion_look(motion->steps);
  balance.deforming =
      pc_fe_elastic_rigid(pc_fe_motion_elastic(motion->steps), now.large ? now.displacement : NULL,
                          now.velocity, balance.rigid);
  return balance;
}

static pc_continuum_mover body_on_fluid(const pc_fe_flow *flow, int body)
{
  pc_fe_flow_state now = pc_fe_flow_look(flow);
  const double *at = now.place[body], *v = now.body[body];
  return (pc_continuum_mover){.place = {at[0], at[1]},
                              .orientation = {pc_cos(at[2] / 2), 0, 0, pc_sin(at[2] / 2)},
                              .velocity = {v[0], v[1]},
                              .spin = {0, 0, v[2]}};
}

pc_continuum_mover pc_continuum_motion_body(const pc_continuum_motion *motion, int body)
{
  if (motion == NULL || body < 0 || body >= motion->of->def.bodies)
    return (pc_continuum_mover){.orientation = {1}};
  if (motion->flow != NULL)
    return body_on_fluid(motion->flow, body);
  pc_fe_motion_state now = pc_fe_motion_look(motion->steps);
  const pc_fe_body_state *s = &now.body[body];
  pc_continuum_mover to;
  memcpy(to.place, s->place, sizeof to.place);
  memcpy(to.orientation, s->attitude, sizeof to.orientation);
  memcpy(to.velocity, s->velocity, sizeof to.velocity);
  memcpy(to.spin, s->spin, sizeof to.spin);
  return to;
}

pc_continuum_ground pc_continuum_motion_contact(const pc_continuum_motion *motion, int contact)
{
  if (motion == NULL || contact < 0 || contact >= motion->of->def.contacts)
    return (pc_continuum_ground){0};
  if (motion->flow != NULL) {
    const pc_fe_flow_state flow = pc_fe_flow_look(motion->flow);
    const pc_fe_flow_touch *touch = &flow.touch[contact];
    return (pc_continuum_ground){.closed = touch->closed,
                                 .collisions = touch->collisions,
                                 .fresh = touch->fresh,
                                 .percussion = {touch->percussion[0], touch->percussion[1]}};
  }
  pc_fe_motion_state now = pc_fe_motion_look(motion->steps);
  const pc_fe_wall_state *wall = &now.wall[motion->of->motion_contact[contact]];
  return (pc_continuum_ground){.closed = wall->closed,
                               .collisions = wall->collisions,
                               .fresh = wall->fresh,
                               .percussion = {wall->percussion[0], wall->percussion[1]}};
}
