// The inside of pc_shape.
#ifndef PERCUSS_GEOMETRY_SHAPE_H
#define PERCUSS_GEOMETRY_SHAPE_H

#include "core/memory.h"
#include "geometry/pose.h"
#include "percuss/shape.h"

// A convex polyhedron: faces are plane polygons (coplanar triangles of the hull are merged), their
// vertices turn counter-clockwise seen from outside.
typedef struct pc_hull {
  int vertices, faces, edges;
  double (*vertex)[3];
  double (*plane)[4];     // outward unit normal n, then d: n . x <= d inside
  int *face_start;        // faces + 1, into face_vertex and face_edge
  int *face_vertex;       // loop of each face
  int *face_edge;         // edge from face_vertex[i] to the next of its loop
  int (*edge)[2];         // its vertices
  int (*edge_face)[2];    // the faces on its two sides
  double (*direction)[3]; // unit vector along each edge
} pc_hull;

// Triangles of a mesh or of a height field, with what contacts at shared edges need to know.
typedef struct pc_triangle {
  int vertex[3];
  int neighbour[3]; // triangle across the edge from vertex[i] to vertex[(i + 1) % 3], -1: none
  double normal[3]; // unit
} pc_triangle;

// What a survey is known for: a height field of a file.
typedef struct pc_survey {
  int points, holes;
  double hole[4]; // the box around the holes: low x, y, high x, y
  int marks;      // heights that look like marks of missing values,
  double mark;    // and the lowest of them
  double spacing; // 0: not a height field
  double unit;    // of its coordinates, m; 0: unknown
  bool degrees;   // coordinates are longitudes and latitudes
} pc_survey;

typedef struct pc_mesh {
  int vertices, triangles;
  double (*vertex)[3];
  pc_triangle *triangle;
  struct pc_tree *tree; // of the triangles' boxes, see tree.h
  pc_survey survey;
} pc_mesh;

// Edges of a polygon by fours, for vectors: normals n, and n . x of the points of the edge. The
// last four may have edges that nothing is above.
enum { PC_EDGES = 4 };
typedef struct pc_edges {
  double x[PC_EDGES], y[PC_EDGES], height[PC_EDGES];
} pc_edges;

// A child of a compound, with its place.
typedef struct pc_child {
  pc_shape *shape;
  pc_pose pose;
} pc_child;

// A vertical line in the world, and in the axes of a shape: from + t along, where t is the height.
typedef struct pc_vertical {
  const pc_pose *pose; // of the shape
  double x, y;
  double from[3], along[3];
} pc_vertical;

// A ball on the surface of a shape, radius 0 for a corner, in the world.
typedef void pc_ball_visit(void *context, const double centre[3], double radius);

// What a type of shape can do. Each type has one, in the file of its family: shape_ball.c, ...
typedef struct pc_shape_ops {
  bool is_piece;    // convex, with a volume: may be a piece of a compound
  bool is_obstacle; // has no volume
  // The box around it at a pose, as pc_shape_bounds gives it.
  void (*bounds)(const pc_shape *shape, const pc_pose *pose, double box[6]);
  // The box in its own axes, if it can be smaller than that of `bounds`; may be NULL.
  void (*extent)(const pc_shape *shape, double box[6]);
  pc_mass_properties (*mass)(const pc_shape *shape); // NULL: none
  // How far from the origin it reaches at a pose.
  double (*farthest)(const pc_shape *shape, const pc_pose *pose);
  // Three numbers that say its size, for records.
  void (*sizes)(const pc_shape *shape, double size[3]);
  // Whether two of the type are equal in every number. NULL: only if they are one.
  bool (*same)(const pc_shape *a, const pc_shape *b);
  double (*area)(const pc_shape *shape); // NULL: 0
  // As pc_shape_column. NULL: never met.
  bool (*column)(const pc_shape *shape, const pc_vertical *line, double *low, double *high);
  // As pc_shape_widen_heights. NULL: those of the box around it.
  void (*heights)(const pc_shape *shape, const pc_pose *pose, const double box[6], double range[2]);
  // Visits balls whose convex hull is the shape. NULL: none.
  void (*balls)(const pc_shape *shape, const pc_pose *pose, pc_ball_visit *visit, void *context);
  void (*release)(pc_shape *shape); // what the arena does not hold; may be NULL
} pc_shape_ops;

// Of a shape at the origin.
typedef struct pc_measures {
  double low[3], high[3]; // the box around it
  pc_mass_properties mass;
} pc_measures;

// A world may have a million of them.
struct pc_shape {
  const pc_shape_ops *ops;
  unsigned char type; // pc_shape_type
  unsigned char dimension;
  bool has_rims;               // rim.h; a ball about its own origin has none
  int references;              // changed atomically
  double radius;               // about the origin; INFINITY for a plane
  const pc_measures *measures; // NULL: those of a ball, which pc_shape_measures makes
  pc_arena arena;
  union {
    double ball; // sphere, disc
    struct {
      double radius, half;
    } rod; // capsule, cylinder: along z, half its length
    struct {
      double half[3];
    } box; // has a hull too
    struct {
      double normal[3];
    } plane;
    struct {
      int count;
      pc_child *child;
    } compound;
    struct {
      int count;
      double (*vertex)[2];
    } flat; // polygon, chain: what they have in common
    struct {
      int count;
      double (*vertex)[2];
      double (*normal)[2];
      pc_edges *edges;
    } polygon; // counter-clockwise;
               // outward normal of the edge from vertex i to i + 1
    struct {
      int count;
      double (*vertex)[2];
      bool closed;
      bool continues[2];   // an open one: as a chain of another body, before the first vertex and
      double (*beyond)[2]; // after the last; the vertices there
    } chain;
  };
  // Empty where there are none.
  const pc_hull *hull; // box, polyhedron
  const pc_mesh *mesh; // mesh, heights (as triangles)
};
_Static_assert(sizeof(struct pc_shape) <= 120, "two lines of memory, with what malloc adds");

// One segment of a wall that is cut into bodies: `before` and `after` are the vertices of the wall
// on either side, NULL at its ends. The corner that two segments share belongs to the first.
pc_shape *pc_shape_wall_piece(const double *before, const double segment[2][2], const double *after,
                              pc_error *error);

// Its measures, or `room` with those of a ball: a world may have a million of them.
const pc_measures *pc_shape_measures(const pc_shape *shape, pc_measures *room);

// Whether two shapes are the same in every number. Compounds and obstacles are only if they are
// one.
bool pc_shape_same(const pc_shape *a, const pc_shape *b);

// The box around a shape at a pose: low x, y, z, high x, y, z.
void pc_shape_bounds(const pc_shape *shape, const pc_pose *pose, double box[6]);

// Gives the part low .. high of the vertical line over (x, y) that is inside the shape; false if it
// misses. z is up. Planes, meshes and height fields are solid below: low is -INFINITY, and high is
// on the highest triangle. For a compound it reaches from its lowest to its highest point. Only for
// shapes in space.
bool pc_shape_column(const pc_shape *shape, const pc_pose *pose, double x, double y, double *low,
                     double *high);

// Widens `range` by the heights that the surface of a shape may have over a rectangle: z over the x
// and y of `box`, in the plane y over its x. All of a triangle or a segment that reaches over the
// rectangle counts. Walls and ceilings have none.
void pc_shape_widen_heights(const pc_shape *shape, const pc_pose *pose, const double box[6],
                            double range[2]);

// Visits balls whose convex hull is the shape; of a compound, those of its pieces.
void pc_shape_visit_balls(const pc_shape *shape, const pc_pose *pose, pc_ball_visit *visit,
                          void *context);

// Three numbers that say the size of a shape, for records: see docs/run-format.md.
void pc_shape_sizes(const pc_shape *shape, double size[3]);

#endif
