// Laws of interactions, as every kind of file writes them.
#include "scene/laws.h"

#include <string.h>

#include "core/small.h"

// 0 where the law has no such key.
static double number_of(pc_node law, const char *key)
{
  return pc_has_key(law, key) ? pc_read_number(pc_get(law, key)) : 0;
}

void pc_read_normal_law(pc_node node, const char *what, pc_normal_law *law)
{
  memset(law, 0, sizeof *law);
  if (pc_read_variant(&node, what, "kind") < 0)
    return;
  law->kind = (pc_normal_kind)node.mapping->value;
  law->k = number_of(node, "k");
  law->p = number_of(node, "p");
  law->k0 = number_of(node, "k0");
  law->u_lim = number_of(node, "u_lim");
  law->e = number_of(node, "e");
}

static void read_coulomb(pc_node node, int space, pc_coulomb_on otherwise, pc_tangential_law *law)
{
  pc_node mu = pc_get(node, "mu"), axis = pc_get(node, "axis"), on = pc_get(node, "on");
  pc_node rolling = pc_get(node, "rolling");
  if (pc_is_present(rolling)) {
    law->rolling = pc_read_number(rolling);
    law->rolls = law->rolling > 0;
  }
  static const pc_coulomb_on ons[] = {PC_ON_MEAN, PC_ON_AFTER, PC_ON_MOREAU};
  law->on = otherwise;
  if (pc_is_present(on)) {
    int word = pc_read_word(on);
    law->on = word >= 0 ? ons[word] : otherwise;
  }
  if (!pc_is_sequence(mu)) {
    law->mu[0] = law->mu[1] = pc_read_number(mu);
    if (pc_is_present(axis))
      pc_complain(axis, "an axis needs two coefficients: mu: [mu1, mu2]");
    return;
  }
  pc_read_vector(mu, 2, 2, law->mu);
  if (space != 3)
    pc_complain(mu, "two coefficients of friction need bodies in space (dof 6)");
  if (!pc_is_present(axis))
    pc_complain(mu, "mu: [mu1, mu2] needs an axis, along which mu1 acts");
  law->anisotropic = true;
  pc_read_vector(axis, 3, 3, law->axis);
  if (!pc_failed(axis) && pc_norm(3, law->axis) == 0)
    pc_complain(axis, "the axis has length zero");
}

static void read_tangential_law(pc_node node, int space, const pc_normal_law *normal,
                                pc_coulomb_on otherwise, pc_tangential_law *law)
{
  memset(law, 0, sizeof *law);
  if (!pc_is_present(node))
    return;
  if (pc_read_variant(&node, "a tangential law", "kind") < 0)
    return;
  pc_node kind = pc_get(node, "kind");
  law->kind = (pc_tangential_kind)node.mapping->value;
  if (law->kind != PC_TANGENTIAL_NONE && space == 1)
    pc_complain(kind, "bodies with dof 1 have no tangential velocity: use 'none'");
  if (law->kind == PC_TANGENTIAL_VISCOUS)
    law->k = pc_read_number(pc_get(node, "k"));
  if (law->kind == PC_TANGENTIAL_COULOMB) {
    if (normal->kind == PC_NORMAL_BILATERAL)
      pc_complain(kind, "coulomb needs a contact that can open, and its normal law is bilateral");
    read_coulomb(node, space, otherwise, law);
  }
}

void pc_read_contact_law(pc_node node, int space, pc_coulomb_on otherwise, pc_law *law)
{
  pc_read_normal_law(pc_get(node, "normal"), "a normal law", &law->normal);
  read_tangential_law(pc_get(node, "tangential"), space, &law->normal, otherwise, &law->tangential);
}
