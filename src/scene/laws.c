// Laws of interactions, as every kind of file writes them.
#include "scene/laws.h"

#include <stdio.h>
#include <string.h>

#include "core/small.h"

// In the order of the enumerations of law.h, without `none`.
#define NORMAL_KINDS "inelastic quadratic power threshold penetrable restitution bilateral"
#define TANGENTIAL_KINDS "none viscous coulomb bilateral"

void pc_read_normal_law(pc_node node, const char *what, const char *kinds, pc_normal_law *law)
{
  static const struct {
    const char *name, *keys;
    pc_normal_kind kind;
  } known[] = {
      {"inelastic", "kind!", PC_NORMAL_INELASTIC},
      {"quadratic", "kind! k!", PC_NORMAL_QUADRATIC},
      {"power", "kind! k! p!", PC_NORMAL_POWER},
      {"threshold", "kind! k! k0! u_lim!", PC_NORMAL_THRESHOLD},
      {"penetrable", "kind! k! k0!", PC_NORMAL_PENETRABLE},
      {"restitution", "kind! e!", PC_NORMAL_RESTITUTION},
      {"bilateral", "kind!", PC_NORMAL_BILATERAL},
  };
  memset(law, 0, sizeof *law);
  pc_node kind = pc_get(node, "kind");
  if (!pc_is_mapping(node) || !pc_is_present(kind)) {
    pc_read_keys(node, what, "kind! k p k0 u_lim e");
    return;
  }
  if (pc_read_word(kind, "normal law", kinds) < 0)
    return;
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strcmp(pc_read_string(kind), known[i].name) != 0)
      continue;
    char law_name[60];
    snprintf(law_name, sizeof law_name, "the law '%s'", known[i].name);
    law->kind = known[i].kind;
    pc_read_keys(node, law_name, known[i].keys);
  }
  law->k = pc_read_number(pc_get(node, "k"), pc_at_least(0));
  law->p = pc_read_number(pc_get(node, "p"), pc_above(1));
  law->k0 = pc_read_number(pc_get(node, "k0"), pc_at_least(0));
  law->u_lim = pc_read_number(pc_get(node, "u_lim"), pc_at_least(0));
  law->e = pc_read_number(pc_get(node, "e"), pc_between(0, 1));
}

static void read_coulomb(pc_node node, int space, pc_coulomb_on otherwise, pc_tangential_law *law)
{
  pc_node mu = pc_get(node, "mu"), axis = pc_get(node, "axis"), on = pc_get(node, "on");
  static const pc_coulomb_on ons[] = {PC_ON_MEAN, PC_ON_AFTER, PC_ON_MOREAU};
  law->on = otherwise;
  if (pc_is_present(on)) {
    int word = pc_read_word(on, "velocity for Coulomb's law", "mean after moreau");
    law->on = word >= 0 ? ons[word] : otherwise;
  }
  if (!pc_is_sequence(mu)) {
    law->mu[0] = law->mu[1] = pc_read_number(mu, pc_at_least(0));
    if (pc_is_present(axis))
      pc_complain(axis, "an axis needs two coefficients: mu: [mu1, mu2]");
    return;
  }
  pc_read_vector(mu, 2, 2, pc_at_least(0), law->mu);
  if (space != 3)
    pc_complain(mu, "two coefficients of friction need bodies in space (dof 6)");
  if (!pc_is_present(axis))
    pc_complain(mu, "mu: [mu1, mu2] needs an axis, along which mu1 acts");
  law->anisotropic = true;
  pc_read_vector(axis, 3, 3, pc_any(), law->axis);
  if (!pc_failed(axis) && pc_norm(3, law->axis) == 0)
    pc_complain(axis, "the axis has length zero");
}

static void read_tangential_law(pc_node node, int space, const pc_normal_law *normal,
                                pc_coulomb_on otherwise, pc_tangential_law *law)
{
  memset(law, 0, sizeof *law);
  if (!pc_is_present(node))
    return;
  pc_node kind = pc_get(node, "kind");
  if (!pc_is_mapping(node) || !pc_is_present(kind)) {
    pc_read_keys(node, "a tangential law", "kind! k mu on axis");
    return;
  }
  static const struct {
    pc_tangential_kind kind;
    const char *name, *keys;
  } known[] = {
      {PC_TANGENTIAL_NONE, "the law 'none'", "kind!"},
      {PC_TANGENTIAL_VISCOUS, "the law 'viscous'", "kind! k!"},
      {PC_TANGENTIAL_COULOMB, "the law 'coulomb'", "kind! mu! on axis"},
      {PC_TANGENTIAL_BILATERAL, "the law 'bilateral'", "kind!"},
  };
  int word = pc_read_word(kind, "tangential law", TANGENTIAL_KINDS);
  if (word < 0 || !pc_read_keys(node, known[word].name, known[word].keys))
    return;
  law->kind = known[word].kind;
  if (law->kind != PC_TANGENTIAL_NONE && space == 1)
    pc_complain(kind, "bodies with dof 1 have no tangential velocity: use 'none'");
  if (law->kind == PC_TANGENTIAL_VISCOUS)
    law->k = pc_read_number(pc_get(node, "k"), pc_at_least(0));
  if (law->kind == PC_TANGENTIAL_COULOMB) {
    if (normal->kind == PC_NORMAL_BILATERAL)
      pc_complain(kind, "coulomb needs a contact that can open, and its normal law is bilateral");
    read_coulomb(node, space, otherwise, law);
  }
}

void pc_read_contact_law(pc_node node, int space, pc_coulomb_on otherwise, pc_law *law)
{
  pc_read_normal_law(pc_get(node, "normal"), "a normal law", NORMAL_KINDS, &law->normal);
  read_tangential_law(pc_get(node, "tangential"), space, &law->normal, otherwise, &law->tangential);
}
