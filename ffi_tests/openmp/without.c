/* without.c - a program that has not linked the device openmp and is asked for it: a warning that says what to link, and the
 * default device; from code, an error. Not in this file: programs that have it. */
#include "check.h"

int main(void) {
  portable_device device = 7;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK); /* under PORTABLE_DEVICE=openmp: the warning is the test's */
  CHECK(portable_device_count() == 2);
  CHECK(strcmp(portable_device_name(0), "threads") == 0);
  CHECK_STATUS(portable_device_find("openmp", &device), PORTABLE_ERR_NODEVICE);
  CHECK_TEXT("there are serial, threads; a program has openmp when it links portable::openmp");
  CHECK(device == 0);
  return check_end();
}
