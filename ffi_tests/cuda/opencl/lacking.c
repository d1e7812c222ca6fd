/* lacking.c - a library of OpenCL whose devices lack what LACKING names: svm, fp64, int64. All else is the real one's, which this library needs: a look-up of
 * a name in it goes on there. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int32_t clGetDeviceInfo(void *device, uint32_t what, size_t room, void *to, size_t *bytes_out);
int32_t clGetDeviceInfo(void *device, uint32_t what, size_t room, void *to, size_t *bytes_out) {
  static int32_t (*real)(void *, uint32_t, size_t, void *, size_t *);
  const char *lacks = getenv("LACKING");
  if (!real) {
    void *symbol = dlsym(dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_NOLOAD), "clGetDeviceInfo");
    memcpy(&real, &symbol, sizeof symbol);
  }
  const int32_t code = real(device, what, room, to, bytes_out);
  if (code != 0 || !to || !lacks) return code;
  if (strcmp(lacks, "svm") == 0 && what == 0x1053) memset(to, 0, room);
  if (strcmp(lacks, "fp64") == 0 && what == 0x1032) memset(to, 0, room);
  if (strcmp(lacks, "int64") == 0 && what == 0x1030)
    for (char *at = to; (at = strstr(at, "int64")); at++) at[0] = 'x';
  return code;
}
