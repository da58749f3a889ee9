// Convex hulls: the bytes are points, as single precision numbers; the first byte says how strict.
#include <string.h>

#include "fuzz.h"
#include "geometry/hull.h"
#include "percuss/shape.h"

enum { MOST = 200 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size == 0)
    return 0;
  static double at[MOST][3];
  int count = 0;
  for (size_t from = 1; count < MOST && from + 12 <= size; from += 12, count++)
    for (size_t k = 0; k < 3; k++) {
      float number;
      memcpy(&number, data + from + 4 * k, sizeof number);
      at[count][k] = number;
    }
  pc_error error = {0};
  const double(*points)[3] = (const double(*)[3])at;
  pc_shape_release(data[0] % 4 == 0 ? pc_shape_polyhedron_rough(count, points, 1e-6, &error)
                                    : pc_shape_polyhedron(count, points, data[0] % 2 == 0, &error));
  return 0;
}
