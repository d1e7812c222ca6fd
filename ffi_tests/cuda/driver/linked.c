/* linked.c - a program that links a libcuda of its own, as programs of CUDA do: it gets that one's functions, and the library those of the
 * driver that it has opened itself. The libcuda that is linked is small_driver.c, too, with another setting.
 *   linked LIBRARY: the value of PORTABLE_CUDA_LIBRARY. */
#include <portable.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"

int main(int argc, char **argv) {
  int count = 0, mine = 0;
  portable_device d = 0;
  if (argc != 2) return 2;
  setenv("PORTABLE_CUDA_LIBRARY", argv[1], 1);
  setenv("SMALL_DRIVER", "devices=5,cuInit=0", 1);
  int ok = cuInit(0) == CUDA_SUCCESS && cuDeviceGetCount(&mine) == CUDA_SUCCESS && mine == 5;
  /* Were the library's calls to come out here, it would find five. */
  setenv("SMALL_DRIVER", "devices=2", 1);
  ok = ok && portable_init(NULL) == PORTABLE_OK && portable_device_find("cuda:1", &d) == PORTABLE_OK && d == 4;
  count = portable_device_count();
  ok = ok && count == 4 && portable_finalize() == PORTABLE_OK;
  CUdeviceptr p = 0;
  ok = ok && cuMemAlloc(&p, 77) == CUDA_SUCCESS && p == 77;
  printf("%s: the program's driver has %d devices, the library %d (%s)\n", ok ? "ok" : "FAILED", mine, count, portable_last_error());
  return !ok;
}
