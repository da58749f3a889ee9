#include "bench.h"

#include <stddef.h>

const bench_definition bench_list[BENCHMARKS] = {
    {"impact", "sweeps of nsgs and solves of ipm on a heap of spheres", "contacts", bench_impact,
     NULL, NULL, false},
    {"sweeps", "sweeps over large islands against the memory bandwidth, 1 and 2 threads", "bodies",
     bench_sweeps, NULL, NULL, false},
    {"friction", "random stacks, arches and packings to 1e-8: solved, median and worst time",
     "problems", bench_friction, NULL, NULL, false},
    {"rigid", "spheres and boxes falling into a pile, two threads", "bodies", bench_rigid, NULL,
     NULL, false},
    {"gabion", "four impacts on a wall of gabions against León's Table 6.1, two threads", "impact",
     bench_gabion, NULL, NULL, false},
    {"crowd", "people leaving a hall by many doors, and neighbour searches", "people", bench_crowd,
     NULL, NULL, false},
    {"chain", "impacts of balls on a line by every law, long chains, consistency of the outcomes",
     "balls/chains", bench_chain, NULL, NULL, false},
    {"continuum",
     "a diver on water, 1e4 to 1e6 unknowns: assembly, factorisation, contacts, memory", "unknowns",
     bench_continuum, NULL, NULL, false},
    {"view", "the viewer in Chromium without a graphics card: a run of 2 GB, 10,000 boxes", "boxes",
     bench_view, NULL, NULL, false},
    {"drum", "an hour in a rotating drum, recorded: memory, files, energy balance", "time, s",
     bench_drum, NULL, NULL, true},
    {"fclib", "friction problems to 1e-8, the median of the times to solve each", "contacts",
     bench_fclib, "folder", bench_fclib_reject, true},
};
