// The laws of an impact problem: few, checked once, with what the solvers ask of them.
#include <math.h>

#include "impact/bulk.h"
#include "impact/laws/law.h"
#include "impact/stating.h"

static const char *check_law(pc_interaction_type type, const pc_law *law)
{
  const pc_normal_law *normal = &law->normal;
  const pc_tangential_law *tangential = &law->tangential;
  const pc_row_ops *ops = pc_row_ops_of(normal->kind);
  if (type != PC_CONTACT && type != PC_DISTANCE && type != PC_SPIN && type != PC_ROWS)
    return "unknown type of interaction";
  bool elastic_only = normal->kind == PC_NORMAL_QUADRATIC || normal->kind == PC_NORMAL_BILATERAL;
  if (ops == NULL && type != PC_ROWS)
    return "the interaction has no law";
  const char *why = ops == NULL ? NULL : ops->check(normal);
  if (why != NULL)
    return why;
  if (type == PC_SPIN && !elastic_only)
    return "a spin interaction needs a quadratic or a bilateral law";
  if (type == PC_DISTANCE && !elastic_only && normal->kind != PC_NORMAL_POWER)
    return "a distance interaction needs a quadratic, power or bilateral law";
  if (type == PC_DISTANCE || type == PC_SPIN)
    return tangential->kind == PC_TANGENTIAL_NONE ? NULL
                                                  : "only a contact can have a tangential law";
  switch (tangential->kind) {
  case PC_TANGENTIAL_NONE:
  case PC_TANGENTIAL_BILATERAL:
    return NULL;
  case PC_TANGENTIAL_VISCOUS:
    return tangential->k >= 0 && isfinite(tangential->k)
               ? NULL
               : "the tangential k must be finite and not negative";
  case PC_TANGENTIAL_COULOMB:
    if (ops == NULL || normal->kind == PC_NORMAL_BILATERAL)
      return "coulomb needs a unilateral normal law";
    for (int i = 0; i < (tangential->anisotropic ? 2 : 1); i++)
      if (!(tangential->mu[i] >= 0 && isfinite(tangential->mu[i])))
        return "mu must be finite and not negative";
    if (tangential->on != PC_ON_MEAN && tangential->on != PC_ON_AFTER &&
        tangential->on != PC_ON_MOREAU)
      return "unknown sliding velocity of Coulomb's law";
    if (tangential->rolls && !(tangential->rolling >= 0 && isfinite(tangential->rolling)))
      return "the coefficient of rolling friction must be finite and not negative";
    return NULL;
  default:
    return "unknown tangential law";
  }
}

// What the audit of many contacts at a time asks for, in the order of audit_kernels.h.
static void set_balance(const pc_law *law, double *balance)
{
  const pc_tangential_law *tangential = &law->tangential;
  bool bounces = law->normal.kind == PC_NORMAL_RESTITUTION;
  bool rubs = tangential->kind == PC_TANGENTIAL_COULOMB;
  bool restitution = rubs && bounces && tangential->on == PC_ON_MOREAU;
  bool friction = rubs && !restitution && tangential->on != PC_ON_MEAN;
  balance[0] = bounces ? law->normal.e : 0;
  balance[1] = law->normal.kind == PC_NORMAL_QUADRATIC ? law->normal.k : 0;
  balance[2] = tangential->kind != PC_TANGENTIAL_NONE;
  balance[3] = !restitution && !friction;
  balance[4] = friction;
  balance[5] = restitution;
}

static bool same_law(const pc_law *a, const pc_law *b)
{
  const pc_normal_law *n = &a->normal, *m = &b->normal;
  const pc_tangential_law *s = &a->tangential, *t = &b->tangential;
  return n->kind == m->kind && n->k == m->k && n->p == m->p && n->k0 == m->k0 &&
         n->u_lim == m->u_lim && n->e == m->e && s->kind == t->kind && s->k == t->k &&
         s->mu[0] == t->mu[0] && s->mu[1] == t->mu[1] && s->anisotropic == t->anisotropic &&
         s->axis[0] == t->axis[0] && s->axis[1] == t->axis[1] && s->axis[2] == t->axis[2] &&
         s->on == t->on && s->rolls == t->rolls && s->rolling == t->rolling;
}

// It is checked once; the last ones are tried first.
int pc_impact_find_law(pc_impact *problem, pc_interaction_type type, const pc_law *law)
{
  for (int i = problem->law.count - 1; i >= 0 && i >= problem->law.count - 16; i--)
    if (problem->law.at[i].type == type && same_law(&problem->law.at[i].law, law))
      return i;
  const char *why = check_law(type, law);
  if (why != NULL)
    return pc_impact_refuse(problem, why);
  if (!pc_array_reserve(&problem->law, problem->law.count + 1))
    return pc_impact_no_memory(problem);
  const pc_normal_law *normal = &law->normal;
  const pc_tangential_law *tangential = &law->tangential;
  pc_law_data data = {.law = *law, .type = type};
  data.row.ops = pc_row_ops_of(normal->kind);
  if (data.row.ops != NULL)
    data.row.ops->scale(&data.row, normal, 1, 1);
  data.row.equality = normal->kind == PC_NORMAL_BILATERAL;
  bool rubs = tangential->kind == PC_TANGENTIAL_COULOMB;
  bool drags = tangential->kind == PC_TANGENTIAL_VISCOUS;
  data.packable = type == PC_CONTACT &&
                  (normal->kind == PC_NORMAL_INELASTIC || normal->kind == PC_NORMAL_RESTITUTION ||
                   normal->kind == PC_NORMAL_QUADRATIC) &&
                  (tangential->kind == PC_TANGENTIAL_NONE || drags ||
                   (rubs && !tangential->anisotropic && !tangential->rolls));
  data.linear = type == PC_ROWS && normal->kind == PC_NORMAL_QUADRATIC &&
                (tangential->kind == PC_TANGENTIAL_NONE || drags);
  data.extra =
      normal->kind == PC_NORMAL_QUADRATIC || drags || (rubs && tangential->on != PC_ON_AFTER);
  set_balance(law, data.balance);
  problem->law.at[problem->law.count] = data;
  return problem->law.count++;
}

int pc_impact_add_law(pc_impact *problem, const pc_law *law)
{
  return pc_impact_find_law(problem, PC_CONTACT, law);
}
