#include <cstdio>
#include <memory>
#include <percuss/percuss.h>

int main()
{
  const double up[] = {0, 0, 1};
  std::unique_ptr<pc_shape, void (*)(pc_shape *)> ground(pc_shape_half_space(up, nullptr),
                                                         pc_shape_release);
  std::printf("%s %s\n", pc_shape_type_name(pc_shape_kind(ground.get())),
              pc_row_kind_name(PC_ROW_FITTED));
  return 0;
}
