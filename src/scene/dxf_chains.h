// Paths of a drawing that are joined end to end.
#ifndef PERCUSS_SCENE_DXF_CHAINS_H
#define PERCUSS_SCENE_DXF_CHAINS_H

#include "scene/dxf.h"

typedef struct pc_dxf_chain {
  int first, count;
  bool closed; // the last point is connected with the first
  int path;    // the first of its paths
} pc_dxf_chain;

typedef struct pc_dxf_chains {
  PC_ARRAY(pc_dxf_chain) list;
  PC_ARRAY(pc_dxf_point) points;
} pc_dxf_chains;

// Joins the paths of the layers that are marked, where exactly two of them have an end within a
// millimetre. With `rings` all chains must be closed; the error says where one is not. Of lines
// that are drawn twice one counts. The time grows as n.
pc_status pc_dxf_join(pc_dxf_chains *chains, const pc_dxf *dxf, const bool *layers, bool rings,
                      const char *name, pc_error *error);
void pc_dxf_chains_free(pc_dxf_chains *chains);

#endif
