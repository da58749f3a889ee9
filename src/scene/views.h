// `views` of a scene: what pictures of its run show. Kinds of scenes differ in what they can
// look at and in the names of colours, so each has a table of its own.
#ifndef PERCUSS_SCENE_VIEWS_H
#define PERCUSS_SCENE_VIEWS_H

#include "percuss/scene.h"
#include "scene/bind.h"

extern const pc_mapping pc_table_rigid_view, pc_table_crowd_view, pc_table_continuum_view;

// The key of a kind whose struct keeps its node in `views`.
#define PC_VIEWS_KEY(type_, table_)                                                                \
  {                                                                                                \
    PC_KEY(type_, views), PC_PAIRS | PC_A_MAPPING, .mapping = table_, .otherwise = "{}",           \
                                                   .meaning = "named views, for pictures and "     \
                                                              "films; `default` is shown first"    \
  }

// Reads them into scene->views. `flat`: the picture has no camera. `is_known` says of a name
// whether something that can be seen has it.
typedef bool pc_views_known(const void *context, const char *name);
void pc_scene_read_views(pc_scene *scene, pc_node node, const pc_mapping *table, bool flat,
                         pc_views_known *is_known, const void *context);
// Whether one of these names is `name` or, if that ends with `*`, begins so.
bool pc_views_has_name(int count, char *const *names, const char *name);

#endif
