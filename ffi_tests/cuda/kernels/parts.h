// parts.h - a kernel with parts for architectures, and a kernel of the program's own with a range over the grid: the same text for the host and NVRTC.
// parts.cpp launches them.
#include <portable_device.h>

PORTABLE_FUNCTION int part(portable::architecture<0>) { return 0; }
PORTABLE_FUNCTION int part(portable::architecture<700>) { return 700; }
PORTABLE_FUNCTION int part(portable::architecture<800>) { return 800; }
PORTABLE_FUNCTION int only_old(portable::architecture<0>) { return 1; }
PORTABLE_FUNCTION int far_ahead(portable::architecture<0>) { return 2; }
PORTABLE_FUNCTION int far_ahead(portable::architecture<2000>) { return 3; }

struct parts_args {
  int *out; // [5]
};

PORTABLE_KERNEL(parts, parts_args, a) {
  PORTABLE_FOR_1(i) {
    if (i == 0) a->out[0] = part(portable::this_architecture());
    if (i == 1) a->out[1] = only_old(portable::this_architecture());
    if (i == 2) a->out[2] = far_ahead(portable::this_architecture());
    if (i == 3) a->out[3] = PORTABLE_ARCHITECTURE >= 800 ? 5 : PORTABLE_ARCHITECTURE > 0 ? 4 : 3;
    if (i == 4) a->out[4] = PORTABLE_ARCHITECTURE;
  }
}

struct range_args {
  long long *out; // [n]
  int n;
};

#if defined(__CUDACC__)
extern "C" __global__ void range(const portable_launch_space, const range_args a) {
  for (int i : portable::grid_stride(0, a.n)) a.out[i] += 1 + i;
  for (long long i : portable::grid_stride(3LL, static_cast<long long>(a.n))) a.out[i] += 1000;
}
#endif
