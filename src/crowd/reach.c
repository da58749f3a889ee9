// Places that people can reach without crossing an exit, from their starting places, sources and
// stairs.
#include <stdlib.h>

#include "crowd/crowd.h"

static bool walk_from(const pc_grid *grid, const double p[2], unsigned char *reached)
{
  int node = pc_grid_node(grid, p);
  return node < 0 || reached[node] || pc_grid_flood(grid, node, NULL, reached) > 0;
}

// NULL: memory is out. If nobody is there yet they may be anywhere.
unsigned char *pc_find_reached(const pc_crowd *crowd, int f)
{
  const pc_grid *grid = &crowd->floors.at[f].grid;
  size_t nodes = (size_t)grid->columns * grid->rows;
  unsigned char *reached = calloc(nodes + 1, 1);
  bool done = reached != NULL;
  for (size_t i = 0; i < nodes && done && crowd->people == 0; i++)
    reached[i] = 1;
  for (int i = 0; i < crowd->people && done; i++)
    if (crowd->person[i].def.floor == f)
      done = walk_from(grid, crowd->person[i].def.position, reached);
  for (int i = 0; i < crowd->sources.count && done; i++)
    for (int k = 0; k < crowd->sources.at[i].count && crowd->sources.at[i].floor == f && done; k++)
      done = walk_from(grid, crowd->sources.at[i].point[k], reached);
  for (int i = 0; i < 4 * crowd->passages.count && done; i++) { // before and behind both lines
    const pc_passage *passage = &crowd->passages.at[i / 4];
    int end = i % 2;
    double off = i / 2 % 2 == 0 ? 0.1 : -0.1, p[2];
    for (int k = 0; k < 2; k++)
      p[k] = 0.5 * (passage->line[end][0][k] + passage->line[end][1][k]) +
             off * passage->forward[end][k];
    if (passage->floor[end] == f)
      done = walk_from(grid, p, reached);
  }
  for (int i = 0; i < crowd->lifts.count && done; i++)
    for (int s = 0; s < crowd->lifts.at[i].def.landings && done; s++)
      if (crowd->lifts.at[i].landing[s].floor == f)
        done = walk_from(grid, crowd->lifts.at[i].landing[s].front[0], reached);
  if (done)
    return reached;
  free(reached);
  return NULL;
}

bool pc_is_reached(const pc_grid *grid, const unsigned char *reached, const double p[2])
{
  bool sees = false;
  for (int k = 0; k < 4; k++) {
    int node = pc_grid_seen(grid, p, k);
    if (node >= 0 && reached[node])
      return true;
    sees = sees || node >= 0;
  }
  return !sees; // in a corner that no node is in
}
