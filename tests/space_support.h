// A mesh with the group "body", its unknowns and a matrix over them.
#ifndef PERCUSS_TESTS_SPACE_SUPPORT_H
#define PERCUSS_TESTS_SPACE_SUPPORT_H

#include "support.h"

#include "continuum/assembly.h"

typedef struct setup {
  pc_fe_mesh mesh;
  pc_fe_space space;
  pc_block_matrix matrix;
  bool fluid;
} setup;

// Takes the mesh over.
static inline setup *make_setup(pc_fe_mesh mesh, bool fluid)
{
  setup *s = calloc(1, sizeof *s);
  assert_non_null(s);
  pc_error error = {0};
  bool groups[8] = {0};
  *s = (setup){.mesh = mesh, .fluid = fluid};
  groups[pc_fe_mesh_find_group(&s->mesh, "body", mesh.dimension)] = fluid;
  assert_ok(pc_fe_space_create(&s->space, &s->mesh, mesh.dimension, groups, 0, NULL, &error),
            &error);
  assert_ok(pc_fe_space_matrix(&s->space, &s->matrix, &error), &error);
  return s;
}

static inline void drop(setup *s)
{
  pc_block_matrix_free(&s->matrix);
  pc_fe_space_free(&s->space);
  pc_fe_mesh_free(&s->mesh);
  free(s);
}

static inline double *vector(const setup *s)
{
  double *x = calloc((size_t)s->space.numbers + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

#endif
