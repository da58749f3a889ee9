// Reading meshes of Gmsh: both versions, and files that are damaged.
#include "support.h"

#include "mesh_support.h"

#include <string.h>
#include <unistd.h>

#include "continuum/gmsh.h"

// Two squares side by side, the right one listed clockwise; the top in one physical group, the
// left side without a name, a point of the geometry that no element has.
static const char NEW_FORM[] =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n2\n1 7 \"free top\"\n2 3 \"water\"\n$EndPhysicalNames\n"
    "$Entities\n1 2 1 0\n"
    "1 0 0 0 0\n"
    "4 0 1 0 2 1 0 1 7 2 1 -2\n"
    "5 0 0 0 0 1 0 1 8 0\n"
    "9 0 0 0 2 1 0 1 3 0\n$EndEntities\n"
    "$Nodes\n2 7 1 70\n"
    "2 9 0 6\n10\n20\n30\n40\n50\n60\n"
    "0 0 0\n1 0 0\n2 0 0\n0 1 0\n1 1 0\n2 1 0\n"
    "0 1 0 1\n70\n9 9 0\n$EndNodes\n"
    "$Comments\nanything\n$EndComments\n"
    "$Elements\n4 6 1 6\n"
    "0 1 15 1\n1 70\n"
    "1 4 1 2\n2 40 50\n3 60 50\n"
    "1 5 1 1\n4 40 10\n"
    "2 9 3 2\n5 10 20 50 40\n6 20 50 60 30\n$EndElements\n";

static const char OLD_FORM[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n2\n1 7 \"free top\"\n2 3 \"water\"\n$EndPhysicalNames\n"
    "$Nodes\n6\n10 0 0 0\n20 1 0 0\n30 2 0 0\n40 0 1 0\n50 1 1 0\n60 2 1 0\n"
    "$EndNodes\n"
    "$Elements\n5\n"
    "2 1 2 7 4 40 50\n3 1 2 7 4 60 50\n4 1 2 8 5 40 10\n"
    "5 3 2 3 9 10 20 50 40\n6 3 2 3 9 20 50 60 30\n$EndElements\n";

static pc_status read_text(const char *text, size_t length, pc_fe_mesh *mesh, pc_error *error)
{
  char path[] = "/tmp/percuss_gmsh_XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(write(file, text, length), (long)length);
  close(file);
  pc_status status = pc_fe_mesh_read_gmsh(mesh, path, error);
  unlink(path);
  return status;
}

static pc_fe_mesh read_good(const char *text)
{
  pc_fe_mesh mesh;
  pc_error error = {0};
  if (read_text(text, strlen(text), &mesh, &error) != PC_OK)
    fail_msg("%s", error.text);
  return mesh;
}

static void both_versions_give_the_same_mesh(void **state)
{
  pc_fe_mesh mesh[2] = {read_good(NEW_FORM), read_good(OLD_FORM)};
  for (int k = 0; k < 2; k++) {
    pc_fe_mesh *m = &mesh[k];
    assert_int_equal(m->dimension, 2);
    assert_int_equal(m->nodes, 6);
    assert_int_equal(m->body.count, 2);
    assert_int_equal(m->side.count, 3);
    assert_true(pc_fe_mesh_find_group(m, "water", 2) >= 0);
    assert_true(pc_fe_mesh_find_group(m, "free top", 1) >= 0);
    assert_true(pc_fe_mesh_find_group(m, "8", 1) >= 0);
    assert_int_equal(pc_fe_mesh_check_conforming(m, 0, NULL, NULL), PC_OK);
    assert_int_equal(count_duplicates(m), 0);
    // the element is on the left of its sides: the top runs leftwards, the left side down
    for (int s = 0; s < 3; s++) {
      const int *node = m->side.node + m->side.cell[s].first;
      const double *a = m->node[node[0]], *b = m->node[node[1]];
      bool top = m->side.cell[s].group == pc_fe_mesh_find_group(m, "free top", 1);
      assert_near(b[0] - a[0], top ? -1 : 0, 0);
      assert_near(b[1] - a[1], top ? 0 : -1, 0);
    }
  }
  assert_int_equal(mesh[0].body.listed, mesh[1].body.listed);
  assert_memory_equal(mesh[0].body.node, mesh[1].body.node, 8 * sizeof(int));
  assert_memory_equal(mesh[0].node, mesh[1].node, 6 * sizeof mesh[0].node[0]);
  pc_fe_mesh_free(&mesh[0]);
  pc_fe_mesh_free(&mesh[1]);
}

static void quadratic_triangles_and_lines_are_read(void **state)
{
  pc_fe_mesh mesh = read_good("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n"
                              "1 0 0 0\n2 1 0 0\n3 0 1 0\n4 .5 -.1 0\n5 .5 .5 0\n6 0 .5 0\n"
                              "$EndNodes\n$Elements\n2\n1 9 0 1 2 3 4 5 6\n2 8 1 4 2 1 4\n"
                              "$EndElements\n");
  assert_int_equal(mesh.body.cell[0].type, PC_TRIANGLE6);
  assert_int_equal(mesh.side.cell[0].type, PC_LINE3);
  assert_true(pc_fe_mesh_find_group(&mesh, "", 2) >= 0);
  assert_near(mesh.node[mesh.side.node[0]][0], 0, 0); // turned round: from 1 to 2
  pc_fe_mesh_free(&mesh);
  mesh = read_good("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 2 0 0\n"
                   "$EndNodes\n$Elements\n3\n1 1 1 1 1 2\n2 1 1 1 2 3\n3 15 1 5 1\n$EndElements\n");
  assert_int_equal(mesh.dimension, 1);
  assert_int_equal(mesh.body.count, 2);
  assert_int_equal(mesh.side.count, 1);
  pc_fe_mesh_free(&mesh);
}

// A hexahedron of second order as Gmsh's manual numbers it: corners, edges (0,1) (0,3) (0,4) (1,2)
// (1,5) (2,3) (2,6) (3,7) (4,5) (4,7) (5,6) (6,7), faces z0, y0, x0, x1, y1, z1, centre; and its
// top. Any other order would be folded.
#define HEXAHEDRON                                                                                 \
  "1 0 0 0\n2 2 0 0\n3 2 2 0\n4 0 2 0\n5 0 0 2\n6 2 0 2\n7 2 2 2\n8 0 2 2\n"                       \
  "9 1 0 0\n10 0 1 0\n11 0 0 1\n12 2 1 0\n13 2 0 1\n14 1 2 0\n15 2 2 1\n16 0 2 1\n"                \
  "17 1 0 2\n18 0 1 2\n19 2 1 2\n20 1 2 2\n"
#define CENTRES "21 1 1 0\n22 1 0 1\n23 0 1 1\n24 2 1 1\n25 1 2 1\n26 1 1 2\n27 1 1 1\n"
#define TWENTY "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"

static double volume_of(const pc_fe_mesh *mesh)
{
  double sum = 0;
  for (int e = 0; e < mesh->body.count; e++) {
    double node[PC_ELEMENT_NODES_MAX][3];
    pc_fe_mesh_corners(mesh, &mesh->body, e, node);
    pc_quadrature rule;
    assert_true(pc_quadrature_make(&rule, mesh->body.cell[e].type, 6));
    for (int k = 0; k < rule.points; k++) {
      pc_element_point point;
      pc_element_map(mesh->body.cell[e].type, (const double(*)[3])node, rule.at[k], &point);
      sum += rule.weight[k] * point.determinant;
    }
  }
  return sum;
}

static void solids_of_second_order_are_read(void **state)
{
  static const char *const text[] = {
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 4 \"top\"\n3 5 \"cube\"\n"
      "$EndPhysicalNames\n$Nodes\n20\n" HEXAHEDRON "$EndNodes\n$Elements\n2\n"
      "1 16 2 4 1 5 6 7 8 17 19 20 18\n2 17 2 5 1 " TWENTY "\n$EndElements\n",
      // the top listed from below: it is turned
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 4 \"top\"\n3 5 \"cube\"\n"
      "$EndPhysicalNames\n$Nodes\n27\n" HEXAHEDRON CENTRES "$EndNodes\n$Elements\n2\n"
      "1 10 2 4 1 5 8 7 6 18 20 19 17 26\n2 12 2 5 1 " TWENTY " 21 22 23 24 25 26 27\n"
      "$EndElements\n",
      // edges (0,1) (1,2) (2,0) (3,0) (2,3) (1,3)
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 4 \"top\"\n3 5 \"cube\"\n"
      "$EndPhysicalNames\n$Entities\n0 0 1 1\n1 0 0 0 2 2 2 1 4 0\n1 0 0 0 2 2 2 1 5 1 1\n"
      "$EndEntities\n$Nodes\n1 10 1 10\n3 1 0 10\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
      "0 0 0\n2 0 0\n0 2 0\n0 0 2\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n0 1 1\n1 0 1\n$EndNodes\n"
      "$Elements\n2 2 1 2\n2 1 9 1\n1 2 3 4 6 9 10\n3 1 11 1\n2 1 2 3 4 5 6 7 8 9 10\n"
      "$EndElements\n"};
  const pc_element type[] = {PC_HEXAHEDRON20, PC_HEXAHEDRON27, PC_TETRAHEDRON10};
  for (int i = 0; i < 3; i++) {
    pc_fe_mesh mesh = read_good(text[i]);
    assert_int_equal(mesh.dimension, 3);
    assert_int_equal(mesh.body.cell[0].type, type[i]);
    assert_int_equal(mesh.side.count, 1);
    assert_near(volume_of(&mesh), i < 2 ? 8 : 8. / 6, 1e-13);
    int count;
    pc_fe_facet *list = pc_fe_mesh_sides(&mesh, &count);
    assert_true(
        pc_fe_facet_runs_along(&mesh, &list[pc_fe_facet_find_side(list, count, &mesh, 0)], 0));
    free(list);
    pc_fe_mesh_free(&mesh);
  }
}

// The text with one piece replaced is refused with these words.
static void refuse(const char *form, const char *piece, const char *by, const char *says)
{
  const char *at = strstr(form, piece);
  assert_non_null(at);
  char text[2048];
  int length =
      snprintf(text, sizeof text, "%.*s%s%s", (int)(at - form), form, by, at + strlen(piece));
  pc_fe_mesh mesh;
  pc_error error = {0};
  assert_int_equal(read_text(text, (size_t)length, &mesh, &error), PC_ERROR_INPUT);
  assert_says(error.text, says);
  assert_null(mesh.node);
}

static void damaged_files_of_the_new_form_are_refused(void **state)
{
  refuse(NEW_FORM, "9 0 0 0 2 1 0 1 3 0", "9 0 0 0 2 1 0 2 3 4 0", ":14: surface 9 is in 2");
  refuse(NEW_FORM, "9 0 0 0 2 1 0 1 3 0", "9 0 0 0 2 1 0", ":14: an entity needs");
  refuse(NEW_FORM, "2 7 1 70", "2 8 1 70", "8 nodes are announced, but the file has 7");
  refuse(NEW_FORM, "2 9 0 6\n", "2 9 0 9000000000\n", ":18: a block has");
  refuse(NEW_FORM, "4 6 1 6", "4 7 1 6", "7 elements are announced, but the file has 6");
  refuse(NEW_FORM, "2 9 3 2\n", "2 9 6 2\n", "is not supported; use points, lines, triangles,");
  refuse(NEW_FORM, "2 9 3 2\n", "4294967298 9 3 2\n", "an entity must have 0 to 3 dimensions (got");
  refuse(NEW_FORM, "4.1 0 8", "4.1 1 8",
         ":2: binary meshes are not supported; save the mesh as text");
  refuse(NEW_FORM, "6 20 50 60 30", "6 20 50 60 70", "is folded");
}

static void damaged_files_are_refused_with_the_line(void **state)
{
  static const struct {
    const char *piece, *by, *says;
  } damage[] = {
      {"2.2 0 8", "2.2 1 8", ":2: binary meshes are not supported; save the mesh as text"},
      {"2.2 0 8", "3.0 0 8", ":2: version 3.0"},
      {"2.2 0 8", ", ,", ":2: version , is not supported"},
      {"$MeshFormat", "$Nonsense", ":1: a Gmsh mesh must begin with $MeshFormat"},
      {"$EndNodes", "", ":18: expected $EndNodes, found $Elements"},
      {"1 7 \"free top\"", "1 7 free", ":6: a physical name must be in quotes"},
      {"1 7 \"free top\"", "4294967297 7 \"a\"",
       ":6: a physical name must have 0 to 3 dimensions (got"},
      {"20 1 0 0", "20 1 x 0", ":12: node 20"},
      {"20 1 0 0", "20 1 nan 0", ":12: node 20"},
      {"20 1 0 0", "20 1,0 0,0 0,0", ":12: node 20 needs three coordinates, not '1,0'"},
      {"20 1 0 0", "10 1 0 0", "node 10 is listed twice"},
      {"20 1 0 0", "20 1 0 0.5", "node 20 has z = 0.5"},
      {"20 1 0 0", "20 9 0 0", "is folded"},
      {"$Nodes\n6", "$Nodes\n4000000000", ":17: $Nodes has fewer entries"},
      {"$Nodes\n6", "$Nodes\n-1", ":10: $Nodes has a negative"},
      {"$Nodes\n6", "$Nodes\n99999999999999999999", ":10: $Nodes needs 1 whole"},
      {"5 3 2 3 9 10 20 50 40", "5 3 2 3 9 10 20 55 40", ":23: the element refers to node"},
      {"5 3 2 3 9 10 20 50 40", "5 3 2 3 9 10 20 50", ":23: a list of nodes needs 4"},
      {"5 3 2 3 9 10 20 50 40", "5 6 2 3 9 10 20 50 40", ":23: Gmsh's element type"},
      {"5 3 2 3 9 10 20 50 40", "5 3 999999 3 9 10 20 50 40", ":23: a list of tags"},
      {"4 1 2 8 5 40 10", "4 1 2 8 5 40 20", "is not a side of an element"},
      {"$EndElements\n", "", "the file ends without $EndElements"},
  };
  for (size_t i = 0; i < sizeof damage / sizeof *damage; i++)
    refuse(OLD_FORM, damage[i].piece, damage[i].by, damage[i].says);
  pc_fe_mesh mesh;
  pc_error error = {0};
  assert_int_equal(pc_fe_mesh_read_gmsh(&mesh, "/nowhere/a.msh", &error), PC_ERROR_IO);
}

// Bytes changed, cut and doubled at random: an answer with a text or a mesh that is valid.
static void random_damage_is_survived(void **state)
{
  pc_random random = test_random(__func__);
  int refused = 0;
  for (int turn = 0; turn < test_count(2000); turn++) {
    const char *from = turn % 2 ? NEW_FORM : OLD_FORM;
    char text[2048];
    size_t length = strlen(from);
    memcpy(text, from, length);
    for (int k = 1 + pc_random_below(&random, 3); k > 0; k--) {
      int at = pc_random_below(&random, (int)length);
      static const char bytes[] = "0123456789 -.$\n\"e\0x";
      if (pc_random_below(&random, 4) > 0)
        text[at] = bytes[pc_random_below(&random, (int)sizeof bytes - 1)];
      else
        length = (size_t)at + 1;
    }
    pc_fe_mesh mesh;
    pc_error error = {0};
    pc_status status = read_text(text, length, &mesh, &error);
    if (status == PC_OK) {
      assert_int_equal(pc_fe_mesh_check(&mesh, NULL), PC_OK);
      pc_fe_mesh_free(&mesh);
    } else {
      refused++;
      assert_int_equal(status, PC_ERROR_INPUT);
      assert_true(error.text[0] != 0);
    }
  }
  assert_true(refused > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_versions_give_the_same_mesh),
      cmocka_unit_test(quadratic_triangles_and_lines_are_read),
      cmocka_unit_test(solids_of_second_order_are_read),
      cmocka_unit_test(damaged_files_are_refused_with_the_line),
      cmocka_unit_test(damaged_files_of_the_new_form_are_refused),
      cmocka_unit_test(random_damage_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
