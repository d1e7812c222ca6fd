/* plugins.c WHAT LIBRARY... - shared libraries with the archive inside, opened and closed. A closed one stays in
 * memory, because Go's threads live in it; nothing crashes. Not in this file: the library (plugin.c). */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

extern char **environ;
typedef int (*function)(void);

static function find(void *library, const char *name) {
  function f;
  *(void **)&f = dlsym(library, name);
  return f;
}

static int call(void *library, const char *name) {
  function f = find(library, name);
  int status = f ? f() : 1000;
  if (status != 0) printf("FAILED: %s gave %d\n", name, status);
  return status != 0;
}

static void *on_thread(void *library) { return (void *)(uintptr_t)call(library, "plugin_work"); }

static int use(void *library) {
  pthread_t thread;
  void *failed = NULL;
  int failures = call(library, "plugin_start") + call(library, "plugin_work");
  pthread_create(&thread, NULL, on_thread, library);
  pthread_join(thread, &failed);
  return failures + (failed != NULL) + call(library, "plugin_end");
}

static void pause_for(long milliseconds) {
  struct timespec t = {0, milliseconds * 1000000};
  nanosleep(&t, NULL);
}

int main(int argc, char **argv) {
  int failures = 0, i, round;
  void *libraries[8];
  if (argc < 3 || argc > 9) return 2;
  if (strcmp(argv[1], "cleared") == 0) environ[0] = NULL; /* Go would look behind it for the auxiliary vector, and find variables */
  for (round = 0; round < 3; round++) {
    for (i = 2; i < argc; i++) {
      libraries[i - 2] = dlopen(argv[i], RTLD_NOW | (strcmp(argv[1], "global") == 0 ? RTLD_GLOBAL : RTLD_LOCAL));
      if (!libraries[i - 2]) return printf("FAILED: %s\n", dlerror()), 1;
    }
    if (strcmp(argv[1], "untouched") != 0)
      for (i = 2; i < argc; i++) failures += use(libraries[i - 2]);
    for (i = 2; i < argc; i++) {
      if (dlclose(libraries[i - 2]) != 0) failures++;
      if (!dlopen(argv[i], RTLD_NOW | RTLD_NOLOAD)) failures++, puts("FAILED: the closed library is no longer there");
    }
    pause_for(100); /* what Go's threads do in a closed library */
  }
  printf("%d failures\n", failures);
  return failures != 0;
}
