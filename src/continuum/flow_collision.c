// The collisions that a flow consists of.
#include <string.h>

#include "continuum/flow_state.h"

static void add_contact(pc_fe_flow *f, int of, pc_fe_contact contact)
{
  contact.other = -1;
  f->contact_of[f->contacts] = of;
  f->contact[f->contacts++] = contact;
}

static void add_walls(pc_fe_flow *f, pc_flow_kind kind, double h)
{
  for (int i = 0; i < f->def.contacts; i++) {
    const pc_fe_flow_contact *from = &f->def.contact[i];
    if (from->body >= 0)
      continue;
    const pc_flow_wall *wall = &f->wall[i];
    add_contact(f, i,
                (pc_fe_contact){.sides = from->sides,
                                .body = -1,
                                .normal = kind == PC_FLOW_STRIKE ? from->normal : 0,
                                .tangential = kind == PC_FLOW_STEP     ? h / 2 * from->drag
                                              : kind == PC_FLOW_STRIKE ? from->tangential
                                                                       : 0,
                                .condition = wall->hold < 0 ? PC_FE_BILATERAL : PC_FE_LOOSE,
                                .direction = {wall->normal[0], wall->normal[1]}});
  }
}

// Nodes that rest on bodies, and in a collision those that are struck. N is that of the face, as is
// the way of these nodes (flow_follow.c). In a step N turns with the face: were w+_N <= 0 asked
// for, with N of the middle, w-_N would be of the order of the step and the reaction would work on
// it. Nodes that came to rest in this step lose their approach.
static void add_bodies(pc_fe_flow *f, pc_flow_kind kind, double h, const double (*place)[3])
{
  for (int i = 0; i < f->def.contacts; i++) {
    const pc_fe_flow_contact *from = &f->def.contact[i];
    int rounds = from->body < 0 ? 0 : kind == PC_FLOW_STRIKE ? 2 : 1;
    for (int strikes = 0; strikes < rounds; strikes++) {
      const char *mark = (strikes ? f->struck : f->closed) + pc_flow_mark(f, i, 0);
      const char *lasts = f->lasts + pc_flow_mark(f, i, 0);
      if (memchr(mark, 1, (size_t)f->mesh.nodes) == NULL)
        continue;
      pc_flow_face face = pc_flow_face_of(f, i, place);
      add_contact(f, i,
                  (pc_fe_contact){.sides = f->free_group,
                                  .body = from->body,
                                  .normal = strikes ? from->normal : 0,
                                  .tangential = strikes                ? from->tangential
                                                : kind == PC_FLOW_STEP ? h / 2 * from->drag
                                                                       : 0,
                                  .condition = PC_FE_UNILATERAL,
                                  .direction = {-face.normal[0], -face.normal[1]},
                                  .lumped = true,
                                  .touching = mark,
                                  .lasting = kind == PC_FLOW_STEP ? lasts : NULL});
    }
  }
}

pc_status pc_flow_collision(pc_fe_flow *f, pc_flow_kind kind, double h, const double (*x)[3],
                            const double (*place)[3], pc_error *error)
{
  bool step = kind == PC_FLOW_STEP;
  memcpy(f->mesh.node, x, (size_t)f->mesh.nodes * sizeof *x);
  for (int b = 0; b < f->def.bodies; b++)
    memcpy(f->body[b].centre, place[b], 2 * sizeof *f->body[b].centre);
  f->medium.strain = step ? h / 2 * f->def.viscosity : kind == PC_FLOW_STRIKE ? f->def.strain : 0;
  f->contacts = 0;
  if (step && f->weight > 0 && f->spines > 0)
    add_contact(f, -1,
                (pc_fe_contact){.sides = f->free_group,
                                .body = -1,
                                .normal = pc_flow_spring(f, h),
                                .condition = PC_FE_LOOSE});
  add_walls(f, kind, h);
  if (kind != PC_FLOW_PROJECT)
    add_bodies(f, kind, h, place);
  pc_fe_collision_def def = {.mesh = &f->mesh,
                             .media = 1,
                             .bodies = f->def.bodies,
                             .contacts = f->contacts,
                             .holds = f->holds,
                             .medium = &f->medium,
                             .body = f->body,
                             .contact = f->contact,
                             .hold = f->hold,
                             .load = step ? f->load : NULL,
                             .body_load = step ? (const double(*)[PC_FE_BODY])f->body_load : NULL,
                             .mean = step,
                             .tolerance = f->def.tolerance};
  pc_error own = {0};
  error = error != NULL ? error : &own;
  if (f->collision != NULL)
    return pc_fe_collision_renew(f->collision, &def, error);
  f->collision = pc_fe_collision_create(&def, error);
  return f->collision != NULL ? PC_OK : error->status;
}
