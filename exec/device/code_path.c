/* code_path.c - see code_path.h. In C because what asks is. Threads: safe, as long as nobody changes the environment. */
#include "code_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../internal/edge/environment.h"

static int there(const char *path) { return access(path, R_OK) == 0; }

/* folder[bytes]/path; 1: it is there. */
static int in_folder(const char *folder, size_t bytes, const char *path, char *to, size_t room) {
  const int n = snprintf(to, room, "%.*s/%s", (int)bytes, folder, path);
  return n > 0 && (size_t)n < room && there(to);
}

int portable__code_path(const char *path, char *to, size_t room) {
  char exe[4096];
  if (path[0] != '/' && !there(path)) {
    for (const char *folder = portable__getenv("PORTABLE_CUDA_PATH"); folder && *folder;) {
      const size_t bytes = strcspn(folder, ":");
      if (bytes && in_folder(folder, bytes, path, to, room)) return 1;
      folder += bytes + (folder[bytes] == ':');
    }
    const ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n > 0 ? n : 0] = '\0';
    const char *slash = strrchr(exe, '/');
    if (slash && in_folder(exe, (size_t)(slash - exe), path, to, room)) return 1;
  }
  if (strlen(path) >= room) return 0;
  strcpy(to, path);
  return 1;
}
