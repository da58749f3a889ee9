// xoshiro256** (Blackman and Vigna, 2018), seeded by splitmix64.
#include "percuss/random.h"

#include <math.h>
#include <stddef.h>

#include "core/elementary.h"

static uint64_t rotate(uint64_t x, int k)
{
  return (x << k) | (x >> (64 - k));
}

void pc_random_seed(pc_random *random, uint64_t seed)
{
  if (random == NULL)
    return;
  for (int i = 0; i < 4; i++) {
    seed += 0x9e3779b97f4a7c15u;
    uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    random->state[i] = z ^ (z >> 31);
  }
}

uint64_t pc_random_bits(pc_random *random)
{
  if (random == NULL)
    return 0;
  uint64_t *s = random->state;
  uint64_t result = rotate(s[1] * 5, 7) * 9;
  uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate(s[3], 45);
  return result;
}

double pc_random_uniform(pc_random *random, double low, double high)
{
  return low + (high - low) * ((double)(pc_random_bits(random) >> 11) * 0x1p-53);
}

double pc_random_normal(pc_random *random)
{
  double u = 1 - pc_random_uniform(random, 0, 1); // never 0
  double v = pc_random_uniform(random, 0, 1);
  return sqrt(-2 * pc_log(u)) * pc_cos(2 * 3.14159265358979323846 * v);
}

int pc_random_below(pc_random *random, int count)
{
  return count > 0 ? (int)(pc_random_uniform(random, 0, 1) * count) : 0;
}
