// Laws of interactions, as every kind of file writes them.
#include "scene/laws.h"

#include <string.h>

#include "core/elementary.h"
#include "core/small.h"

#define NORMAL_KIND(word_) PC_TAG("kind", word_, "normal law")
#define TANGENTIAL_KIND(word_) PC_TAG("kind", word_, "tangential law")

#define K_KEY(unit_, meaning_)                                                                     \
  {                                                                                                \
    PC_KEY(pc_normal_law, k), PC_A_NUMBER, true, .unit = unit_, PC_NOT_NEGATIVE,                   \
                                                 .meaning = meaning_                               \
  }
#define P_KEY                                                                                      \
  {                                                                                                \
    PC_KEY(pc_normal_law, p), PC_A_NUMBER, true, .range = {.kind = PC_ABOVE, .low = 1},            \
                                                 .meaning = "exponent"                             \
  }
#define K_OF_CONTACT K_KEY("kg", "coefficient: P = k D on the mean velocity")
#define K0_OF_CONTACT                                                                              \
  {                                                                                                \
    PC_KEY(pc_normal_law, k0), PC_A_NUMBER, true,                                                  \
        .unit = "N s", PC_NOT_NEGATIVE,                                                            \
        .meaning = "part of the impulse that does not depend on the velocity"                      \
  }

static const pc_mapping inelastic = {"inelastic", "the law 'inelastic'",
                                     "No rebound (pseudo-potential 0). The normal velocity after "
                                     "the impact is at least 0, or at least the bound.",
                                     .keys = {(const pc_key[]){NORMAL_KIND("inelastic"), {0}}},
                                     .value = PC_NORMAL_INELASTIC};

static const pc_mapping quadratic = {
    "quadratic", "the law 'quadratic'",
    "Pseudo-potential k X²/2, with X the mean of the normal velocities before and after.",
    .keys = {(const pc_key[]){NORMAL_KIND("quadratic"), K_OF_CONTACT, {0}}},
    .value = PC_NORMAL_QUADRATIC};

static const pc_mapping power = {
    "power", "the law 'power'", "Pseudo-potential (k/p) |X|^p.",
    .keys = {(const pc_key[]){
        NORMAL_KIND("power"), K_KEY("N s (s/m)^(p-1)", "coefficient"), P_KEY, {0}}},
    .value = PC_NORMAL_POWER};

static const pc_key threshold_keys[] = {NORMAL_KIND("threshold"),
                                        K_OF_CONTACT,
                                        K0_OF_CONTACT,
                                        {PC_KEY(pc_normal_law, u_lim), PC_A_NUMBER, true,
                                         .unit = "m/s", PC_NOT_NEGATIVE,
                                         .meaning = "speed below which nothing is dissipated"},
                                        {0}};
static const pc_mapping threshold = {"threshold", "the law 'threshold'",
                                     "Pseudo-potential k0 np(X + u_lim) + k np(X + u_lim)²/2 with "
                                     "np(x) = max(−x, 0), for example for a speed bump.",
                                     .keys = {threshold_keys}, .value = PC_NORMAL_THRESHOLD};

static const pc_mapping penetrable = {
    "penetrable", "the law 'penetrable'",
    "Pseudo-potential k0 np(X − D⁻/2) + k X²/2 without the unilateral condition, with D⁻ the "
    "normal velocity before. The body may pierce the obstacle.",
    .keys = {(const pc_key[]){NORMAL_KIND("penetrable"), K_OF_CONTACT, K0_OF_CONTACT, {0}}},
    .value = PC_NORMAL_PENETRABLE};

static const pc_key restitution_keys[] = {NORMAL_KIND("restitution"),
                                          {PC_KEY(pc_normal_law, e), PC_A_NUMBER, true,
                                           PC_FROM(0, 1), .meaning = "coefficient of restitution"},
                                          {0}};
static const pc_mapping restitution = {
    "restitution", "the law 'restitution'",
    "Moreau's law: the normal velocity after is at least −e times the one before.",
    .keys = {restitution_keys}, .value = PC_NORMAL_RESTITUTION};

static const pc_mapping bilateral = {
    "bilateral", "the law 'bilateral'",
    "The velocity after equals the bound: a connection that cannot open.",
    .keys = {(const pc_key[]){NORMAL_KIND("bilateral"), {0}}}, .value = PC_NORMAL_BILATERAL};

static const pc_mapping *const normal_laws[] = {&inelastic,  &quadratic,   &power,     &threshold,
                                                &penetrable, &restitution, &bilateral, NULL};
static const pc_mapping *const scene_normal_laws[] = {&inelastic,  &quadratic,   &power, &threshold,
                                                      &penetrable, &restitution, NULL};

static const pc_mapping distance_quadratic = {
    "distance_quadratic", "the law 'quadratic'", "Pseudo-potential k D²/2 of a distance.",
    .keys = {(const pc_key[]){
        NORMAL_KIND("quadratic"), K_KEY("kg/m²", "coefficient; ν in Frémond's book"), {0}}},
    .value = PC_NORMAL_QUADRATIC};
static const pc_mapping distance_power = {
    "distance_power", "the law 'power'", "Pseudo-potential (k/p) |D|^p of a distance.",
    .keys = {(const pc_key[]){
        NORMAL_KIND("power"), K_KEY("kg/s (s/m²)^(p-1)", "coefficient"), P_KEY, {0}}},
    .value = PC_NORMAL_POWER};
const pc_mapping *const pc_table_distance_laws[] = {&distance_quadratic, &distance_power,
                                                    &bilateral, NULL};

static const pc_mapping spin_quadratic = {
    "spin_quadratic", "the law 'quadratic'", "Pseudo-potential k D²/2 of a difference of spins.",
    .keys = {(const pc_key[]){NORMAL_KIND("quadratic"), K_KEY("kg m²", "coefficient"), {0}}},
    .value = PC_NORMAL_QUADRATIC};
const pc_mapping *const pc_table_spin_laws[] = {&spin_quadratic, &bilateral, NULL};

void pc_read_normal_law(pc_node node, const char *what, pc_normal_law *law)
{
  memset(law, 0, sizeof *law);
  if (pc_bind_variant(&node, what, "kind", law) >= 0)
    law->kind = (pc_normal_kind)node.mapping->value;
}

static const pc_mapping none = {"none", "the law 'none'", "No friction.",
                                .keys = {(const pc_key[]){TANGENTIAL_KIND("none"), {0}}},
                                .value = PC_TANGENTIAL_NONE};

static const pc_key viscous_keys[] = {TANGENTIAL_KIND("viscous"),
                                      {PC_KEY(pc_tangential_law, k), PC_A_NUMBER, true,
                                       .unit = "kg", PC_NOT_NEGATIVE,
                                       .meaning = "coefficient: P = k D on the mean velocity"},
                                      {0}};
static const pc_mapping viscous = {
    "viscous", "the law 'viscous'",
    "P = k D, with D the mean of the tangential velocities before and after.",
    .keys = {viscous_keys}, .value = PC_TANGENTIAL_VISCOUS};

static const pc_key coulomb_keys[] = {
    TANGENTIAL_KIND("coulomb"),
    {PC_KEY(pc_tangential_law, mu), PC_A_NUMBER | PC_NUMBERS, true, PC_NOT_NEGATIVE,
     .count = {2, 2},
     .meaning =
         "coefficient of friction; `[mu1, mu2]` in space is an elliptic cone, with mu1 along "
         "`axis`"},
    {PC_KEY(pc_tangential_law, axis), PC_NUMBERS, .count = {3, 3},
     .left_out = "required with two coefficients", .meaning = "direction in which mu1 acts"},
    {PC_KEY(pc_tangential_law, rolling), PC_A_NUMBER, .unit = "m", PC_NOT_NEGATIVE,
     .left_out = "no rolling friction",
     .meaning = "coefficient of rolling friction: a moment impulse of at most `rolling` times the "
                "normal impulse opposes the relative spin perpendicular to the normal. A wheel or "
                "ball of radius R starts to roll on a slope of `rolling`/R"},
    {0}};
#define ON_KEY(otherwise_)                                                                         \
  {                                                                                                \
    PC_KEY(pc_tangential_law, on), PC_A_WORD,                                                      \
        .words = PC_WORDS({"mean", PC_ON_MEAN}, {"after", PC_ON_AFTER}, {"moreau", PC_ON_MOREAU}), \
        .noun = "velocity for Coulomb's law", .otherwise = otherwise_,                             \
        .meaning = "velocity that friction opposes: `mean` of before and after, `after`, or "      \
                   "`moreau`, the mean weighted with e"                                            \
  }
static const pc_mapping coulomb = {"coulomb", "the law 'coulomb'", "Coulomb's friction.",
                                   .keys = {coulomb_keys, (const pc_key[]){ON_KEY("mean"), {0}}},
                                   .value = PC_TANGENTIAL_COULOMB};
static const pc_mapping scene_coulomb = {
    "scene_coulomb", "the law 'coulomb'", "Coulomb's friction.",
    .keys = {coulomb_keys, (const pc_key[]){ON_KEY("after"), {0}}}, .value = PC_TANGENTIAL_COULOMB};

static const pc_mapping tied = {"tangential_bilateral", "the law 'bilateral'",
                                "The tangential velocity after is 0.",
                                .keys = {(const pc_key[]){TANGENTIAL_KIND("bilateral"), {0}}},
                                .value = PC_TANGENTIAL_BILATERAL};

static const pc_mapping *const tangential_laws[] = {&none, &viscous, &coulomb, &tied, NULL};
static const pc_mapping *const scene_tangential_laws[] = {&none, &viscous, &scene_coulomb, NULL};

static const double LARGEST_MU = 5; // rubber on rough rock has 1 to 2

static void check_coulomb(pc_node node, int space, pc_tangential_law *law)
{
  pc_node mu = PC_NODE(node, pc_tangential_law, mu), axis = PC_NODE(node, pc_tangential_law, axis);
  law->rolls = law->rolling > 0;
  law->anisotropic = pc_is_sequence(mu);
  if (!law->anisotropic && law->mu[0] > LARGEST_MU && law->mu[0] < 90)
    pc_warn(mu,
            "a coefficient of friction of %g is larger than that of any material; for a friction "
            "angle of %g degrees write its tangent, %.3g",
            law->mu[0], law->mu[0], pc_tan(law->mu[0] * 3.14159265358979323846 / 180));
  if (!law->anisotropic) {
    if (pc_is_present(axis))
      pc_complain(axis, "'axis' requires two coefficients, mu: [mu1, mu2]");
    return;
  }
  if (space != 3)
    pc_complain(mu, "two coefficients of friction require bodies in space (dof 6)");
  if (!pc_is_present(axis))
    pc_complain(mu, "mu: [mu1, mu2] requires 'axis', the direction in which mu1 acts");
  if (!pc_failed(axis) && pc_norm(3, law->axis) == 0)
    pc_complain(axis, "the axis must not be zero");
}

static void read_tangential_law(pc_node node, int space, const pc_normal_law *normal,
                                pc_tangential_law *law)
{
  memset(law, 0, sizeof *law);
  if (!pc_is_present(node) || pc_bind_variant(&node, "a tangential law", "kind", law) < 0)
    return;
  pc_node kind = pc_get(node, "kind");
  law->kind = (pc_tangential_kind)node.mapping->value;
  if (law->kind != PC_TANGENTIAL_NONE && space == 1)
    pc_complain(kind,
                "bodies with dof 1 have no tangential velocity: use the tangential law 'none'");
  if (law->kind != PC_TANGENTIAL_COULOMB)
    return;
  if (normal->kind == PC_NORMAL_BILATERAL)
    pc_complain(kind, "'coulomb' cannot be combined with the normal law 'bilateral'");
  check_coulomb(node, space, law);
}

static const pc_key contact_law_keys[] = {{PC_KEY(pc_law_file, normal), PC_A_MAPPING, true,
                                           .variants = normal_laws, .meaning = "normal law"},
                                          {PC_KEY(pc_law_file, tangential), PC_A_MAPPING,
                                           .variants = tangential_laws, .otherwise = "{kind: none}",
                                           .meaning = "tangential law"},
                                          {0}};
const pc_key pc_scene_law_keys[] = {{PC_KEY(pc_law_file, normal), PC_A_MAPPING, true,
                                     .variants = scene_normal_laws, .meaning = "normal law"},
                                    {PC_KEY(pc_law_file, tangential), PC_A_MAPPING,
                                     .variants = scene_tangential_laws, .otherwise = "{kind: none}",
                                     .meaning = "tangential law"},
                                    {0}};
const pc_mapping pc_table_contact_law = {"contact_law", "the law of a contact",
                                         "The law of a contact.", .keys = {contact_law_keys}};

void pc_read_contact_law(const pc_law_file *file, int space, pc_law *law)
{
  pc_read_normal_law(file->normal, "a normal law", &law->normal);
  read_tangential_law(file->tangential, space, &law->normal, &law->tangential);
}
