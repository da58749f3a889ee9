// Reproducible random numbers: the same seed gives the same sequence on every machine.
#ifndef PERCUSS_RANDOM_H
#define PERCUSS_RANDOM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct pc_random {
  uint64_t state[4];
} pc_random;

void pc_random_seed(pc_random *random, uint64_t seed);
uint64_t pc_random_bits(pc_random *random);
double pc_random_uniform(pc_random *random, double low, double high);
double pc_random_normal(pc_random *random);        // mean 0, deviation 1
int pc_random_below(pc_random *random, int count); // 0 .. count-1

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
