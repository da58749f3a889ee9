// Finite elements as an impact problem: nodes are bodies that are coupled by mass, strain rates at
// the points of a quadrature are interactions.
#include "support.h"

#include "continuum/assembly.h"
#include "percuss/impact.h"

enum { CELLS = 16 };
static const double DENSITY = 1000, VISCOSITY = 500;

static void add_masses(pc_impact *problem, const pc_block_matrix *mass)
{
  for (int i = 0; i < mass->rows; i++) {
    pc_impact_body body = pc_impact_body_default();
    body.dof = 1;
    body.velocity[0] = -1;
    body.matrix = mass->value + mass->offset[mass->row[i + 1] - 1];
    assert_int_equal(pc_impact_add_body(problem, &body), i);
  }
  for (int i = 0; i < mass->rows; i++)
    for (int k = mass->row[i]; k < mass->row[i + 1] - 1; k++)
      assert_int_equal(
          pc_impact_couple_mass(problem, i, mass->column[k], mass->value + mass->offset[k]), PC_OK);
}

// The stress 2 k D(U+ + U-) is 4 k D of the mean velocity.
static void add_strains(pc_impact *problem, const pc_fe_mesh *mesh)
{
  for (int e = 0; e < mesh->body.count; e++) {
    double node[PC_ELEMENT_NODES_MAX][3];
    pc_fe_mesh_corners(mesh, &mesh->body, e, node);
    pc_quadrature rule;
    assert_true(pc_quadrature_make(&rule, PC_LINE3, 2));
    for (int k = 0; k < rule.points; k++) {
      pc_element_point p;
      pc_element_map(PC_LINE3, (const double(*)[3])node, rule.at[k], &p);
      pc_row_term term[3];
      for (int a = 0; a < 3; a++)
        term[a] = (pc_row_term){mesh->body.node[mesh->body.cell[e].first + a], p.gradient[a]};
      pc_interaction strain = pc_interaction_default(PC_ROWS);
      strain.rows = 1;
      strain.terms = 3;
      strain.term = term;
      strain.law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC,
                                          .k = 4 * VISCOSITY * rule.weight[k] * p.determinant};
      assert_true(pc_impact_add_interaction(problem, &strain) >= 0);
    }
  }
}

// The bar of book 7.6.1 in one dimension, length 1 and speed 1, on a rigid support with k_ls. With
// m* = sqrt(2 k rho) tanh(L / l), l = sqrt(2 k / rho) = 1:
// k_ls <= m*: U+(0) = 0, U+(L) = -1 + 1 / cosh 1, and the support reacts with m* - k_ls;
// k_ls > m*: U+(x) = -1 + B cosh(1 - x), B = 2 k_ls / (k_ls cosh 1 + 1000 sinh 1).
static void a_bar_falls_on_a_support(void **state)
{
  for (int stiff = 0; stiff < 2; stiff++) {
    double support = stiff ? 2000 : 500, x[CELLS + 1];
    pc_error error = {0};
    pc_fe_mesh mesh = pc_fe_mesh_empty(1);
    pc_fe_grade(0, 1, CELLS, 1, x);
    pc_fe_mesh_add_line(&mesh, CELLS, x, "bar", "foot", NULL);
    assert_int_equal(pc_fe_mesh_quadratic(&mesh, true, &error), PC_OK);
    pc_fe_space space;
    pc_block_matrix mass;
    assert_int_equal(pc_fe_space_create(&space, &mesh, 1, NULL, 0, NULL, &error), PC_OK);
    assert_int_equal(pc_fe_space_matrix(&space, &mass, &error), PC_OK);
    pc_fe_add_terms(&space, -1, &(pc_fe_terms){.mass = DENSITY}, &mass);

    pc_impact *problem = pc_impact_create();
    assert_non_null(problem);
    add_masses(problem, &mass);
    add_strains(problem, &mesh);
    pc_interaction contact = pc_interaction_default(PC_ROWS);
    const double one = 1;
    contact.rows = contact.terms = 1;
    contact.term = &(pc_row_term){0, &one};
    contact.unilateral = true;
    contact.law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = 2 * support};
    int at = pc_impact_add_interaction(problem, &contact);
    assert_true(at >= 0);
    pc_solve_options options = pc_solve_options_default();
    pc_solve_info info;
    if (pc_impact_solve(problem, &options, &info) != PC_OK)
      fail_msg("%s", pc_impact_error(problem));
    assert_int_equal(info.status, PC_SOLVED);
    assert_true(info.audit.closed);

    double b = stiff ? 2 * support / (support * cosh(1) + 1000 * sinh(1)) : 1 / cosh(1);
    for (int i = 0; i < mesh.nodes; i++) {
      double after;
      pc_impact_velocity(problem, i, &after);
      assert_near(after, -1 + b * cosh(1 - mesh.node[i][0]), 1e-7);
    }
    pc_interaction_answer answer;
    pc_impact_answer(problem, at, &answer);
    assert_near(answer.reaction, stiff ? 0 : 500 - 1000 * tanh(1), 1e-3);
    // Energy lost, from the closed form by hand (per square metre).
    assert_near(info.audit.kinetic_before - info.audit.kinetic_after, stiff ? 483.3972 : 466.2020,
                1e-4);
    pc_impact_destroy(problem);
    pc_block_matrix_free(&mass);
    pc_fe_space_free(&space);
    pc_fe_mesh_free(&mesh);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bar_falls_on_a_support),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
