/* test_gator.c - YAKL's four C names: no status, so a text on standard error and NULL, and an abort under
 * GATOR_STRICT=1. Not in this file: the Fortran side of the same (ffi_tests/pool). */
#include "check.h"
#include "child.h"
#include <signal.h>

static int child(const char *what) {
  char *p;
  if (strcmp(what, "early") == 0) return gatorAllocate(8) != NULL;
  if (strcmp(what, "stop") == 0) {
    gatorFinalize();
    return 0;
  }
  gatorInit();
  if (strcmp(what, "twice") == 0) {
    gatorInit();
    gatorFinalize();
    return portable_is_initialized();
  }
  if (strcmp(what, "null") == 0) gatorDeallocate(NULL);
  if (strcmp(what, "zero") == 0 && gatorAllocate(0) != NULL) return 3;
  p = (char *)gatorAllocate(1000);
  if (strcmp(what, "interior") == 0) gatorDeallocate(p + 128);
  if (strcmp(what, "double") == 0) {
    gatorDeallocate(p);
    gatorDeallocate(p);
    p = (char *)gatorAllocate(1000);
  }
  if (strcmp(what, "huge") == 0 && gatorAllocate((size_t)1 << 60) != NULL) return 4;
  gatorDeallocate(p);
  gatorFinalize();
  return 0;
}

int main(int argc, char **argv) {
  static const char *const errors[] = {"early", "null", "interior", "double", "huge"};
  static const char *const warnings[] = {"twice", "stop"};
  char text[8000];
  double *p;
  size_t i;
  if (argc > 1) return child(argv[1]);

  gatorInit();
  CHECK(portable_is_initialized() == 1);
  p = (double *)gatorAllocate(1000 * sizeof(double));
  CHECK(p != NULL && (uintptr_t)p % 64 == 0);
  for (i = 0; p != NULL && i < 1000; i++) p[i] = (double)i;
  CHECK(check_stats(check_default_pool()).in_use_bytes == 8000);
  gatorDeallocate(p);
  gatorFinalize();
  CHECK(portable_is_initialized() == 0);

  /* Errors: one text, and the program goes on; under GATOR_STRICT=1 it is aborted. */
  for (i = 0; i < sizeof errors / sizeof errors[0]; i++) {
    int code = child_run(errors[i], NULL, text, sizeof text);
    if (code != 0 || text[0] == '\0') printf("case %s: exit %d, text '%s'\n", errors[i], code, text);
    CHECK(code == 0 && text[0] != '\0');
    code = child_run(errors[i], "GATOR_STRICT=1", text, sizeof text);
    if (code != 1000 + SIGABRT) printf("strict case %s: exit %d, text '%s'\n", errors[i], code, text);
    CHECK(code == 1000 + SIGABRT);
  }
  for (i = 0; i < sizeof warnings / sizeof warnings[0]; i++) {
    int code = child_run(warnings[i], NULL, text, sizeof text);
    if (code != 0 || text[0] == '\0') printf("case %s: exit %d, text '%s'\n", warnings[i], code, text);
    CHECK(code == 0 && text[0] != '\0');
  }
  /* Zero bytes are no error: NULL, and no text. */
  CHECK(child_run("zero", NULL, text, sizeof text) == 0);
  CHECK(text[0] == '\0');

  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  return check_end();
}
